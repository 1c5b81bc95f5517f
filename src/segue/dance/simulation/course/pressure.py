"""The point of the floor on which its whole push is centred, over time: it rolls under the foot that bears."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from segue.dance.simulation.course.feet import FootCourse, Swing, stride_of
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
