"""Plan the recovery from a push: places of the next footsteps and pressure under the feet, by a quadratic program.

The capture point x moves away from the centre of pressure p: x' = w (x - p). The pressure therefore has to correct the
present error of the capture point, discounted by exp(-w t). It corrects a little under the standing foot, and more by
feet that land elsewhere and carry the pressure with them [Herdt2010], [Englsberger2015].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from segue.dance.course.course import Course
from segue.dance.course.revision import AdjustedStep
from segue.dance.course.stands import Foot
from segue.dance.planning.model import Bearing, Footprint, Footstep
from segue.dance.simulation.control.support import HalfPlanes, Support, other_side
from segue.typing import Array

_NONE = 1e-9  # residual below which the constraints are infeasible


def solve_qp(hessian: Array, gradient: Array, rows: Array, least: Array) -> Array | None:
    """Return x (n,) that minimises x' H x / 2 - g' x subject to rows (R, n) @ x >= least (R,); None if infeasible.

    hessian: (n, n) H, positive definite. Its Cholesky factor turns the problem into the shortest vector within
    half-spaces, which non-negative least squares solves exactly [Lawson1974, chapter 23].
    """
    root = np.linalg.cholesky(hessian)
    free = scipy.linalg.solve_triangular(root, gradient, lower=True)
    if not len(rows):
        return np.asarray(scipy.linalg.solve_triangular(root.T, free))
    sides = scipy.linalg.solve_triangular(root, rows.T, lower=True)
    beyond = least - free @ sides
    if np.all(beyond <= 0.0):
        return np.asarray(scipy.linalg.solve_triangular(root.T, free))
    stacked = np.vstack([sides, beyond])
    unit = np.zeros(len(stacked))
    unit[-1] = 1.0
    multipliers, _ = scipy.optimize.nnls(stacked, unit)
    residual = stacked @ multipliers - unit
    if abs(residual[-1]) < _NONE:
        return None
    return np.asarray(scipy.linalg.solve_triangular(root.T, free - residual[:-1] / residual[-1]))


BOTH = 0.1
"""Seconds of double support at least between two fast steps."""

_LANDINGS = (0.16, 0.22, 0.3, 0.4, 0.55)  # s from now, tried landings of a foot in flight
_LIFTS = (0.06, 0.15, 0.3)  # s from now, tried lifts of a standing foot
_QUICK = 0.35  # s, duration of a fast swing
_LEAST_HURRY = 0.08  # s sooner than planned, at least


@dataclass(frozen=True)
class StepTiming:
    """Possible next flights, in order of time.

    unplanned: whether the first flight is not in the plan. sooner: s that feet land before their planned time.
    """

    steps: tuple[Footstep, ...]
    unplanned: bool = False
    sooner: float = 0.0


def step_timings(
    steps: Sequence[Footstep], stands: Mapping[str, Footprint], flying: bool, time: float, earliest: float
) -> Iterator[StepTiming]:
    """Yield alternative timings of the next flights.

    stands: current or last footprint of each foot. flying: whether the first flight is under way. earliest: s when a
    standing foot may lift.
    """
    if flying:
        yield from _sooner_down(steps[0], steps[1:], time)
        return
    for lift in (earliest + later for later in _LIFTS):
        if steps and lift < steps[0].lift:
            land = min(lift + _QUICK, steps[0].land)
            yield StepTiming((_timed(steps[0], lift, land), *steps[1:]), sooner=steps[0].land - land)
        if not steps or lift + _QUICK + 2.0 * BOTH < steps[0].lift:
            for side, where in stands.items():
                yield StepTiming((_recovery(side, where, lift, steps), *steps), unplanned=True)


def _sooner_down(first: Footstep, others: Sequence[Footstep], time: float) -> Iterator[StepTiming]:
    """Yield timings in which the flying foot lands sooner, and the other foot lifts as planned or sooner too."""
    for land in (time + later for later in _LANDINGS):
        if land >= first.land - _LEAST_HURRY:
            return
        hurried = _timed(first, first.lift, land)
        yield StepTiming((hurried, *others), sooner=first.land - land)
        again = land + BOTH
        if others and others[0].foot != first.foot and again + _QUICK < others[0].land:
            second = _timed(others[0], again, again + _QUICK)
            yield StepTiming((hurried, second, *others[1:]), sooner=others[0].land - second.land)


def _timed(step: Footstep, lift: float, land: float) -> Footstep:
    return replace(step, lift=lift, land=land, settled=land + step.settled - step.land)


def _recovery(side: str, where: Footprint, lift: float, steps: Sequence[Footstep]) -> Footstep:
    """Return an unplanned step that ends where it begins; the quadratic program shifts it."""
    land, number = lift + _QUICK, steps[0].step if steps else -1
    return Footstep(side, where, where, lift, land, land, Bearing.FLAT, Bearing.FLAT, True, number)


_KNOTS = np.concatenate([np.arange(0.0, 0.3, 0.03), np.arange(0.3, 3.0, 0.08)])  # s from now
_SHORTEST = 0.02  # s between the last two knots
_AFTERWARDS = 0.7  # s after the last landing, end of the horizon
# costs of: extra pressure now, and after the next landing, when it is kept as a reserve (per m^2 s);
# shifted footsteps, changed strides, and a remaining error of the capture point (per m^2)
_PRESSING, _PRESSING_LATER, _SHIFTING, _STRIDING, _STRAYING = 1.0, 30.0, 2.0, 2.0, 3e3
_ROUNDS = 2  # of alternation between footsteps and the support that they give
_LONGEST, _WIDEST = 0.78, 0.6  # of the leg length: longest stride forward or back, and to the side
_NARROWEST = 0.4  # of the foot length: least sideways distance of the feet
_ACCELERATION = 30.0  # m/s^2 of a foot in flight
_LEAST_JERK = 5.77  # largest acceleration on a path of least jerk, in lengths per duration^2


@dataclass(frozen=True, eq=False)
class RecoveryState:
    """The state from which a recovery is planned.

    stands: current or last footprint of each foot. soles: (2,) floor point below the middle of each sole. error: (2,) m
    of the capture point from its course.
    """

    course: Course
    time: float
    stands: Mapping[str, Footprint]
    soles: Mapping[str, Array]
    error: Array

    @property
    def foot(self) -> Foot:
        """The dancer's foot."""
        return next(iter(self.course.feet.values())).foot


