"""The one solve: minimise an objective over a gap, within limits and holds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from segue.body.human import HUMAN
from segue.compiled import Ref
from segue.curves.bspline import SplineBasis
from segue.spacetime._descent_kernels import CONVERGED, ITERATIONS, STALLED, STOPPED, descend
from segue.spacetime._energy_kernels import whole_energy
from segue.spacetime._limit_kernels import balls_outside
from segue.spacetime._metric_kernels import apply_metric, metric_of
from segue.spacetime._point_kernels import freeze_ground, freeze_heights, trace_points
from segue.spacetime._problem import Problem
from segue.spacetime.constraints import Usual, clamp_control
from segue.spacetime.descend import Point, Status
from segue.spacetime.descend import descend as descending
from segue.spacetime.gap import Gap
from segue.spacetime.plain import PlainSum
from segue.typing import Array, Ints

STATUS = {
    CONVERGED: Status.CONVERGED,
    ITERATIONS: Status.ITERATIONS,
    STALLED: Status.STALLED,
    STOPPED: Status.STOPPED,
}

_TOLERANCE = 1e-5
_ITERATIONS = 200
_REFRESH, _REFRESH_WITH_POINTS = 20, 8
"""Iterations after which the metric is made anew: sooner where feet come to the floor and leave it."""
_LONG = 1.0
"""Seconds of a gap from which on a calmer start than the Hermite path is looked at."""

_OUTSIDE = np.radians(0.3)
"""By how much control points may be outside limits, in rad; if they are farther, limits get stiffer."""

_TIGHTER, _TIGHTENINGS, _TIGHTENED = 20.0, 2, 3e-4
"""How many times as stiff limits get, how often at most, and the tolerance then."""

_LOOKS, _SAME_HEIGHT = 4, 0.002
"""How often the ground under the feet is looked at anew, and m by which its height may change without another look."""

_TOUCHING = 1e-8
"""rad^2 beyond a limit that do not count."""


@dataclass(frozen=True, eq=False)
class Solution:
    """The result of a solve: unknowns (F, m), and how it went.

    energy: of the path found; start_energy: of the path it began with, in the objective's units, costs of limits,
    ground and holds included. seconds: in the solve alone. status: one of the values of `STATUS`.
    """

    unknowns: Array
    energy: float
    start_energy: float
    iterations: int
    evaluations: int
    seconds: float
    status: str


def solve(
    gap: Gap,
    start: Array | None = None,
    *,
    tolerance: float = _TOLERANCE,
    gained: float = 0.0,
    iterations: int = _ITERATIONS,
    stop: Ints | None = None,
) -> Solution:
    """Return the path of least cost; the best so far where it ends before converging.

    start: unknowns (F, m) to begin with; the cubic Hermite path where not given. tolerance: it has converged when a
    step would gain less than this part of the energy, or of 20 times what has been gained. gained: how much an earlier
    solve has, where this one goes on from it. stop: an array of one number that another thread may set to
    something else than zero to end the solve early.
    """
    began = time.perf_counter()
    problem = gap.problem_ref
    shape = (len(gap.free), gap.coefficients)
    unknowns = np.zeros(shape) if start is None else np.array(start, dtype=float)
    if start is None and gap.duration > _LONG:
        unknowns = _calmer(gap, unknowns)
    counts = np.zeros(2, np.int64)
    halt = np.zeros(1, np.int64) if stop is None else stop
    look_at_ground(gap, unknowns)
    first, value, reason = _descend(gap, problem, unknowns, tolerance, gained, iterations, halt, counts)
    for _ in range(0 if gap.ground is None or gap.ground.is_flat else _LOOKS):
        if reason == STOPPED or look_at_ground(gap, unknowns) < _SAME_HEIGHT:
            break
        _, value, reason = _descend(gap, problem, unknowns, tolerance, gained, iterations, halt, counts)
    return Solution(
        unknowns,
        float(value),
        float(first),
        int(counts[0]),
        int(counts[1]),
        time.perf_counter() - began,
        STATUS[reason].value,
    )


def look_at_ground(gap: Gap, unknowns: Array) -> float:
    """Note the ground under the feet, and how near they are to it, along a path; return by how much it changes, in m.

    Both stay as they are for a whole descent. Level ground never changes.
    """
    changed = 0.0
    if gap.ground is not None and not gap.ground.is_flat and gap.points:
        changed = float(freeze_ground(gap.problem_ref, gap.ground.surface, unknowns))
    if gap.objective.foot > 0 and gap.points:
        freeze_heights(gap.problem_ref, unknowns)
    return changed


def _descend(
    gap: Gap,
    problem: Ref[Problem],
    unknowns: Array,
    tolerance: float,
    gained: float,
    iterations: int,
    stop: Ints,
    counts: Ints,
) -> tuple[float, float, int]:
    """Minimise from unknowns (F, m) on, in place, by the fused kernels alone if there are no terms besides."""
    refresh = _REFRESH_WITH_POINTS if gap.points else _REFRESH
    if not gap.terms:
        first, value, reason = descend(problem, unknowns, tolerance, gained, iterations, refresh, stop, counts)
        return float(first), float(value), int(reason)
    besides = PlainSum(gap, gap.terms)
    besides.check(unknowns)
    shape = unknowns.shape
    points: list[Point] = []

    def energy(flat: Array) -> tuple[float, Array]:
        y, gradient = flat.reshape(shape), np.empty(shape)
        value = whole_energy(problem, y, gradient)
        more, slope = besides.value(y)
        counts[1] += 1
        return float(value) + more, (gradient + slope).ravel()

    def metric(flat: Array) -> Callable[[Array], Array]:
        y = flat.reshape(shape)
        extra, group = besides.curvature(y), gap.problem.group
        parts = range(len(gap.problem.branch))
        factors = [metric_of(problem, part, y, extra.copy()) for part in parts]

        def inverse(gradient: Array) -> Array:
            step = gradient.reshape(shape).copy()
            for part in parts:
                apply_metric(problem, part, factors[part], step[group[part] : group[part + 1]])
            return step.ravel()

        return inverse

    descent = descending(
        energy, metric, unknowns.ravel().copy(), tolerance=tolerance, iterations=iterations, refresh=refresh
    )
    reason = STOPPED
    while True:
        try:
            points = [*points[:1], next(descent)]
        except StopIteration as end:
            reason = next(code for code, status in STATUS.items() if status == end.value)
            break
        counts[0] += 1
        if stop[0] != 0:
            break
    counts[0] -= 1
    unknowns[:] = points[-1].variables.reshape(shape)
    return points[0].value, points[-1].value, reason


def _calmer(gap: Gap, hermite: Array) -> Array:
    """Return the unknowns of the path that smoothness alone likes best, if it costs less than the Hermite path.

    Over a long gap the cubics overshoot: the velocities at the seams carry joints far beyond where they can go.
    """
    calm = -0.5 * gap.problem.linear
    return calm if _energy(gap, gap.problem_ref, calm) < _energy(gap, gap.problem_ref, hermite) else hermite


def _energy(gap: Gap, problem: Ref[Problem], unknowns: Array) -> float:
    """Return what a path costs, by a gap's problem or one with other weights."""
    besides = PlainSum(gap, gap.terms).value(unknowns)[0] if gap.terms else 0.0
    return float(whole_energy(problem, unknowns, np.empty_like(unknowns))) + besides


