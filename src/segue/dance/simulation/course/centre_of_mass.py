"""The point of the floor on which its whole push is centred, over time: it rolls under the foot that bears.

The way of the centre of mass over a whole dance, such that the floor's push is centred where it is wanted.

A body whose angular momentum does not change moves as a point on a leg without mass: c'' = w^2 (c - p), where p is the
centre of pressure and w^2 = (g + height'') / height [Kajita2001]. With c given at both ends this is a boundary value
problem, one tridiagonal solve for the whole dance; every step is taken with all that follow in view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_banded
from scipy.ndimage import gaussian_filter1d, grey_erosion, grey_opening, minimum_filter1d

from segue.dance.simulation.course.feet import FootCourse, Swing, stride_of
from segue.dance.simulation.course.quintic import ease, rates_of
from segue.dance.simulation.course.stands import Stand
from segue.typing import Array

_FIRST_SHIFT = 0.9  # s over which the weight is shifted before the first step
_LONGEST_SHIFT = 0.6  # s over which it is shifted between two steps
_FULL_ROCK = 1.2  # s in which the weight goes over to a foot and back, all of it
_LAST_SHIFT = 0.8  # s after the last step, to between the feet
_INWARD = 0.008  # m inside of the middle of the foot: less of a sway from foot to foot
# m from the middle of the sole, for a full stride forward and backward: where the push begins, and where it ends
_ARRIVAL = {True: -0.03, False: 0.04}
_DEPARTURE = {True: 0.05, False: -0.035}


@dataclass(frozen=True)
class _Mark:
    """A point (x, z) that the pressure reaches at a time; eased: slow at both ends of the way to it."""

    time: float
    point: Array
    eased: bool


def pressure_course(courses: Mapping[str, FootCourse], times: Array) -> Array:
    """Return the centre of pressure (N, 2), x and z, at some times.

    While a foot swings the pressure goes from where it arrived under the other foot to where it leaves it; between two
    swings it goes over to the foot that stands in the next; after the last it comes to rest between the feet.
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


def _marks(courses: Mapping[str, FootCourse]) -> list[_Mark]:
    stands = dict.fromkeys(courses, 0)
    marks = [_Mark(0.0, _between([course.stands[0] for course in courses.values()]), eased=False)]
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
            marks.append(_Mark(max(step.lift - _FIRST_SHIFT, 0.0), marks[-1].point, eased=False))
        elif last == step.foot:
            arrived = step.lift
            if shared:
                marks += _rocked(courses[last].stands[stands[last]], marks[-1].point, landed, step.lift)
            arriving = 0.0
        for time in sorted({min(arrived, step.lift), step.lift}):
            marks.append(_Mark(time, _under(stand, time, _along(arriving, _ARRIVAL)), eased=True))
        for pivot in stand.pivots:
            if step.lift <= pivot.start < step.land:
                marks += [_Mark(time, stand.axis(time), eased=True) for time in (pivot.start, pivot.stop)]
        marks += [_Mark(time, _under(stand, time, 0.0), eased=True) for time in stand.rises(step.lift, step.land)]
        marks.append(_Mark(step.land, _under(stand, step.land, _along(leaving, _DEPARTURE)), eased=False))
        stands[step.foot] += 1
        arriving, landed, shared = stride_of(step, step.end) if step.weight else 0.0, step.land, step.weight
        last = step.foot
    if landed > -np.inf and shared:
        marks.append(_Mark(landed + _LAST_SHIFT, _between([each.stands[-1] for each in courses.values()]), eased=True))
    return marks


def _rocked(stand: Stand, back: Array, landed: float, lift: float) -> list[_Mark]:
    """Return marks of a weight that goes onto a foot that landed, and back from it before it leaves again.

    The less time there is, the less of the way it goes. back: (2,) where it comes from.
    """
    both = lift - landed
    there = _under(stand, landed + 0.5 * both, 0.0)
    point = back + min(both / _FULL_ROCK, 1.0) * (there - back)
    times = (landed + min(_LONGEST_SHIFT, 0.5 * both), lift - min(_LONGEST_SHIFT, 0.5 * both))
    return [_Mark(time, point, eased=True) for time in times]


def _lift(swing: Swing) -> float:
    return swing.step.lift


def _along(stride: float, table: Mapping[bool, float]) -> float:
    return abs(stride) * table[stride > 0.0]


def _under(stand: Stand, time: float, ahead: float) -> Array:
    """Return the point (x, z) under a foot that is to be pressed on ahead of its middle, m."""
    return stand.pressed(time, stand.foot.middle + ahead, _INWARD)


def _between(stands: Sequence[Stand]) -> Array:
    """Return the point midway between the middles of both soles, where they stand in the end."""
    middle: Array = np.mean([each.foot.on_floor(each.last, each.foot.middle) for each in stands], axis=0)
    return middle


