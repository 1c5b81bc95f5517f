"""Position motor programs: bring a foot to its next position, and decide how much it bears while it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from segue.dance.course.feet import Flight, FootCourse, Swing, nearest_turn
from segue.dance.course.quintic import Quintic
from segue.dance.course.stands import Pivot
from segue.dance.simulation.control._task_kernels import track_point, track_rotation
from segue.typing import Array

_FELT = 3.0  # N, threshold of a landing
_LATE_ENOUGH = 0.6  # of the swing: earlier contacts do not count as a landing
_FIRST_SHARE, _LAST_SHARE = 0.1, 0.01
_MOVING = (400.0, 40.0)  # stiffness 1/s^2 and damping 1/s of a foot that swings, rolls or pivots
_FLAT = (40.0, 30.0)  # of a foot that stands flat on the floor
_LEVEL = 0.005  # rad, largest tilt of a flat foot


class FootTask(NamedTuple):
    """Demands on a foot at a tick.

    sole: (3,) acceleration of the middle of its sole, None while it stands. turn: (3,) its angular acceleration. heel,
    fore: share of its load that the heel, and ball and toes, may bear, 0 to 1. toes: rad, extension of the toe joint.
    spin: rad/s, speed of a pivot about the inner side of the ball, 0 without pivot. round_axis: share of the load that
    all other points may bear, 0 to 1.
    """

    sole: Array | None
    turn: Array
    heel: float
    fore: float
    toes: float
    spin: float = 0.0
    round_axis: float = 1.0


@dataclass(eq=False)
class FootProgram:
    """The progress of one foot through its course: current stand, current flight, and last landing."""

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
        """Whether the foot swings."""
        return self.flight is not None

    @property
    def coming(self) -> Swing | None:
        """The current or next swing."""
        return self.course.next_swing(self.stand)

    def advance(self, time: float, force: float, sole: Array, facing: Array, spin: Array) -> bool:
        """Begin or end a swing if it is time, and return whether the foot has just landed.

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
        """Begin or end a pivot if it is time; at its end the foot keeps its true heading."""
        pivot = self.course.stands[self.stand].pivot(time)
        if pivot is not self.pivot:
            heading = heading_and_pitch(facing)[0]
            self.heading = (
                _still(heading) if pivot is None else pivot.course(nearest_turn(heading, pivot.before.heading))
            )
            self.pivot = pivot

    def follow(self, course: FootCourse, time: float) -> None:
        """Follow another course, identical so far; a foot in flight is redirected to its new landing."""
        self.course = course
        swing = self.coming
        if self.flight is not None and swing is not None and swing.step is not self.flight.swing.step:
            self.flight = self.flight.redirected(swing, course.foot, time)

    def task(self, time: float, sole: Array, facing: Array, spin: Array) -> FootTask:
        """Return what is asked of the foot; arguments as in `advance`."""
        if self.flight is not None:
            way, turn = self.flight.sole(time), self.flight.turn(time)
            pull = track_point(way, sole, *_MOVING)
            return FootTask(pull, track_rotation(turn, facing, spin, *_MOVING), 0.0, 0.0, max(float(turn[0, 1]), 0.0))
        stand = self.course.stands[self.stand]
        pitch, heading = stand.pitch(time), self.heading.at(time)[:, 0]
        heel, fore = stand.bearing(time)
        share = self._share(time)
        tilted = np.hypot(facing[0, 1], facing[2, 1]) > _LEVEL
        how = _FLAT if heel > 0.0 and fore > 0.0 and self.pivot is None and not tilted else _MOVING
        turn = np.empty((3, 2))
        turn[:, 0], turn[:, 1] = heading, pitch
        turned = track_rotation(turn, facing, spin, *how)
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
        """Return the share of the weight that a standing foot may bear, which rises and falls gradually."""
        taken = given = 1.0
        if self.stand > 0:
            taken = min(1.0, _FIRST_SHARE + (time - self.landed) / self.course.swings[self.stand - 1].takes)
        coming = self.coming
        if coming is not None:
            given = max(0.0, (coming.step.lift - time) / coming.gives)
        return max(_LAST_SHARE, min(taken, given))


def heading_and_pitch(facing: Array) -> tuple[float, float]:
    """Return heading and pitch, rad, of a foot's axes (3, 3); a lifted heel is positive."""
    ahead = facing[:, 2]
    return float(np.arctan2(ahead[0], ahead[2])), float(np.arctan2(-ahead[1], np.hypot(ahead[0], ahead[2])))


def _still(heading: float) -> Quintic:
    """Return a constant heading as a course."""
    return Quintic(0.0, 0.0, np.array([[heading], *np.zeros((5, 1))]))
