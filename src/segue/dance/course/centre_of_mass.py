"""The centre of pressure over a dance, and the path of the centre of mass that has that pressure.

A body of constant angular momentum moves as a linear inverted pendulum: c'' = w^2 (c - p), with the centre of pressure
p and w^2 = (g + height'') / height [Kajita2001]. With c given at both ends this is a boundary value problem. One
tridiagonal solve gives the path for the whole dance, so that every step takes all later steps into account.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy

from segue.curves.interpolate import least_jerk
from segue.dance.course.feet import FootCourse, Swing, stride_of
from segue.dance.course.quintic import rates_of
from segue.dance.course.stands import Stand
from segue.typing import Array

_FIRST_SHIFT = 0.9  # s of the weight shift before the first step
_LONGEST_SHIFT = 0.6  # s of the weight shift between two steps
_FULL_ROCK = 1.2  # s in which the whole weight goes over to a foot and back
_LAST_SHIFT = 0.8  # s of the weight shift after the last step, to between the feet
_INWARD = 0.008  # m inside of the middle of the foot, which reduces the sway from foot to foot
# m from the middle of the sole, for a full stride forward and backward: where the pressure begins and ends
_ARRIVAL = {True: -0.03, False: 0.04}
_DEPARTURE = {True: 0.05, False: -0.035}


@dataclass(frozen=True)
class _PressurePoint:
    """A point (x, z) that the pressure reaches at a time; eased: slow at both ends of the segment before it."""

    time: float
    point: Array
    eased: bool


def pressure_course(courses: Mapping[str, FootCourse], times: Array) -> Array:
    """Return the centre of pressure (N, 2), x and z, at some times.

    While a foot swings, the pressure moves under the other foot from where it arrived to where it leaves. Between two
    swings it moves to the foot that stands in the next. After the last swing it comes to rest between the feet.
    """
    marks = _marks(courses)
    found = np.empty((len(times), 2))
    found[:] = marks[-1].point
    for before, after in pairwise(marks):
        inside = (times >= before.time) & (times < after.time)
        if after.time > before.time and inside.any():
            s = (times[inside] - before.time) / (after.time - before.time)
            if after.eased:
                s = s * s * (3.0 - 2.0 * s)
            found[inside] = before.point + s[:, None] * (after.point - before.point)
    found[times < marks[0].time] = marks[0].point
    return found


def _marks(courses: Mapping[str, FootCourse]) -> list[_PressurePoint]:
    stands = dict.fromkeys(courses, 0)
    marks = [_PressurePoint(0.0, _between([course.stands[0] for course in courses.values()]), eased=False)]
    arriving, landed, shared, last = 0.0, -np.inf, True, ""
    for swing in sorted((swing for course in courses.values() for swing in course.swings), key=_lift):
        step = swing.step
        side = "left" if step.foot == "right" else "right"
        stand = courses[side].stands[stands[side]]
        # a foot that only touches does not move the weight
        leaving = stride_of(step, stand.footprint(step.land)) if step.weight else 0.0
        arrived = landed + _LONGEST_SHIFT
        if landed == -np.inf:
            arrived = step.lift
            marks.append(_PressurePoint(max(step.lift - _FIRST_SHIFT, 0.0), marks[-1].point, eased=False))
        elif last == step.foot:
            arrived = step.lift
            if shared:
                marks += _rocked(courses[last].stands[stands[last]], marks[-1].point, landed, step.lift)
            arriving = 0.0
        for time in sorted({min(arrived, step.lift), step.lift}):
            marks.append(_PressurePoint(time, _under(stand, time, _along(arriving, _ARRIVAL)), eased=True))
        for pivot in stand.pivots:
            if step.lift <= pivot.start < step.land:
                marks += [_PressurePoint(time, stand.axis(time), eased=True) for time in (pivot.start, pivot.stop)]
        marks += [
            _PressurePoint(time, _under(stand, time, 0.0), eased=True) for time in stand.rises(step.lift, step.land)
        ]
        marks.append(_PressurePoint(step.land, _under(stand, step.land, _along(leaving, _DEPARTURE)), eased=False))
        stands[step.foot] += 1
        arriving, landed, shared = stride_of(step, step.end) if step.weight else 0.0, step.land, step.weight
        last = step.foot
    if landed > -np.inf and shared:
        marks.append(
            _PressurePoint(landed + _LAST_SHIFT, _between([each.stands[-1] for each in courses.values()]), eased=True)
        )
    return marks


def _rocked(stand: Stand, back: Array, landed: float, lift: float) -> list[_PressurePoint]:
    """Return points of a weight that goes onto a foot that has landed, and back before that foot leaves again.

    With less time, the weight goes a smaller part of the distance. back: (2,) where the weight comes from.
    """
    both = lift - landed
    there = _under(stand, landed + 0.5 * both, 0.0)
    point = back + min(both / _FULL_ROCK, 1.0) * (there - back)
    times = (landed + min(_LONGEST_SHIFT, 0.5 * both), lift - min(_LONGEST_SHIFT, 0.5 * both))
    return [_PressurePoint(time, point, eased=True) for time in times]


def _lift(swing: Swing) -> float:
    return swing.step.lift


def _along(stride: float, table: Mapping[bool, float]) -> float:
    return abs(stride) * table[stride > 0.0]


def _under(stand: Stand, time: float, ahead: float) -> Array:
    """Return the point (x, z) under a foot, ahead of the middle of its sole, m."""
    return stand.pressed(time, stand.foot.middle + ahead, _INWARD)


def _between(stands: Sequence[Stand]) -> Array:
    """Return the point midway between the final middles of both soles."""
    middle: Array = np.mean([each.foot.on_floor(each.last, each.foot.middle) for each in stands], axis=0)
    return middle


_REACH = 0.975  # of the straight leg: a knee that is never straight can always extend
_SINKING, _RISING = 0.3, 0.4  # of gravity: largest acceleration down and up
_LOWERED = 0.05  # s before and after, in which a height must be reachable too
_SMOOTH = 0.05  # s over which heights are smoothed
_LEAST_LOAD = 0.4  # of the weight: the least that feet bear while the body sinks
_YIELDING = 0.15  # s of the transition to a lower height
_ROUNDS = 3  # of alternation between horizontal path and height
_LEAST_SQUARE = 0.01  # m^2, bound on the squared height of a leg that is out of reach


@dataclass(frozen=True, eq=False)
class CentreOfMassCourse:
    """The centre of mass at N times, `step` s apart.

    pressure: (N, 2), x and z. level: (3, N, 2) position, velocity and acceleration. height: (3, N). pace: (N,) w, 1/s.
    """

    step: float
    pressure: Array
    level: Array
    height: Array
    pace: Array

    @property
    def position(self) -> Array:
        """The centre of mass, (N, 3)."""
        return np.stack([self.level[0, :, 0], self.height[0], self.level[0, :, 1]], axis=1)

    @property
    def capture(self) -> Array:
        """The capture point (N, 2): the pressure above which the body would come to rest."""
        found: Array = self.level[0] + self.level[1] / self.pace[:, None]
        return found


class CentreOfMassGoal(NamedTuple):
    """Demands on the centre of mass at N times, `step` s apart.

    pressure: (N, 2) centre of pressure of the pendulum. start: (3,) initial centre of mass. height: (N,) wanted height,
    before the reach of the legs is considered. gravity: m/s^2.
    """

    pressure: Array
    start: Array
    height: Array
    gravity: float
    step: float


class Legs(NamedTuple):
    """Legs below the centre of mass. hips: (N, 3) by side, from the centre of mass. ankles: (N, 3). length: m,
    straight.
    """

    hips: Mapping[str, Array]
    ankles: Mapping[str, Array]
    length: float


def centre_of_mass_course(asked: CentreOfMassGoal, legs: Legs) -> CentreOfMassCourse:
    """Return the course of the centre of mass over a course of pressure, as high as the legs reach."""
    gravity, step = asked.gravity, asked.step
    height = np.array([asked.height, *np.zeros((2, len(asked.height)))])
    for _ in range(_ROUNDS):
        square = np.maximum(gravity + height[2], _LEAST_LOAD * gravity) / height[0]
        level = _level(asked.pressure, square, asked.start[[0, 2]], step)
        tops = [_reach(level, legs.hips[side], legs.ankles[side], legs.length) for side in legs.hips]
        height = _smoothed(np.minimum.reduce([asked.height, *tops]), gravity, step)
    speed = rates_of(level, step)
    growth = square[:, None] * (level - asked.pressure)
    return CentreOfMassCourse(step, asked.pressure, np.stack([level, speed, growth]), height, np.sqrt(square))


def _level(pressure: Array, square: Array, start: Array, step: float) -> Array:
    """Return the horizontal path (N, 2) with a given pressure, from a start point to the last pressure."""
    stiff = square * step**2
    bands = np.zeros((3, len(pressure)))
    bands[0, 2:] = bands[2, :-2] = 1.0
    bands[1] = -(2.0 + stiff)
    bands[1, 0] = bands[1, -1] = 1.0
    right = -stiff[:, None] * pressure
    right[0], right[-1] = start, pressure[-1]
    way: Array = scipy.linalg.solve_banded((1, 1), bands, right)
    return way


def _reach(level: Array, hips: Array, ankles: Array, leg: float) -> Array:
    """Return the greatest height (N,) of the centre of mass at which a leg still reaches its ankle."""
    away = level + hips[:, [0, 2]] - ankles[:, [0, 2]]
    square = (_REACH * leg) ** 2 - (away**2).sum(axis=1)
    top: Array = ankles[:, 1] + np.sqrt(np.maximum(square, _LEAST_SQUARE)) - hips[:, 1]
    return top


def _smoothed(reachable: Array, gravity: float, step: float) -> Array:
    """Return a smooth height (3, N) below a reachable one, with two derivatives."""
    around = 2 * int(_LOWERED / step) + 1
    low = _falling_slowly(scipy.ndimage.minimum_filter1d(reachable, around), gravity, step)
    low = scipy.ndimage.gaussian_filter1d(low, _SMOOTH / step)
    speed = rates_of(low, step)
    return np.stack([low, speed, scipy.ndimage.gaussian_filter1d(rates_of(speed, step), 3.0)])


def lowered(height: Array, level: Array, legs: Legs, gravity: float, step: float) -> Array:
    """Return a height (3, N) that is lowered where the legs do not reach; its beginning is unchanged.

    level: (N, 2) path of the centre of mass. gravity: m/s^2. step: s between times.
    """
    tops = [_reach(level, legs.hips[side], legs.ankles[side], legs.length) for side in legs.hips]
    low = _smoothed(np.minimum.reduce([height[0], *tops]), gravity, step)[0] - _smoothed(height[0], gravity, step)[0]
    since: Array = step / _YIELDING * np.arange(len(low), dtype=np.float64)
    low *= least_jerk(since)
    speed = rates_of(low, step)
    changed: Array = height + np.stack([low, speed, rates_of(speed, step)])
    return changed


def _falling_slowly(top: Array, gravity: float, step: float) -> Array:
    """Return the greatest height (N,) below another whose vertical acceleration is within the legs' limits.

    A grey opening by a falling parabola limits the downward acceleration. A grey erosion by another parabola rounds
    valleys in the same way [Serra1982, chapter 12].
    """
    sinking, rising = _SINKING * gravity, _RISING * gravity
    farthest = int(np.sqrt(2.0 * np.ptp(top) / min(sinking, rising)) / step) + 1
    # Any: scipy's type hints only allow integer structures
    fall: Any = 0.5 * (step * np.arange(-farthest, farthest + 1)) ** 2
    caught = np.asarray(scipy.ndimage.grey_erosion(top, structure=-rising * fall, mode="nearest"))
    return np.asarray(scipy.ndimage.grey_opening(caught, structure=-sinking * fall, mode="nearest"))
