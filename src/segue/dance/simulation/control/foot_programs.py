"""Position motor programs: what a foot does to come to its next position, and how it bears while it stands there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from segue.dance.simulation.control._task_kernels import drawn, turning
from segue.dance.simulation.course.feet import Flight, FootCourse, Swing, unwound
from segue.dance.simulation.course.quintic import Quintic
from segue.dance.simulation.course.stands import Pivot
from segue.typing import Array

_FELT = 3.0  # N at which a swinging foot knows that it has landed
_LATE_ENOUGH = 0.6  # of the swing: what is touched before is brushed by, not landed on
_FIRST_SHARE, _LAST_SHARE = 0.1, 0.01
_MOVING = (400.0, 40.0)  # stiffness 1/s^2 and damping 1/s of a foot that swings, rolls or pivots
_FLAT = (40.0, 30.0)  # of one that stands flat, which the floor keeps so
_LEVEL = 0.005  # rad that it may be tilted by, to be flat


class FootTask(NamedTuple):
    """What is asked of a foot in this moment.

    sole: (3,) acceleration of the middle of its sole, None where it stands. turn: (3,) its angular acceleration.
    heel, fore: how much of its weight heel, and ball and toes, may bear, 0 to 1. toes: rad, the toe joint's extension.
    spin: rad/s, how fast a standing foot is to turn about the inner side of its ball, 0 where none of it is to slide.
    round_axis: how much all but that point may bear, 0 to 1.
    """

    sole: Array | None
    turn: Array
    heel: float
    fore: float
    toes: float
    spin: float = 0.0
    round_axis: float = 1.0


@dataclass(eq=False)
class PositionProgram:
    """One foot's way through its course, in time: which stand it is in, whether it swings, and when it landed."""

    course: FootCourse
    stand: int = 0
    flight: Flight | None = None
    landed: float = -np.inf
    pivot: Pivot | None = None
    heading: Quintic = field(init=False)

    def __post_init__(self) -> None:
        self.heading = _still(self.course.stands[0].place.heading)

    @property
    def swinging(self) -> bool:
        """Whether the foot is in the air on purpose."""
        return self.flight is not None

    @property
    def coming(self) -> Swing | None:
        """The swing that is under way or comes next."""
        return self.course.next_swing(self.stand)

    def advance(self, time: float, force: float, sole: Array, facing: Array, spin: Array) -> bool:
        """Begin or end a swing where it is time, and return whether the foot has just landed.

        force: N on the sole. sole: (2, 3) position and velocity of its middle. facing: (3, 3) the foot's axes as
        columns. spin: (3,) its angular velocity.
        """
        if self.flight is None:
            self._turn(time, facing)
        swing = self.coming
        if swing is None:
            return False
        step = swing.step
        if self.flight is None and time >= step.lift:
            heading, pitch = heading_and_pitch(facing)
            across = np.array([np.cos(heading), 0.0, -np.sin(heading)])
            turn = np.array([[heading, pitch], [spin[1], float(across @ spin)]])
            self.flight, self.pivot = swing.path(self.course.foot, sole, turn), None
        elif self.flight is not None and force > _FELT:
            if time < step.lift + _LATE_ENOUGH * (step.land - step.lift):
                return False
            self.flight, self.landed, self.stand = None, time, self.stand + 1
            self.heading = _still(heading_and_pitch(facing)[0])
            return True
        return False

    def _turn(self, time: float, facing: Array) -> None:
        """Begin or end a pivot where it is time; where it ends, the foot stays as it then points."""
        pivot = self.course.stands[self.stand].pivot(time)
        if pivot is not self.pivot:
            heading = heading_and_pitch(facing)[0]
            self.heading = _still(heading) if pivot is None else pivot.course(unwound(heading, pivot.before.heading))
            self.pivot = pivot

    def follow(self, course: FootCourse, time: float) -> None:
        """Go on with another course, which is the same so far; a foot in flight turns to where it is to land now."""
        self.course = course
        swing = self.coming
        if self.flight is not None and swing is not None and swing.step is not self.flight.swing.step:
            self.flight = self.flight.redirected(swing, course.foot, time)

    def task(self, time: float, sole: Array, facing: Array, spin: Array) -> FootTask:
        """Return what is asked of the foot; arguments as in `advance`."""
        if self.flight is not None:
            way, turn = self.flight.sole(time), self.flight.turn(time)
            pull = drawn(way, sole, *_MOVING)
            return FootTask(pull, turning(turn, facing, spin, *_MOVING), 0.0, 0.0, max(float(turn[0, 1]), 0.0))
        stand = self.course.stands[self.stand]
        pitch, heading = stand.pitch(time), self.heading.at(time)[:, 0]
        heel, fore = stand.bearing(time)
        share = self._share(time)
        tilted = np.hypot(facing[0, 1], facing[2, 1]) > _LEVEL
        how = _FLAT if heel > 0.0 and fore > 0.0 and self.pivot is None and not tilted else _MOVING
        turn = np.empty((3, 2))
        turn[:, 0], turn[:, 1] = heading, pitch
        turned = turning(turn, facing, spin, *how)
        return FootTask(
            sole=None,
            turn=turned,
            heel=min(heel, share),
            fore=min(fore, share),
            toes=max(float(pitch[0]), 0.0),
            spin=float(heading[1]),
            round_axis=stand.round_axis(time),
        )

    def _share(self, time: float) -> float:
        """Return how much of the weight a standing foot may bear: it takes it on gradually, and gives it up so."""
        taken = given = 1.0
        if self.stand > 0:
            taken = min(1.0, _FIRST_SHARE + (time - self.landed) / self.course.swings[self.stand - 1].takes)
        coming = self.coming
        if coming is not None:
            given = max(0.0, (coming.step.lift - time) / coming.gives)
        return max(_LAST_SHARE, min(taken, given))


def heading_and_pitch(facing: Array) -> tuple[float, float]:
    """Return where toes point, and how far the heel is lifted, rad, of a foot's axes (3, 3)."""
    ahead = facing[:, 2]
    return float(np.arctan2(ahead[0], ahead[2])), float(np.arctan2(-ahead[1], np.hypot(ahead[0], ahead[2])))


def _still(heading: float) -> Quintic:
    """Return the course of a heading that does not change."""
    return Quintic(0.0, 0.0, np.array([[heading], *np.zeros((5, 1))]))