def own_energy(gap: Gap, unknowns: Array) -> float:
    """Return what a path costs by the objective and the terms besides it, without limits, ground and holds."""
    return _energy(gap, gap.bare_ref, unknowns)


def energy_of(gap: Gap, control: Array) -> float:
    """Return what the path of spline coefficients (k + 4, 44) costs by a gap's objective alone, as for `own_energy`."""
    same = replace(gap, coefficients=len(control) - 4, root=control[:, : HUMAN.root_dofs], limits=False)
    unknowns = _unknowns_of(same, control[2:-2, gap.free].T)
    look_at_ground(same, unknowns)
    return own_energy(same, unknowns)


def tightened(gap: Gap, unknowns: Array) -> Array:
    """Return unknowns whose control points are hardly outside the joints' limits: stiffer ones, if need be.

    A control point far outside that were merely moved inside could cost the path much.
    """
    problem = gap.problem
    for _ in range(_TIGHTENINGS):
        if _farthest_outside(gap, unknowns) < _OUTSIDE:
            break
        problem = problem._replace(stiff=_TIGHTER * problem.stiff)
        unknowns, counts, halt = unknowns.copy(), np.zeros(2, np.int64), np.zeros(1, np.int64)
        _descend(gap, Ref(problem), unknowns, _TIGHTENED, 0.0, _ITERATIONS, halt, counts)
    return unknowns


