"""Revise a course during the dance: footsteps land elsewhere or sooner, and the later course follows.

The course of the capture point is linear in that of the pressure. So the change of the capture point is found backwards
in time from the change of the pressure, and the rest of the course is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from segue.dance.course.centre_of_mass import CentreOfMassCourse, lowered
from segue.dance.course.course import TICK, Course
from segue.dance.course.feet import FootCourse, foot_courses, foot_paths
from segue.dance.planning.model import Footstep
from segue.typing import Array

_EVERY = 10  # ticks between samples of the ankles, which limit the height


@dataclass(frozen=True)
class AdjustedStep(Footstep):
    """A footstep with a changed place or time; planned: the original step, None for an unplanned one."""

    planned: Footstep | None = None


def revise_course(
    course: Course, footsteps: Sequence[Footstep], time: float, centre: Array, added: Array, gravity: float
) -> Course:
    """Return a course that has other footsteps from a time on.

    footsteps: all of the dance, changed or not. centre: (3,) the centre of mass now. added: (W, 2) m, added to the
    pressure in the next W ticks; the last row holds afterwards.
    """
    feet = {side: _by_way_of(course.feet[side], each) for side, each in foot_courses(course.plan, footsteps).items()}
    first = course.tick(time)
    window = slice(first, min(first + len(added), len(course.times)))
    added = added[: window.stop - window.start]
    before = course.mass_centre
    pace = before.pace[window]
    capture = _capture(added, pace)
    offset = _centre(capture, pace, centre[[0, 2]] - before.level[0, first])
    speed = pace[:, None] * (capture - offset)
    pressure, level, height = before.pressure.copy(), before.level.copy(), before.height.copy()
    pressure[window] += added
    level[0, window] += offset
    level[1, window] += speed
    level[2, window] += pace[:, None] ** 2 * (offset - added)
    for later, last in ((pressure, added[-1]), (level[0], offset[-1])):
        later[window.stop :] += last
    times = course.times[window]
    looked = np.append(times[:-1:_EVERY], times[-1])
    legs = course.legs._replace(
        hips={side: way[window] for side, way in course.legs.hips.items()},
        ankles={side: _spread(way.ankle, looked, times) for side, way in foot_paths(feet, looked).items()},
    )
    height[:, window] = lowered(height[:, window], level[0, window], legs, gravity, TICK)
    mass_centre = CentreOfMassCourse(before.step, pressure, level, height, before.pace)
    return replace(course, footsteps=tuple(footsteps), feet=feet, mass_centre=mass_centre)


def _by_way_of(before: FootCourse, after: FootCourse) -> FootCourse:
    """Return a foot's course whose unchanged flights keep the via points of another course."""
    ways = {id(swing.step): swing.via for swing in before.swings}
    swings = (replace(swing, via=ways.get(id(swing.step), swing.via)) for swing in after.swings)
    return replace(after, swings=tuple(swings))


def _spread(way: Array, looked: Array, times: Array) -> Array:
    return np.stack([np.interp(times, looked, way[:, axis]) for axis in range(way.shape[1])], axis=1)


def _capture(added: Array, pace: Array) -> Array:
    """Return the change of the capture point for a change of pressure (W, 2): x' = w (x - p), at rest at the end."""
    kept = np.exp(-pace * TICK)
    bands = np.ones((2, len(added)))
    bands[0, 1:] = -kept[:-1]
    right = (1.0 - kept)[:, None] * added
    right[-1] = added[-1]
    found: Array = scipy.linalg.solve_banded((0, 1), bands, right)
    return found


def _centre(capture: Array, pace: Array, start: Array) -> Array:
    """Return the change of the centre of mass for one of the capture point (W, 2), from start (2,): c' = w (x - c)."""
    kept = np.exp(-pace * TICK)
    bands = np.ones((2, len(capture)))
    bands[1, :-1] = -kept[:-1]
    right = np.empty_like(capture)
    right[0] = start
    right[1:] = (1.0 - kept[:-1])[:, None] * capture[:-1]
    found: Array = scipy.linalg.solve_banded((1, 0), bands, right)
    return found
