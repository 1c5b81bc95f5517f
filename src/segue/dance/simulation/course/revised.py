"""A course that is changed on the way: footsteps land elsewhere or sooner, and all that follows goes along.

The capture point's course is linear in that of the pressure: what is added to the one follows from what is added to
the other, backwards from where nothing is added any more. So a course is revised, not reckoned anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import solve_banded

from segue.dance.planning.model import Footstep
from segue.dance.simulation.course.centre_of_mass import MassCentreCourse, lowered
from segue.dance.simulation.course.course import TICK, Course
from segue.dance.simulation.course.feet import FootCourse, foot_courses, foot_ways
from segue.typing import Array

_EVERY = 10  # ticks: how often ankles are looked at to find out which heights they allow


@dataclass(frozen=True)
class AdjustedStep(Footstep):
    """A footstep that goes elsewhere than planned, or sooner; planned: what it was, None for one that was not."""

    planned: Footstep | None = None


def revised(
    course: Course, footsteps: Sequence[Footstep], time: float, centre: Array, added: Array, gravity: float
) -> Course:
    """Return a course that is danced from a time on with other footsteps.

    footsteps: all, those that are changed among them. centre: (3,) the centre of mass now. added: (W, 2)
    m, to the pressure in the ticks from now on; what was added last stays.
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
        ankles={side: _spread(way.ankle, looked, times) for side, way in foot_ways(feet, looked).items()},
    )
    height[:, window] = lowered(height[:, window], level[0, window], legs, gravity, TICK)
    mass_centre = MassCentreCourse(before.step, pressure, level, height, before.pace)
    return replace(course, footsteps=tuple(footsteps), feet=feet, mass_centre=mass_centre)


def _by_way_of(before: FootCourse, after: FootCourse) -> FootCourse:
    """Return a foot's course whose flights go the ways of another's, where they are the same."""
    ways = {id(swing.step): swing.via for swing in before.swings}
    swings = (replace(swing, via=ways.get(id(swing.step), swing.via)) for swing in after.swings)
    return replace(after, swings=tuple(swings))


def _spread(way: Array, looked: Array, times: Array) -> Array:
    return np.stack([np.interp(times, looked, way[:, axis]) for axis in range(way.shape[1])], axis=1)


def _capture(added: Array, pace: Array) -> Array:
    """Return what pressure (W, 2) adds to the capture point: x' = w (x - p), the last of it being at rest."""
    kept = np.exp(-pace * TICK)
    bands = np.ones((2, len(added)))
    bands[0, 1:] = -kept[:-1]
    right = (1.0 - kept)[:, None] * added
    right[-1] = added[-1]
    found: Array = solve_banded((0, 1), bands, right)
    return found


def _centre(capture: Array, pace: Array, start: Array) -> Array:
    """Return what a capture point (W, 2) adds to the centre of mass, from its start (2,) on: c' = w (x - c)."""
    kept = np.exp(-pace * TICK)
    bands = np.ones((2, len(capture)))
    bands[1, :-1] = -kept[:-1]
    right = np.empty_like(capture)
    right[0] = start
    right[1:] = (1.0 - kept[:-1])[:, None] * capture[:-1]
    found: Array = solve_banded((1, 0), bands, right)
    return found
