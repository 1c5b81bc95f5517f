"""Record landings and slips of a simulated dance, and check the balance of momentum.

A point of a sole slips if it slides under a load of 3 N or more. This is a measured force, which captured and solved
motion lack: there `segue.motion.contacts` infers contacts from positions. Both stay, since a simulated foot can rest in
one place without load, and slide under load.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from segue.dance.body.shapes import AXIS_POINT, SOLE_POINTS
from segue.dance.course.course import TICK
from segue.dance.course.revision import AdjustedStep
from segue.dance.planning.model import Footstep
from segue.dance.simulation._contact_kernels import farthest_slid, slide_on, unexplained_force
from segue.dance.simulation.control.body_controller import Sensed
from segue.dance.simulation.control.foot_programs import FootProgram
from segue.dance.simulation.result import Landing, Outside
from segue.typing import Array

_BEARS = 3.0  # N: a point with less load may slide
_SETTLED = 0.05  # s after a foot has rolled flat, when its position is measured


class _Foot:
    """The state of one foot as the observer follows it."""

    def __init__(self, number: int, program: FootProgram) -> None:
        self.program = program
        self.points = slice(SOLE_POINTS * number, SOLE_POINTS * (number + 1))
        # points that slide in a pivot: all but the axis
        self.sliding = [p for p in range(self.points.start, self.points.stop) if p != self.points.start + AXIS_POINT]
        self.number, self.stand = number, 0
        self.measured = True

    def due(self) -> Footstep:
        """Return the footstep that ended in the current stand."""
        return self.program.course.swings[self.stand - 1].step

    def planned(self) -> Footstep | None:
        """Return the planned footstep behind the current stand; None for an unplanned step."""
        step = self.due()
        return step.planned if isinstance(step, AdjustedStep) else step


class Observer:
    """Records, tick by tick, what the report contains."""

    def __init__(self, programs: dict[str, FootProgram], mass: float, gravity: float) -> None:
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
        """Forces from outside, other than gravity, floor and pushes."""
        return Outside(self._applied, float(np.sqrt(np.mean(np.square(self._misses or [0.0])))))

    def record_contacts(self, time: float, sensed: Sensed, forces: Array) -> None:
        """Record landings and slips; forces: (12,) normal forces on the soles, N."""
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
        """Record a foot that has just landed."""
        planned = foot.planned()
        if planned is None:
            self.unplanned += 1
        else:
            self.landings.append(Landing(planned, time - planned.land, None, foot.due() is not planned))

    @staticmethod
    def _stands(foot: _Foot, time: float) -> bool:
        """Whether a foot that landed has finished rolling."""
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

    def check_momentum(self, velocity: Array, impulse: Array, applied: float) -> None:
        """Compare the change of momentum since the last tick with the impulse (3,) of floor and pushes, N s.

        velocity: (3,) of the centre of mass. applied: N, force that was applied to the engine besides.
        """
        momentum = self._mass * velocity
        if self._momentum is not None:
            self._misses.append(unexplained_force(self._momentum, momentum, impulse, self._weight, TICK))
        self._momentum = momentum
        self._applied = max(self._applied, applied)

    def largest_unexplained(self) -> float:
        """Return the largest unexplained force, N, since the last call; NaN if there was no tick."""
        since = self._misses[self._asked :]
        self._asked = len(self._misses)
        return max(since, default=np.nan)
