"""Autonomic motor program: adjusted steps. Who is pushed, or slips, puts feet elsewhere or sooner than planned.

It sleeps until the body is surprised: by a push that neither floor nor partner explains, or by a capture point that is
farther astray than any dance brings it. Then it looks, time and again, for the least change of footsteps that brings
the capture point back, until all is well.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from segue.dance.planning.model import Footstep
from segue.dance.simulation.control import balance
from segue.dance.simulation.control.amending import added_pressure, amended
from segue.dance.simulation.control.body_controller import Sensed
from segue.dance.simulation.control.footholds import Answer, Situation, answer_of
from segue.dance.simulation.control.positions import PositionProgram
from segue.dance.simulation.control.prospects import BOTH, Prospect, prospects
from segue.dance.simulation.control.yielding import Yielding
from segue.dance.simulation.course.course import TICK, Course
from segue.dance.simulation.course.revised import revised
from segue.dance.simulation.flesh import SOLE_POINTS
from segue.typing import Array

_SURPRISE = 0.015  # m/s that the body's speed is changed by what is not explained
_FORGETTING = 0.5  # s
_ALERT = 2.5  # s after a surprise in which steps may be adjusted
_FAR_ASTRAY = 0.08  # m of the capture point from its course, which is a surprise too
_ASTRAY = 0.025  # m that are left to ankles and hips
_EVERY = 10  # ticks between two looks
_FROZEN = 0.08  # s before its landing in which a foot does not change its way any more
_LOOKED_AT = 3  # flights that a prospect reckons with
_WITHIN = 2.0  # s from now that these begin
_GOOD, _NEAR = 0.015, 0.08  # m left astray, and of shifts, for which no other timing is looked for
_HURRY, _UNPLANNED = 0.5, 0.3  # cost of landing sooner than planned, per s^2, and of a step that is not planned
_NOTED = 0.004  # m: a smaller shift is not worth a change


class Adjuster:
    """Watches one dancer; course: as revised so far."""

    def __init__(self, course: Course, feet: Mapping[str, PositionProgram], gravity: float) -> None:
        self.course, self._feet, self._gravity = course, feet, gravity
        self._yielding = Yielding()
        self._pushed = np.zeros(2)
        self._alert = -np.inf
        self._next = 0.0

    @property
    def uprightness(self) -> float:
        """How much it matters that the trunk is upright, 0 to 1."""
        return self._yielding.share

    def revise(self, time: float, sensed: Sensed, unexplained: Array) -> Course | None:
        """Return another course if one is needed, None otherwise.

        unexplained: (3,) m/s, the change of the body's speed since last that nothing explains.
        """
        self._pushed *= 1.0 - TICK / _FORGETTING
        self._pushed += unexplained[[0, 2]]
        error, pressure = balance.needed_pressure(self.course, self.course.tick(time), sensed.centre, sensed.velocity)
        astray = float(np.hypot(*error))
        if np.hypot(*self._pushed) > _SURPRISE or astray > _FAR_ASTRAY:
            self._alert = time + _ALERT
        if time > self._alert:
            self._yielding.straighten()
            return None
        bears = np.repeat([not program.swinging for program in self._feet.values()], SOLE_POINTS)
        self._yielding.give_way(pressure, sensed.points[bears][:, [0, 2]])
        if astray < _ASTRAY or time < self._next:
            return None
        self._next = time + _EVERY * TICK
        return self._better(time, sensed, error)

    def _better(self, time: float, sensed: Sensed, error: Array) -> Course | None:
        steps = self._coming(time)
        if steps and steps[0].lift <= time > steps[0].land - _FROZEN:
            return None
        now = Situation(
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
        after = amended(best, steps, coming, now)
        added = added_pressure(best, after, now)
        self.course = revised(self.course, [*done, *after.footsteps], time, sensed.centre, added, self._gravity)
        return self.course

    def _coming(self, time: float) -> list[Footstep]:
        """Return the flights that are under way or come next."""
        swings = [swing.step for program in self._feet.values() for swing in program.course.swings[program.stand :]]
        near = (step for step in swings if step.lift < time + _WITHIN)
        return sorted(near, key=lambda step: step.lift)[:_LOOKED_AT]

    def _best(self, steps: list[Footstep], now: Situation) -> Answer | None:
        """Return the answer of least cost, None if ankles and hips are enough."""
        plain = answer_of(Prospect(tuple(steps)), now)
        if plain is None:
            return None
        farthest = float(np.abs(plain.shifts).max(initial=0.0))
        if np.hypot(*plain.left) <= _GOOD and farthest <= _NEAR:
            return plain if farthest > _NOTED else None
        best, least = plain, plain.cost
        flying = bool(steps) and self._feet[steps[0].foot].swinging
        earliest = max([now.time, *(_landing(program) + BOTH for program in self._feet.values())])
        for prospect in prospects(steps, now.stands, flying, now.time, earliest):
            other = answer_of(prospect, now)
            if other is not None:
                cost = other.cost + _HURRY * prospect.sooner**2 + _UNPLANNED * prospect.unplanned
                if cost < least:
                    best, least = other, cost
        return best if best is not plain or farthest > _NOTED else None

    def _is_done(self, step: Footstep, time: float) -> bool:
        """Whether a footstep is over; one in flight is so when it has landed, whatever the time."""
        if step.land == step.lift:
            return step.land <= time
        program = self._feet[step.foot]
        return any(swing.step is step for swing in program.course.swings[: program.stand])


def _landing(program: PositionProgram) -> float:
    """Return when a foot came to where it stands, or was to, s."""
    return program.course.swings[program.stand - 1].step.land if program.stand > 0 else -np.inf