@dataclass(frozen=True, eq=False)
class RecoveryPlan:
    """A solution: shifts (n, 2) of each footstep, and extra pressure `pressing` (N, 2) at times (N,).

    left: (2,) m, remaining error of the capture point. cost: of the program.
    """

    prospect: StepTiming
    shifts: Array
    times: Array
    pressing: Array
    left: Array
    cost: float


def recovery_plan(prospect: StepTiming, now: RecoveryState) -> RecoveryPlan | None:
    """Return the plan of least cost for a timing of the steps; None if the timing is infeasible."""
    steps, course, error = prospect.steps, now.course, now.error
    edges = _edges(steps, now)
    lasting, times = np.diff(edges), 0.5 * (edges[1:] + edges[:-1])
    ticks = [course.tick(float(time)) for time in times]
    pressure = course.mass_centre.pressure[ticks]
    discount = np.concatenate([[1.0], np.cumprod(np.exp(-course.mass_centre.pace[ticks] * lasting))])
    support = Support(now.foot, now.stands, steps)
    mixes = support.mixes(times, pressure)
    # correction of the error per unit of extra pressure, and per unit of each footstep's shift
    weights = discount[:-1] - discount[1:]
    makes_good = np.concatenate([weights, weights @ mixes + discount[-1] * mixes[-1]])
    count, off = len(times), np.array([_off(step) for step in steps]).reshape(-1, 2)
    later = times > (steps[0].land if steps else np.inf)
    places = _places(len(steps))
    square = _STRAYING * np.outer(makes_good, makes_good)
    square[:count, :count] += np.diag(np.where(later, _PRESSING_LATER, _PRESSING) * lasting)
    square[count:, count:] += places
    linear = _STRAYING * np.outer(makes_good, error)
    linear[count:] -= places @ off
    hessian: Array = np.kron(square, np.eye(2)).astype(np.float64)
    bounds, shifts = _within_reach(prospect, now), np.zeros((len(steps), 2))
    for _ in range(_ROUNDS if steps else 1):
        rows, least = _limits(support.room(times, pressure + mixes @ shifts, shifts), bounds)
        solved = solve_qp(hessian, linear.ravel(), rows, least)
        if solved is None:
            return None
        found = solved.reshape(-1, 2)
        shifts = found[count:]
    spent = ((square @ found - 2.0 * linear) * found).sum() + _STRAYING * error @ error + ((places @ off) * off).sum()
    return RecoveryPlan(prospect, shifts, times, found[:count], error - makes_good @ found, float(spent))


