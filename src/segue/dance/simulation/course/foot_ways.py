"""Where feet are to be at every moment of a dance, standing, rolling and in flight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from segue.curves import quaternion
from segue.dance.simulation.course.feet import FootCourse, Swing
from segue.dance.simulation.course.footing import Foot
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class FootWay:
    """One foot at N times: its ankle (N, 3) in m, and heading and pitch (N, 2) in rad, a lifted heel positive."""

    ankle: Array
    turn: Array

    @property
    def turns(self) -> Array:
        """World rotations (N, 4) of the foot's segment."""
        heading, pitch = self.turn.T
        none = np.zeros_like(heading)
        headed = quaternion.exp(np.stack([none, heading, none], axis=1))
        return quaternion.multiply(headed, quaternion.exp(np.stack([pitch, none, none], axis=1)))

    def at(self, places: slice) -> FootWay:
        """Return the way at some of its times."""
        return FootWay(self.ankle[places], self.turn[places])


def foot_ways(courses: Mapping[str, FootCourse], times: Array) -> dict[str, FootWay]:
    """Return where each foot is to be at some times, by side."""
    ways = {}
    for side, course in courses.items():
        ankle, turn, since = np.empty((len(times), 3)), np.empty((len(times), 2)), 0
        for number, stand in enumerate(course.stands):
            swing = course.next_swing(number)
            lift, land = (np.inf, np.inf) if swing is None else (swing.step.lift, swing.step.land)
            until, landed = (int(np.searchsorted(times, moment)) for moment in (lift, land))
            pitch = np.array([stand.pitch(time)[0] for time in times[since:until]])
            x, z, heading = np.array([stand.footprint(time) for time in times[since:until]]).reshape(-1, 3).T
            ahead, ankle[since:until, 1] = course.foot.ankle(pitch)
            ankle[since:until, 0] = x + ahead * np.sin(heading)
            ankle[since:until, 2] = z + ahead * np.cos(heading)
            turn[since:until, 0], turn[since:until, 1] = heading, pitch
            if swing is not None:
                way, _ = flying_way(course.foot, swing, times[until:landed])
                ankle[until:landed], turn[until:landed] = way.ankle, way.turn
            since = landed
        ways[side] = FootWay(ankle, turn)
    return ways


def flying_way(foot: Foot, swing: Swing, times: Array) -> tuple[FootWay, float]:
    """Return where a foot is to be at some times (N,) of its flight, and how much it is accelerated at most, m/s^2."""
    flight = swing.path(foot)
    soles = np.array([flight.sole(time) for time in times]).reshape(-1, 3, 3)
    turn = np.array([flight.turn(time)[0] for time in times]).reshape(-1, 2)
    heading, pitch = turn.T
    up = foot.sole * np.cos(pitch) + foot.middle * np.sin(pitch)
    ahead = foot.sole * np.sin(pitch) - foot.middle * np.cos(pitch)
    ankle = soles[:, 0] + np.stack([ahead * np.sin(heading), up, ahead * np.cos(heading)], axis=1)
    return FootWay(ankle, turn), float(np.linalg.norm(soles[:, 2, ::2], axis=1).max(initial=0.0))
