"""A root that is pushed as the ground can: free fall in flights, and feet that push from where they stand.

In a flight the wrench on the root is zero: the centre of mass falls, and the angular momentum about it stays what it
was. On the ground, the part of the wrench counts that the soles cannot give. The wrench's derivatives by the six
coordinates of the root and by their rates are exact, so that a few steps of Gauss and Newton suffice. Elsewhere the
displacement of the root is small and smooth. Value and velocity stay at both ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from segue.body.human import HUMAN
from segue.dynamics import FigureTree, forward_kinematics, inverse_dynamics_jacobians
from segue.dynamics.ground_push import ARM, best_push, push_edges
from segue.spacetime.ballistics import BEND, FREE, NEAR, Span, least_squares, path_rows, sample_times
from segue.typing import Array, Flags

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