def strays(gap: Gap, unknowns: Array, usual: Usual) -> float:
    """Return how far, in rad, any joint that is solved for goes at most from what is usual, its margin included."""
    path = gap.modes.sampled[0] @ gap.control(unknowns)
    free = np.zeros(path.shape[1], bool)
    free[gap.free] = True
    angles = path[:, HUMAN.hinge_dofs]
    over = np.maximum(angles - usual.high, usual.low - angles)[:, free[HUMAN.hinge_dofs]]
    far = float(over.max(initial=0.0))
    turns = gap.tree.charts.orientations(path[:, HUMAN.ball_dofs])
    for b in np.flatnonzero(free[HUMAN.ball_dofs[:, 0]]).tolist():
        nearest = np.abs(turns[:, b] @ usual.balls[:, b].T).max(axis=1).min()
        far = max(far, 2.0 * float(np.arccos(min(nearest, 1.0))))
    return far


def finer(gap: Gap, unknowns: Array, finer: Gap) -> Array:
    """Return the unknowns of nearly the same path in a gap that has the same ends and more coefficients."""
    control = _refining(gap.coefficients, finer.coefficients) @ gap.control(unknowns)[:, gap.free]
    return _unknowns_of(finer, control.T)


@lru_cache(maxsize=32)
def _refining(coarse: int, fine: int) -> Array:
    """Return (fine, coarse + 4): the free coefficients of a spline with more pieces, nearest to one with fewer."""
    times = np.linspace(0.0, 1.0, 4 * (fine + 4))
    values = SplineBasis.uniform(0.0, 1.0, coarse + 4).matrix(times)
    return SplineBasis.uniform(0.0, 1.0, fine + 4).fit(times, values)[2:-2]


def within_limits(gap: Gap, unknowns: Array) -> Array:
    """Return unknowns whose control points are all inside the joints' limits, or as far outside as the ends are."""
    problem = gap.problem
    control = problem.control + unknowns @ problem.to_control.T
    low, high = gap.bounds
    clamped = np.clip(control, low[:, None], high[:, None])
    if not np.array_equal(clamped, control):
        unknowns = _unknowns_of(gap, clamped)
    excess = np.empty((len(problem.balls.first), gap.coefficients))
    balls_outside(gap.problem_ref, unknowns, excess)
    if (excess > _TOUCHING).any():
        unknowns = _unknowns_of(gap, clamp_control(clamped, excess > _TOUCHING, gap.free, gap.tree.charts))
    return unknowns


def _farthest_outside(gap: Gap, unknowns: Array) -> float:
    """Return by how much, in rad, any control point is outside its joint's limits."""
    problem = gap.problem
    control = problem.control + unknowns @ problem.to_control.T
    low, high = gap.bounds
    hinges = np.maximum(control - high[:, None], low[:, None] - control).max()
    balls = np.empty((len(problem.balls.first), gap.coefficients))
    balls_outside(gap.problem_ref, unknowns, balls)
    return max(float(hinges), float(np.sqrt(balls.max(initial=0.0))))


def _unknowns_of(gap: Gap, control: Array) -> Array:
    """Return the unknowns (F, m) of control points (F, m)."""
    apart = (control - gap.problem.control).T
    # in rows: numba would compile anew for columns
    return np.ascontiguousarray(np.linalg.solve(gap.problem.to_control, apart).T, dtype=float)


def trace(gap: Gap, unknowns: Array) -> dict[str, Array]:
    """Return where the points that count are at the gap's samples, (S, 3) each, along the path of some unknowns."""
    problem = gap.problem
    if not gap.points:
        return {}
    trace_points(gap.problem_ref, unknowns)
    return {name: problem.points.moving[p, :3].T.copy() for p, name in enumerate(gap.points)}
