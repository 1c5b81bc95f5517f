"""Watching a simulated dance: where feet land and slip, and whether momentum is accounted for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from segue.dance.planning.model import Footstep
from segue.dance.simulation._contact_kernels import farthest_slid, slide_on, unexplained_force
from segue.dance.simulation.contact_shapes import AXIS_POINT, SOLE_POINTS
from segue.dance.simulation.control.body_controller import Sensed
from segue.dance.simulation.control.foot_programs import PositionProgram
from segue.dance.simulation.course.course import TICK
from segue.dance.simulation.course.revised import AdjustedStep
from segue.dance.simulation.result import Landing, Outside
from segue.typing import Array

_BEARS = 3.0  # N: a point that bears less may move
_SETTLED = 0.05  # s after a foot has rolled flat, when its place is measured


class _Foot:
    """What is watched of one foot."""

    def __init__(self, number: int, program: PositionProgram) -> None:
        self.program = program
        self.points = slice(SOLE_POINTS * number, SOLE_POINTS * (number + 1))
        # what slides where the foot pivots: all but the point that is its axis
        self.sliding = [p for p in range(self.points.start, self.points.stop) if p != self.points.start + AXIS_POINT]
        self.number, self.stand = number, 0
        self.measured = True

    def due(self) -> Footstep:
        """Return the footstep that ended in the stand under way."""
        return self.program.course.swings[self.stand - 1].step

    def planned(self) -> Footstep | None:
        """Return what that footstep was planned to be; None for one that was not."""
        step = self.due()
        return step.planned if isinstance(step, AdjustedStep) else step


class Observer:
    """Takes note, tick by tick, of what a report tells."""

    def __init__(self, programs: dict[str, PositionProgram], mass: float, gravity: float) -> None:
        self._feet = [_Foot(k, program) for k, program in enumerate(programs.values())]
        self._mass, self._weight = mass, mass * gravity
        self._momentum: Array | None = None
        self._misses: list[float] = []
        self._asked = 0
        self._applied = 0.0
        self._slid = np.zeros((len(self._feet) * SOLE_POINTS, 3))
        self.landings: list[Landing] = []
        self.unplanned = 0
        self.slip = 0.0

    @property
    def outside(self) -> Outside:
        """What acted from outside, other than gravity, floor and pushes."""
        return Outside(self._applied, float(np.sqrt(np.mean(np.square(self._misses or [0.0])))))

    def feel(self, time: float, sensed: Sensed, forces: Array) -> None:
        """Take note of landings and slips; forces: (12,) the normal ones, N."""
        slide_on(self._slid, sensed.slides, forces, _BEARS, TICK)
        for foot in self._feet:
            program = foot.program
            if program.stand != foot.stand:
                foot.stand = program.stand
                foot.measured = False
                self._slid[foot.points] = 0.0
                self._note(foot, time)
            if program.swinging:
                self._slid[foot.points] = 0.0
            elif program.pivot is not None:
                self._slid[foot.sliding] = 0.0
            if not program.swinging and not foot.measured and self._stands(foot, time):
                foot.measured = True
                self._measure(foot, time, sensed.soles[foot.number, 0])
        self.slip = max(self.slip, farthest_slid(self._slid, forces, _BEARS))

    def _note(self, foot: _Foot, time: float) -> None:
        """Take note of a foot that has just landed."""
        planned = foot.planned()
        if planned is None:
            self.unplanned += 1
        else:
            self.landings.append(Landing(planned, time - planned.land, None, foot.due() is not planned))

    @staticmethod
    def _stands(foot: _Foot, time: float) -> bool:
        """Whether a foot that landed has rolled to where it bears."""
        stand = foot.program.course.stands[foot.stand]
        landed = max([foot.program.landed, *(roll.stop for roll in stand.rolls[:1])])
        return time > landed + _SETTLED and stand.pitch(time)[1] == 0.0

    def _measure(self, foot: _Foot, time: float, sole: Array) -> None:
        course = foot.program.course
        stand = course.stands[foot.stand]
        ahead, _ = course.foot.sole_middle(stand.pitch(time)[0])
        wanted = course.foot.on_floor(stand.footprint(time), float(ahead))
        planned, done = foot.planned(), foot.due()
        if planned is None:
            return
        aside = np.array([planned.end.x - done.end.x, planned.end.z - done.end.z])
        miss = float(np.hypot(*(sole[[0, 2]] - wanted - aside)))
        for k in range(len(self.landings) - 1, -1, -1):
            if self.landings[k].step is planned:
                self.landings[k] = replace(self.landings[k], miss=miss)
                break

    def account(self, velocity: Array, impulse: Array, applied: float) -> None:
        """Compare the change of momentum since the last tick with what floor and pushes gave (3,), in N s.

        velocity: (3,) of the centre of mass. applied: N, what the engine was told to apply besides.
        """
        momentum = self._mass * velocity
        if self._momentum is not None:
            self._misses.append(unexplained_force(self._momentum, momentum, impulse, self._weight, TICK))
        self._momentum = momentum
        self._applied = max(self._applied, applied)

    def largest_miss(self) -> float:
        """Return the largest force in N that was left unexplained since this was last asked; NaN if none is known."""
        since = self._misses[self._asked :]
        self._asked = len(self._misses)
        return max(since, default=np.nan)