def _edges(steps: tuple[Footstep, ...], now: RecoveryState) -> Array:
    """Return the edges, s, of the intervals of constant extra pressure."""
    stop = min((steps[-1].land if steps else now.time) + _AFTERWARDS, now.time + float(_KNOTS[-1]))
    knots = now.time + _KNOTS
    return np.append(knots[knots < stop - _SHORTEST], stop)


def _places(count: int) -> Array:
    """Return the hessian of the cost of shifted footsteps and of changed strides."""
    strides = np.eye(count) - np.eye(count, k=-1)
    hessian: Array = _SHIFTING * np.eye(count) + _STRIDING * strides.T @ strides
    return hessian


def _off(step: Footstep) -> tuple[float, float]:
    """Return the present shift (x, z) of a footstep from its planned place."""
    if not isinstance(step, AdjustedStep) or step.planned is None:
        return 0.0, 0.0
    return step.end.x - step.planned.end.x, step.end.z - step.planned.end.z


def _limits(room: list[HalfPlanes], bounds: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return rows (R, 2N + 2n) and least values (R,) of all constraints on pressing (N, 2) and shifts (n, 2)."""
    ends = np.cumsum([len(each.bounds) for each in room])
    rows = np.zeros((int(ends[-1]) + len(bounds[1]), 2 * len(room) + bounds[0].shape[1]))
    for k, (end, each) in enumerate(zip(ends, room, strict=True)):
        rows[end - len(each.bounds) : end, 2 * k : 2 * k + 2] = -each.normals
    rows[int(ends[-1]) :, 2 * len(room) :] = bounds[0]
    return rows, np.concatenate([*(-each.bounds for each in room), bounds[1]])


def _within_reach(prospect: StepTiming, now: RecoveryState) -> tuple[Array, Array]:
    """Return rows (R, 2n) @ shifts >= least (R,): reach of the legs, no foot on the other, bounded acceleration.

    A planned step is always allowed. A step with less time must respect the largest acceleration of a foot.
    """
    steps, leg = prospect.steps, now.course.legs.length
    rows: list[Array] = []
    least: list[float] = []

    def keep(axis: Array, planned: float, low: float, high: float, moves: int, stays: int | None) -> None:
        for sign, room in ((1.0, planned - low), (-1.0, high - planned)):
            row = np.zeros((len(steps), 2))
            row[moves] = sign * axis
            if stays is not None:
                row[stays] -= sign * axis
            rows.append(row.ravel())
            least.append(-room)

    prints, last = dict(now.stands), dict[str, int]()
    for i, step in enumerate(steps):
        other = other_side(step.foot)
        stance, end = prints[other], np.array([step.end.x, step.end.z])
        ahead = np.array([np.sin(stance.heading), np.cos(stance.heading)])
        aside = np.array([ahead[1], -ahead[0]]) * (1.0 if step.foot == "left" else -1.0)
        away = end - np.array([stance.x, stance.z])
        for axis, low, high in (
            (ahead, -_LONGEST * leg, _LONGEST * leg),
            (aside, _NARROWEST * now.foot.length, _WIDEST * leg),
        ):
            planned = float(axis @ away)
            keep(axis, planned, min(low, planned), max(high, planned), i, last.get(other))
        if i == 0:
            farthest = _ACCELERATION * (step.land - max(now.time, step.lift)) ** 2 / _LEAST_JERK
            for axis in (ahead, aside):
                planned = float(axis @ (end - now.soles[step.foot]))
                most = farthest if prospect.sooner > 0.0 else max(farthest, abs(planned))
                keep(axis, planned, -most, most, i, None)
        prints[step.foot], last[step.foot] = step.end, i
    return np.array(rows).reshape(len(least), 2 * len(steps)), np.array(least)
