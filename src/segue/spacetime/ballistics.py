"""Root paths that the ground can push: free fall in flights, and feet that push from where they stand.

The centre of mass is the root plus an offset that the joints determine. With the offset known at samples, free fall is
linear in the spline coefficients of the root. The path is the least-squares compromise between free fall in flights,
which counts most, and a small and smooth displacement elsewhere.

In a flight the wrench on the root is zero: the centre of mass falls, and the angular momentum about it stays what it
was. On the ground, the part of the wrench counts that the soles cannot give. The wrench's derivatives by the six
coordinates of the root and by their rates are exact, so that a few steps of Gauss and Newton suffice.
Value and velocity stay at both ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from segue.body.human import HUMAN
from segue.compiled import compiled
from segue.curves.bspline import DEGREE, SplineBasis
from segue.dynamics import GRAVITY, FigureTree, forward_kinematics, inverse_dynamics_jacobians
from segue.dynamics.ground_push import ARM, best_push, push_edges
from segue.typing import Array, Flags


@compiled(seconds=2, fast_math=True)
def least_squares(rows: Array, wanted: Array) -> Array:
    """Return the solution (M, K) of rows (N, M) @ solution = wanted (N, K) in the sense of least squares.

    The rows have full rank, and all but a few neighbouring numbers in each are zero: by Cholesky's factors of the
    banded normal equations.
    """
    size, sides = rows.shape[1], wanted.shape[1]
    square, solution = np.zeros((size, size)), np.zeros((size, sides))
    first = np.arange(size)  # of each row of the lower half of the square that is not zero
    for n in range(len(rows)):
        start, stop = 0, size
        while start < size and rows[n, start] == 0.0:
            start += 1
        while stop > start and rows[n, stop - 1] == 0.0:
            stop -= 1
        for i in range(start, stop):
            first[i] = min(first[i], start)
            for j in range(start, i + 1):
                square[i, j] += rows[n, i] * rows[n, j]
            for k in range(sides):
                solution[i, k] += rows[n, i] * wanted[n, k]
    for i in range(size):
        for j in range(first[i], i + 1):
            total = square[i, j]
            for k in range(max(first[i], first[j]), j):
                total -= square[i, k] * square[j, k]
            square[i, j] = math.sqrt(total) if i == j else total / square[j, j]
        for k in range(sides):
            for j in range(first[i], i):
                solution[i, k] -= square[i, j] * solution[j, k]
            solution[i, k] /= square[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(sides):
            solution[i, k] /= square[i, i]
            for j in range(first[i], i):
                solution[j, k] -= square[i, j] * solution[i, k]
    return solution


Span = tuple[float, float]
"""A start and a stop, in s."""

SAMPLES_A_PIECE = 4
FREE = 0.05  # m/s^2, deviation from free fall in flight that counts as much as
NEAR = 0.05  # m of displacement, or
BEND = 16.0  # m/s^2 of change of acceleration on the ground
_SHIFTS = np.array([-0.08, -0.06, -0.04, -0.02, 0.0, 0.02, 0.04, 0.06, 0.08])
"""Seconds by which take-off and landing may move."""
_INWARDS = np.array([0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14])
"""Seconds by which a flight that a seam cuts may be shorter: it may not reach the seam."""
_LATER = 0.02
"""Seconds that take-off or landing moves by at the price of one unit of the mean square of all residuals."""
_SHORTEST = 0.06  # s of a flight


class Fall(NamedTuple):
    """A ballistic root: spline coefficients (n, 3) in m, the flights in s, and the price of the displacement.

    cost: mean over time of squared displacements and changes of acceleration, in units of what is usual. largest:
    the largest displacement in m.
    """

    control: Array
    flights: tuple[Span, ...]
    cost: float
    largest: float


def sample_times(duration: float, count: int) -> Array:
    """Return the even times (S,) in s at which the offset of the centre of mass is needed; count: coefficients."""
    return np.linspace(0.0, duration, SAMPLES_A_PIECE * (count - DEGREE) + 1)


def falling_root(control: Array, offset: Array, duration: float, flights: Sequence[Span]) -> Fall:
    """Return the root nearest to a path whose centre of mass falls freely in flights.

    control: (n, 3) spline coefficients of the root on equal pieces, m. offset: (S, 3) from the root to the centre of
    mass at `sample_times`, m. flights: within [0, duration].
    """
    times = sample_times(duration, len(control))
    value, _, bend = path_rows(len(control), duration)
    step = times[1] - times[0]
    swing = np.zeros_like(offset)
    swing[1:-1] = (offset[2:] - 2.0 * offset[1:-1] + offset[:-2]) / step**2
    swing[0], swing[-1] = swing[1], swing[-2]
    aloft = np.zeros(len(times), bool)
    for start, stop in flights:
        aloft |= (times >= start) & (times <= stop)
    missing = np.array(GRAVITY) - swing - bend @ control
    weight = np.where(aloft, 1.0 / FREE, 1.0 / BEND)[:, None]
    inner = slice(2, -2)
    rows = np.concatenate([value[:, inner] / NEAR, weight * bend[:, inner]])
    wanted = np.concatenate([np.zeros_like(offset), np.where(aloft[:, None], weight * missing, 0.0)])
    moved = least_squares(rows, wanted)
    out = control.copy()
    out[inner] += moved
    residual = rows @ moved - wanted
    cost = float((residual**2).sum() / len(times))
    return Fall(out, tuple(flights), cost, float(np.linalg.norm(value[:, inner] @ moved, axis=1).max()))


def fitted_flight(control: Array, offset: Array, duration: float, flight: Span, fixed: tuple[bool, bool]) -> Fall:
    """Return the ballistic root whose take-off and landing lie near those of a flight, where they fit best.

    fixed: whether take-off, and landing, stay as they are. A flight that begins or ends with the gap may begin later or
    end sooner.
    """
    starts = [flight[0]] if fixed[0] else flight[0] + (_INWARDS if flight[0] <= 0.0 else _SHIFTS)
    stops = [flight[1]] if fixed[1] else flight[1] - (_INWARDS if flight[1] >= duration else _SHIFTS)
    best: Fall | None = None
    least = np.inf
    for start, stop in product(starts, stops):
        span = (float(max(start, 0.0)), float(min(stop, duration)))
        if span[1] - span[0] < _SHORTEST:
            continue
        fall = falling_root(control, offset, duration, [span])
        price = fall.cost + ((span[0] - flight[0]) / _LATER) ** 2 + ((span[1] - flight[1]) / _LATER) ** 2
        if price < least:
            best, least = fall, price
    return best or falling_root(control, offset, duration, [flight])


@lru_cache(maxsize=64)
def path_rows(count: int, duration: float) -> tuple[Array, Array, Array]:
    """Return the basis and its first two derivatives (S, n) at `sample_times`."""
    basis, times = SplineBasis.uniform(0.0, duration, count), sample_times(duration, count)
    return basis.matrix(times), basis.matrix(times, 1), basis.matrix(times, 2)


_PUSH = 0.5  # N/kg, unexplained push on the ground that counts as much as
_NEAR_GROUND = 0.03  # m of displacement, or
_BEND_GROUND = 2.0  # m/s^2 of change of acceleration
_STEPS, _STEPS_GROUND, _SMALL = 6, 3, 1e-3
"""Steps at most, in flights and with soles, and the displacement in m or rad of a step that is the last."""
_SCALES = np.array([1.0, 1.0, 1.0, ARM, ARM, ARM])


class Soles(NamedTuple):
    """The soles at the S `sample_times` of a path.

    points, normals: (S, 6, 3) the `PUSH_POINTS` in m, and the normals of the ground under them. pushing: (S, 6) which
    points may push. centre: (S, 3) the centre of mass in m.
    """

    points: Array
    normals: Array
    pushing: Flags
    centre: Array


def unpushed_root(
    tree: FigureTree, control: Array, duration: float, flights: Sequence[Span], soles: Soles | None = None
) -> Array:
    """Return the coefficients (n, 6) of the root nearest to a path's on which nothing pushes the body in flights.

    control: (n, 44) spline coefficients of the joint values of the tree on equal pieces. flights: within [0, duration].
    soles: on the ground, the part of the push that they cannot give is made small, too, where one of them may push.
    """
    times, orders = sample_times(duration, len(control)), path_rows(len(control), duration)
    aloft = np.any([(times >= start) & (times <= stop) for start, stop in flights], axis=0) & np.ones(len(times), bool)
    stands = ~aloft & (np.zeros(len(times), bool) if soles is None else soles.pushing.any(axis=1))
    inner, roots = slice(2, -2), HUMAN.root_dofs
    count = len(control) - 4
    near_by, bend_by = (NEAR, BEND) if soles is None else (_NEAR_GROUND, _BEND_GROUND)
    near = np.kron(orders[0][:, inner] / near_by, np.diag(_SCALES))
    bend = np.kron(orders[2][~aloft, inner] / bend_by, np.diag(_SCALES))
    found = control.copy()
    stay = np.zeros(count * roots)
    for _ in range(_STEPS if soles is None else _STEPS_GROUND):
        rows, wanted = [near, bend], [-near @ stay, -bend @ stay]
        for chosen, size in ((aloft, FREE), (stands, _PUSH)):
            if not chosen.any():
                continue
            wrench, slopes = _wrench(tree, [each[chosen] @ found for each in orders])
            if chosen is stands and soles is not None:
                part = Soles(*(each[chosen] for each in soles))
                moved = orders[0][chosen, inner] @ stay.reshape(count, roots)[:, :3]
                wrench, slopes = _unexplained(tree, orders[0][chosen] @ found, part, moved, wrench, slopes)
            by_path = sum(
                np.einsum("sij,sc->sicj", slope, each[chosen, inner])
                for slope, each in zip(slopes, orders, strict=True)
            )
            rows.append(np.asarray(by_path).reshape(-1, count * roots) / size)
            wanted.append(-wrench.ravel() / size)
        step = least_squares(np.concatenate(rows), np.concatenate(wanted)[:, None])[:, 0]
        stay += step
        found[inner, :roots] = control[inner, :roots] + stay.reshape(count, roots)
        if np.abs(step).max() < _SMALL:
            break
    return found[:, :roots]


def _wrench(tree: FigureTree, motion: Sequence[Array]) -> tuple[Array, list[Array]]:
    """Return the wrench (S, 6) on the root and its derivatives by root values, rates and accelerations, (S, 6, 6).

    motion: joint values, rates and accelerations (S, 44). Per kg of body mass, moments by the arm that they count as.
    """
    root = slice(HUMAN.root_dofs)
    tau, slopes = inverse_dynamics_jacobians(tree.tree, *motion)
    scale = 1.0 / (tree.figure.mass * _SCALES)
    return scale * tau[:, root], [scale[:, None] * slope[:, root, root] for slope in slopes]


def _unexplained(
    tree: FigureTree, q: Array, soles: Soles, moved: Array, wrench: Array, slopes: Sequence[Array]
) -> tuple[Array, list[Array]]:
    """Return the part of a wrench on the root that soles cannot give, and its derivatives, as `_wrench` does.

    q: (S, 44). moved: (S, 3) how far the root has moved since the soles were measured, in m. The edges of the friction
    cones that the best push uses are taken to stay in use.
    """
    places = forward_kinematics(tree.tree, q)
    turns = HUMAN.ball_dofs[0]
    axes = np.einsum("sjik,jk->sji", places.rotations[:, turns], tree.tree.axes[turns])
    centre = soles.centre + moved
    # from the forces on the root's coordinates to the wrench about the centre of mass, along the world's axes
    to_world = np.zeros((len(q), 6, 6))
    to_world[:, :3, :3] = np.eye(3)
    to_world[:, 3:, :3] = _cross(places.positions[:, turns[-1]] - centre) / ARM
    to_world[:, 3:, 3:] = np.linalg.inv(axes)
    needed = np.einsum("sij,sj->si", to_world, wrench)
    by_root = [to_world @ slope for slope in slopes]
    pushes, used = np.zeros_like(needed), np.zeros((len(q), 6, 6))
    for s, edges in enumerate(push_edges(soles.points, soles.normals, centre, soles.pushing)):
        strengths = best_push(edges, needed[s])
        if edges is not None and strengths.any():
            pushes[s] = edges @ strengths
            chosen = edges[:, strengths > 0.0]
            used[s, :, : chosen.shape[1]] = chosen
    # the arms of the push change as the root moves
    by_root[0][:, 3:, :3] -= _cross(pushes[:, :3]) / ARM
    left = np.eye(6) - used @ np.linalg.pinv(used)
    return needed - pushes, [left @ slope for slope in by_root]


def _cross(vectors: Array) -> Array:
    """Return the matrices (..., 3, 3) of cross products with vectors (..., 3)."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    nothing = np.zeros_like(x)
    rows = [[nothing, -z, y], [z, nothing, -x], [-y, x, nothing]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