_REACH = 0.975  # of the straight leg: a knee that is never quite straight can always push
_SINKING, _RISING = 0.3, 0.4  # of gravity: how fast the body is accelerated down and up, at most
_LOWERED = 0.05  # s before and after which a height must be reachable too
_SMOOTH = 0.05  # s over which heights are smoothed
_LEAST_LOAD = 0.4  # of the weight that feet bear at least, however fast the body is to sink
_YIELDING = 0.15  # s in which a height goes over to a lower one
_ROUNDS = 3  # of finding the level way for a height, and the height for a level way
_LEAST_SQUARE = 0.01  # m^2 of the leg's height: a foot farther away than the leg is long is out of reach anyway


@dataclass(frozen=True, eq=False)
class MassCentreCourse:
    """The centre of mass at N times, `step` s apart.

    pressure: (N, 2), x and z. level: (3, N, 2) position, velocity and acceleration. height: (3, N). pace: (N,) w, 1/s.
    """

    step: float
    pressure: Array
    level: Array
    height: Array
    pace: Array

    @property
    def capture(self) -> Array:
        """The capture point (N, 2): where the pressure would have to be for the body to come to rest above it."""
        found: Array = self.level[0] + self.level[1] / self.pace[:, None]
        return found


class Demand(NamedTuple):
    """What is asked of the centre of mass at N times, `step` s apart.

    pressure: (N, 2) where the push that moves it as a point is to be centred. start: (3,) where it is. height: (N,) it
    is to have, if legs reached anywhere. gravity: m/s^2.
    """

    pressure: Array
    start: Array
    height: Array
    gravity: float
    step: float


class Legs(NamedTuple):
    """What it stands on. hips: (N, 3) of each side, from the centre of mass. ankles: (N, 3). length: m, straight."""

    hips: Mapping[str, Array]
    ankles: Mapping[str, Array]
    length: float


def mass_centre_course(asked: Demand, legs: Legs) -> MassCentreCourse:
    """Return the course of the centre of mass over a course of pressure, as high as legs reach."""
    gravity, step = asked.gravity, asked.step
    height = np.array([asked.height, *np.zeros((2, len(asked.height)))])
    for _ in range(_ROUNDS):
        square = np.maximum(gravity + height[2], _LEAST_LOAD * gravity) / height[0]
        level = _level(asked.pressure, square, asked.start[[0, 2]], step)
        tops = [_reach(level, legs.hips[side], legs.ankles[side], legs.length) for side in legs.hips]
        height = _smoothed(np.minimum.reduce([asked.height, *tops]), gravity, step)
    speed = rates_of(level, step)
    growth = square[:, None] * (level - asked.pressure)
    return MassCentreCourse(step, asked.pressure, np.stack([level, speed, growth]), height, np.sqrt(square))


def _level(pressure: Array, square: Array, start: Array, step: float) -> Array:
    """Return the level way (N, 2) that has the given pressure, from a point to above the last of it."""
    stiff = square * step**2
    bands = np.zeros((3, len(pressure)))
    bands[0, 2:] = bands[2, :-2] = 1.0
    bands[1] = -(2.0 + stiff)
    bands[1, 0] = bands[1, -1] = 1.0
    right = -stiff[:, None] * pressure
    right[0], right[-1] = start, pressure[-1]
    way: Array = solve_banded((1, 1), bands, right)
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
    low = _falling_slowly(minimum_filter1d(reachable, around), gravity, step)
    low = gaussian_filter1d(low, _SMOOTH / step)
    speed = rates_of(low, step)
    return np.stack([low, speed, gaussian_filter1d(rates_of(speed, step), 3.0)])


def lowered(height: Array, level: Array, legs: Legs, gravity: float, step: float) -> Array:
    """Return a height (3, N) that is lowered where legs do not reach any more; it begins as it was.

    level: (N, 2) way of the centre of mass. gravity: m/s^2. step: s from one to the next.
    """
    tops = [_reach(level, legs.hips[side], legs.ankles[side], legs.length) for side in legs.hips]
    low = _smoothed(np.minimum.reduce([height[0], *tops]), gravity, step)[0] - _smoothed(height[0], gravity, step)[0]
    since: Array = step / _YIELDING * np.arange(len(low), dtype=np.float64)
    low *= ease(since)
    speed = rates_of(low, step)
    changed: Array = height + np.stack([low, speed, rates_of(speed, step)])
    return changed


def _falling_slowly(top: Array, gravity: float, step: float) -> Array:
    """Return the greatest height (N,) below another that is left and come to no faster than legs can.

    A grey opening by a falling parabola leaves no place that sinks faster than it falls; a grey erosion by another
    rounds valleys so [Serra1982, chapter 12].
    """
    sinking, rising = _SINKING * gravity, _RISING * gravity
    farthest = int(np.sqrt(2.0 * np.ptp(top) / min(sinking, rising)) / step) + 1
    # of any type: scipy's hints know structures of whole numbers only
    fall: Any = 0.5 * (step * np.arange(-farthest, farthest + 1)) ** 2
    caught = np.asarray(grey_erosion(top, structure=-rising * fall, mode="nearest"))
    return np.asarray(grey_opening(caught, structure=-sinking * fall, mode="nearest"))
