"""The point of the floor on which its whole push is centred, over time: it rolls under the foot that bears."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from segue.curves.quaternion import Array
from segue.dance.planning.model import Footprint
from segue.dance.simulation.course.feet import FootCourse, Swing, stride_of
from segue.dance.simulation.course.footing import Foot

__all__ = ["pressure_course"]

_FIRST_SHIFT = 0.9  # s over which the weight is shifted before the first step
_LONGEST_SHIFT = 0.8  # s over which it is shifted between two steps
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
    prints = {side: course.prints[0] for side, course in courses.items()}
    foot = courses["left"].foot
    marks = [_Mark(0.0, _between(foot, prints), eased=False)]
    arriving, landed = 0.0, -np.inf
    for swing in sorted((swing for course in courses.values() for swing in course.swings), key=_lift):
        step = swing.step
        side = "left" if step.foot == "right" else "right"
        stands = prints[side]
        leaving = stride_of(step, stands)
        shift = _FIRST_SHIFT if landed == -np.inf else _LONGEST_SHIFT
        marks.append(_Mark(max(landed, step.lift - shift, marks[-1].time), marks[-1].point, eased=False))
        under = _under(foot, stands, side)
        marks.append(_Mark(step.lift, under(_along(arriving, _ARRIVAL)), eased=True))
        marks.append(_Mark(step.land, under(_along(leaving, _DEPARTURE)), eased=False))
        prints[step.foot] = step.end
        arriving, landed = stride_of(step, step.end), step.land
    if landed > -np.inf:
        marks.append(_Mark(landed + _LAST_SHIFT, _between(foot, prints), eased=True))
    return marks


def _lift(swing: Swing) -> float:
    return swing.step.lift


def _along(stride: float, table: Mapping[bool, float]) -> float:
    return abs(stride) * table[stride > 0.0]


def _under(foot: Foot, stands: Footprint, side: str) -> Callable[[float], Array]:
    """Return a function that gives the point (x, z) under a foot, from how far ahead of its middle it lies."""
    inward = -_INWARD if side == "left" else _INWARD

    def point(ahead: float) -> Array:
        return foot.on_floor(stands, foot.middle + ahead, inward)

    return point


def _between(foot: Foot, prints: Mapping[str, Footprint]) -> Array:
    """Return the point midway between the middles of both soles."""
    middle: Array = np.mean([foot.on_floor(each, foot.middle) for each in prints.values()], axis=0)
    return middle
