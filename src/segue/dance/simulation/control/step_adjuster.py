"""Adjust footsteps after a push: choose new places and times, and lower the weight of the trunk task.

The adjuster is inactive until a force acts that neither floor nor partner explains, or until the capture point is
farther from its course than any dance brings it. Then it searches repeatedly for the smallest change of footsteps that
returns the capture point to its course.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from segue.dance.body.shapes import SOLE_POINTS
from segue.dance.course.course import TICK, Course
from segue.dance.course.revision import AdjustedStep, revise_course
from segue.dance.planning.model import Footprint, Footstep
from segue.dance.simulation.assistance import outside_hull
from segue.dance.simulation.control.body_controller import Sensed
from segue.dance.simulation.control.foot_programs import FootProgram
from segue.dance.simulation.control.motor_programs import needed_pressure
from segue.dance.simulation.control.recovery import (
    BOTH,
    RecoveryPlan,
    RecoveryState,
    StepTiming,
    recovery_plan,
    step_timings,
)
from segue.dance.simulation.control.support import Support
from segue.typing import Array

_HALF_UPRIGHT = 0.01  # m outside of the support, at which the weight is halved
_LEAST_UPRIGHT = 0.4
_STRAIGHTENING = 0.6  # s in which the full weight returns


class TrunkWeight:
    """Weight of the upright trunk: lower while balance needs pressure outside of the feet.

    A rotating trunk takes up angular momentum, which acts for a short time as pressure outside the soles would: the hip
    strategy [Horak1986]. share: 0 to 1.
    """

    def __init__(self) -> None:
        self.share = 1.0

    def give_way(self, pressure: Array, points: Array) -> None:
        """Lower the weight for a needed pressure (2,) and floor points (P, 2) that bear."""
        share = _LEAST_UPRIGHT
        if len(points):
            far = float(np.hypot(*outside_hull(pressure, points)))
            share = max(_LEAST_UPRIGHT, 1.0 / (1.0 + (far / _HALF_UPRIGHT) ** 2))
        self.share = min(share, self.share + TICK / _STRAIGHTENING)

    def straighten(self) -> None:
        """Raise the weight again."""
        self.share = min(1.0, self.share + TICK / _STRAIGHTENING)


_RETURN = 0.06  # m by which each later step returns to its planned place
_SETTLED = 2.0  # s after the last shifted landing, when the course is as planned again
_MIX_EVERY = 10  # ticks between samples of the foot that bears


@dataclass(frozen=True, eq=False)
class RevisedSteps:
    """Later footsteps after a revision.

    flights: the footsteps with flight, at their old places but new times. shifts: (n, 2) m, of the flights.
    """

    footsteps: tuple[Footstep, ...]
    flights: tuple[Footstep, ...]
    shifts: Array


def revise_steps(
    answer: RecoveryPlan, steps: Sequence[Footstep], coming: Sequence[Footstep], now: RecoveryState
) -> RevisedSteps:
    """Return the later footsteps of the dance after a recovery plan, in order.

    steps: the flights for which the plan was found. coming: all later footsteps of the dance. Footsteps after the
    plan's own keep their places relative to it at first, and return to the original plan step by step.
    """
    ahead = answer.prospect.steps
    inserted = list(ahead[: int(answer.prospect.unplanned)])
    number = {id(step): k for k, step in enumerate([*inserted, *steps])}
    prints, offs = dict(now.stands), {side: np.zeros(2) for side in now.stands}
    shift = np.zeros(2)
    footsteps: list[Footstep] = []
    flights: list[Footstep] = []
    shifts: list[Array] = []
    for step in sorted([*inserted, *coming], key=lambda each: each.lift):
        new, k = step, number.get(id(step))
        if k is not None:
            shift, new = answer.shifts[k], ahead[k]
        elif step.land > step.lift:
            shift = shift * max(0.0, 1.0 - _RETURN / max(float(np.hypot(*shift)), _RETURN))
        if step.land > step.lift:
            offs[step.foot] = shift
            flights.append(new)
            shifts.append(shift)
        # a pivot keeps its planned angle at the shifted place
        start = prints[step.foot] if step.land > step.lift else _moved(step.start, offs[step.foot])
        end = _moved(step.end, offs[step.foot])
        if end != step.end or start != step.start or new is not step:
            new = _adjusted(new, start, end, None if any(step is each for each in inserted) else step)
        prints[step.foot] = end
        footsteps.append(new)
    return RevisedSteps(tuple(footsteps), tuple(flights), np.array(shifts).reshape(-1, 2))


def _moved(place: Footprint, off: Array) -> Footprint:
    return Footprint(place.x + off[0], place.z + off[1], place.heading)


def _adjusted(step: Footstep, start: Footprint, end: Footprint, before: Footstep | None) -> AdjustedStep:
    values = {each.name: getattr(step, each.name) for each in fields(Footstep)}
    planned = before.planned if isinstance(before, AdjustedStep) else before
    return AdjustedStep(**{**values, "start": start, "end": end}, planned=planned)


def added_pressure(answer: RecoveryPlan, after: RevisedSteps, now: RecoveryState) -> Array:
    """Return the change (W, 2) of the pressure from now on, per tick, until the course is as planned again."""
    course, stop = now.course, float(now.course.times[-1])
    still = np.flatnonzero(after.shifts.any(axis=1))
    last = int(still[-1]) + 1 if len(still) else 0
    if last < len(after.flights):
        stop = min(stop, after.flights[last].land + _SETTLED)
    looked = np.arange(now.time, max(stop, now.time + TICK) + _MIX_EVERY * TICK, _MIX_EVERY * TICK)
    pressure = course.mass_centre.pressure[[course.tick(float(time)) for time in looked]]
    carried = Support(now.foot, now.stands, after.flights).mixes(looked, pressure) @ after.shifts
    times = course.times[course.tick(now.time) : course.tick(stop) + 1]
    ends = np.append(answer.times, answer.times[-1] + _MIX_EVERY * TICK)
    pressing = np.concatenate([answer.pressing, np.zeros((1, 2))])
    return np.stack(
        [np.interp(times, looked, carried[:, k]) + np.interp(times, ends, pressing[:, k]) for k in range(2)], axis=1
    )


_SURPRISE = 0.015  # m/s of unexplained change of velocity
_FORGETTING = 0.5  # s
_ALERT = 2.5  # s after a push in which steps may be adjusted
_FAR_ASTRAY = 0.08  # m of capture point error that counts as a push too
_ASTRAY = 0.025  # m of capture point error that ankles and hips correct alone
_EVERY = 10  # ticks between two searches
_FROZEN = 0.08  # s before its landing in which a foot is not redirected any more
_LOOKED_AT = 3  # flights that the search considers
_WITHIN = 2.0  # s from now in which these begin
_GOOD, _NEAR = 0.015, 0.08  # m of remaining error, and of shifts, for which no other timing is tried
_HURRY, _UNPLANNED = 0.5, 0.3  # cost of landing sooner than planned, per s^2, and of a step that is not planned
_NOTED = 0.004  # m: smaller shifts are ignored


class Adjuster:
    """Adjusts the footsteps of one dancer; course: the latest revision."""

    def __init__(self, course: Course, feet: Mapping[str, FootProgram], gravity: float) -> None:
        self.course, self._feet, self._gravity = course, feet, gravity
        self._trunk_weight = TrunkWeight()
        self._pushed = np.zeros(2)
        self._alert = -np.inf
        self._next = 0.0

    @property
    def uprightness(self) -> float:
        """Weight of the upright trunk, 0 to 1."""
        return self._trunk_weight.share

    def revise(self, time: float, sensed: Sensed, unexplained: Array) -> Course | None:
        """Return a revised course, or None if none is needed.

        unexplained: (3,) m/s, unexplained change of the body's velocity since the last tick.
        """
        self._pushed *= 1.0 - TICK / _FORGETTING
        self._pushed += unexplained[[0, 2]]
        error, pressure = needed_pressure(self.course, self.course.tick(time), sensed.centre, sensed.velocity)
        astray = float(np.hypot(*error))
        if np.hypot(*self._pushed) > _SURPRISE or astray > _FAR_ASTRAY:
            self._alert = time + _ALERT
        if time > self._alert:
            self._trunk_weight.straighten()
            return None
        bears = np.repeat([not program.swinging for program in self._feet.values()], SOLE_POINTS)
        self._trunk_weight.give_way(pressure, sensed.points[bears][:, [0, 2]])
        if astray < _ASTRAY or time < self._next:
            return None
        self._next = time + _EVERY * TICK
        return self._better(time, sensed, error)

    def _better(self, time: float, sensed: Sensed, error: Array) -> Course | None:
        steps = self._coming(time)
        if steps and steps[0].lift <= time > steps[0].land - _FROZEN:
            return None
        now = RecoveryState(
            self.course,
            time,
            {side: program.course.stands[program.stand].reached(time) for side, program in self._feet.items()},
            {side: sensed.soles[k, 0, [0, 2]] for k, side in enumerate(self._feet)},
            error,
        )
        best = self._best(steps, now)
        if best is None:
            return None
        coming = [step for step in self.course.footsteps if not self._is_done(step, time)]
        done = [step for step in self.course.footsteps if self._is_done(step, time)]
        after = revise_steps(best, steps, coming, now)
        added = added_pressure(best, after, now)
        self.course = revise_course(self.course, [*done, *after.footsteps], time, sensed.centre, added, self._gravity)
        return self.course

    def _coming(self, time: float) -> list[Footstep]:
        """Return the current and the next flights."""
        swings = [swing.step for program in self._feet.values() for swing in program.course.swings[program.stand :]]
        near = (step for step in swings if step.lift < time + _WITHIN)
        return sorted(near, key=lambda step: step.lift)[:_LOOKED_AT]

    def _best(self, steps: list[Footstep], now: RecoveryState) -> RecoveryPlan | None:
        """Return the recovery plan of least cost, None if ankles and hips are enough."""
        plain = recovery_plan(StepTiming(tuple(steps)), now)
        if plain is None:
            return None
        farthest = float(np.abs(plain.shifts).max(initial=0.0))
        if np.hypot(*plain.left) <= _GOOD and farthest <= _NEAR:
            return plain if farthest > _NOTED else None
        best, least = plain, plain.cost
        flying = bool(steps) and self._feet[steps[0].foot].swinging
        earliest = max([now.time, *(_landing(program) + BOTH for program in self._feet.values())])
        for prospect in step_timings(steps, now.stands, flying, now.time, earliest):
            other = recovery_plan(prospect, now)
            if other is not None:
                cost = other.cost + _HURRY * prospect.sooner**2 + _UNPLANNED * prospect.unplanned
                if cost < least:
                    best, least = other, cost
        return best if best is not plain or farthest > _NOTED else None

    def _is_done(self, step: Footstep, time: float) -> bool:
        """Whether a footstep is over; a flight is over when the foot has landed, whatever the time."""
        if step.land == step.lift:
            return step.land <= time
        program = self._feet[step.foot]
        return any(swing.step is step for swing in program.course.swings[: program.stand])


def _landing(program: FootProgram) -> float:
    """Return the time, s, of the last planned landing of a foot."""
    return program.course.swings[program.stand - 1].step.land if program.stand > 0 else -np.inf
