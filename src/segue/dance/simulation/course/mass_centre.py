"""The way of the centre of mass over a whole dance, such that the floor's push is centred where it is wanted.

A body whose angular momentum does not change moves as a point on a leg without mass: c'' = w^2 (c - p), where p is the
centre of pressure and w^2 = (g + height'') / height [Kajita2001]. With c given at both ends this is a boundary value
problem, one tridiagonal solve for the whole dance; every step is taken with all that follow in view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_banded
from scipy.ndimage import gaussian_filter1d, minimum_filter1d

from segue.curves.quaternion import Array
from segue.dance.simulation.course.feet import Flight, FootCourse
from segue.dance.simulation.course.footing import Foot
from segue.dance.simulation.course.polynomial import rates_of

__all__ = ["MassCentreCourse", "ankle_ways", "mass_centre_course"]

_REACH = 0.975  # of the straight leg: a knee that is never quite straight can always push
_LOWERED = 0.12  # s before and after which a height must be reachable too
_SMOOTH = 0.07  # s over which heights are smoothed
_LEAST_LOAD = 0.4  # of the weight that feet bear at least, however fast the body is to sink
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


def mass_centre_course(
    pressure: Array,
    start: Array,
    wanted: Array,
    hips: Mapping[str, Array],
    ankles: Mapping[str, Array],
    leg: float,
    gravity: float,
    step: float,
) -> MassCentreCourse:
    """Return the course of the centre of mass over a course of pressure (N, 2).

    start: (3,) where it is. wanted: (N,) its height if legs reached anywhere. hips: (N, 3) of each side, from the
    centre of mass. ankles: (N, 3) of each side. leg: m, from hip to ankle when straight. step: s between times.
    """
    height = np.array([wanted, *np.zeros((2, len(wanted)))])
    for _ in range(_ROUNDS):
        square = np.maximum(gravity + height[2], _LEAST_LOAD * gravity) / height[0]
        level = _level(pressure, square, start[[0, 2]], step)
        reachable = np.minimum.reduce([wanted, *(_reach(level, hips[s], ankles[s], leg) for s in hips)])
        height = _smoothed(reachable, step)
    speed = rates_of(level, step)
    return MassCentreCourse(
        step, pressure, np.stack([level, speed, square[:, None] * (level - pressure)]), height, np.sqrt(square)
    )


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


def _smoothed(reachable: Array, step: float) -> Array:
    """Return a smooth height (3, N) below a reachable one, with two derivatives."""
    around = 2 * int(_LOWERED / step) + 1
    low = gaussian_filter1d(minimum_filter1d(reachable, around), _SMOOTH / step)
    speed = rates_of(low, step)
    return np.stack([low, speed, gaussian_filter1d(rates_of(speed, step), 3.0)])


def ankle_ways(courses: Mapping[str, FootCourse], times: Array) -> dict[str, Array]:
    """Return where each ankle is to be, (N, 3), at some times, by side."""
    ways = {}
    for side, course in courses.items():
        way, since = np.empty((len(times), 3)), 0
        for number, stand in enumerate(course.stands):
            swing = course.next_swing(number)
            lift, land = (np.inf, np.inf) if swing is None else (swing.step.lift, swing.step.land)
            until, landed = (int(np.searchsorted(times, moment)) for moment in (lift, land))
            pitch = np.array([stand.pitch(time)[0] for time in times[since:until]])
            x, z, heading = np.array([stand.footprint(time) for time in times[since:until]]).reshape(-1, 3).T
            ahead, way[since:until, 1] = course.foot.ankle(pitch)
            way[since:until, 0] = x + ahead * np.sin(heading)
            way[since:until, 2] = z + ahead * np.cos(heading)
            if swing is not None:
                flight = swing.path(course.foot)
                for k in range(until, landed):
                    way[k] = _swinging_ankle(course.foot, flight, times[k])
            since = landed
        ways[side] = way
    return ways


def _swinging_ankle(foot: Foot, flight: Flight, time: float) -> Array:
    """Return the ankle (3,) of a foot in flight."""
    sole, (heading, pitch) = flight.sole(time)[0], flight.turn(time)[0]
    up = foot.sole * np.cos(pitch) + foot.middle * np.sin(pitch)
    ahead = foot.sole * np.sin(pitch) - foot.middle * np.cos(pitch)
    found: Array = sole + np.array([ahead * np.sin(heading), up, ahead * np.cos(heading)])
    return found
