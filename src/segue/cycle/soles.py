"""The points under the feet of a cycle, as its user sees them: where they are, and when they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure
from segue.body.joints import SEGMENTS
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.cycle.cycle import BareCycle, Cycle
from segue.motion.contacts import find_contacts
from segue.motion.motion import Motion
from segue.motion.take import Take
from segue.plausibility.planted import planted_points, runs

__all__ = ["POINTS", "Soles", "Stand", "soles_at", "stands"]

POINTS = {"left_heel": "left_heel", "left_toe": "left_ball", "right_heel": "right_heel", "right_toe": "right_ball"}
"""Points of the sole by the names that contacts have, and what the figure calls them: toes begin at the ball."""

_OTHER_END = {name: name.replace("heel", "toe") if "heel" in name else name.replace("toe", "heel") for name in POINTS}
_RATE = 120.0
_TURNS = 0.015  # m: a point that covers more, while the other end of its foot covers much less, turns about that one
_MUCH_LESS = 0.6
_PERIODS = 3


class Stand(NamedTuple):
    """A point that stands from start to stop, in s, at a place (3,) in the world."""

    point: str
    start: float
    stop: float
    place: Array


class Soles(NamedTuple):
    """Where the points of the soles are, (4, T, 3) each in the world, m: on the figure, and as the user sees them."""

    figure: Array
    seen: Array


def soles_at(motion: Motion, cycle: BareCycle, times: Array) -> Soles:
    """Return where the points of the soles are, on the figure and on the feet of the user's own skeleton."""
    figure, host = motion.figure, motion.host
    poses = cycle.state(times).poses
    positions, rotations = figure.forward(poses)
    own = _points(figure, {s: (positions[:, k], rotations[:, k]) for k, s in enumerate(SEGMENTS)})
    if not (isinstance(host, Take) and isinstance(cycle, Cycle)):
        return Soles(own, own)
    positions, rotations = cycle.skeleton.forward(*cycle.carry.dress(poses, cycle.residual_at(times)))
    space, turns = host.space, host.fit().calibration.turns
    if any(figure.points[name][0] not in turns for name in POINTS.values()):
        return Soles(own, own)
    feet = {
        segment: (
            space.to_metres(positions[:, joint]),
            quaternion.multiply(space.turn(rotations[:, joint]), constant),
        )
        for segment, (joint, constant) in turns.items()
        if segment.endswith("_foot")
    }
    return Soles(own, _points(figure, feet))


def _points(figure: Figure, segments: Mapping[str, tuple[Array, Array]]) -> Array:
    """Return the points of the soles (4, T, 3), from positions (T, 3) and rotations (T, 4) of segments."""
    found = []
    for name in POINTS.values():
        segment, place = figure.points[name]
        position, rotation = segments[segment]
        found.append(position + quaternion.rotate(rotation, place))
    return np.array(found)


def stands(motion: Motion, cycle: BareCycle) -> list[Stand]:
    """Return when points stand in three periods of a cycle: what stands over the seam does so in the midst of them."""
    count = max(round(cycle.period * _RATE), 24)
    times = np.arange(_PERIODS * count) * cycle.period / count
    one = soles_at(motion, cycle, times[:count]).seen
    every = [one]
    for _ in range(_PERIODS - 1):
        every.append(cycle.travel.step.moved(every[-1]))
    points = dict(zip(POINTS, np.concatenate(every, axis=1), strict=True))
    contacts = find_contacts(times, points, motion.figure.stature)
    flags = planted_points(times, points, contacts)
    found = []
    for name, track in points.items():
        for first, stop in runs(flags[name]):
            own, other = _reach(track[first:stop]), _reach(points[_OTHER_END[name]][first:stop])
            if own <= _TURNS or other > _MUCH_LESS * own:
                place = track[first:stop].mean(axis=0)
                found.append(Stand(name, float(times[first]), float(times[stop - 1]), place))
    return found


def _reach(track: Array) -> float:
    """Return how much floor a point (T, 3) covers, m."""
    return float(np.linalg.norm(np.ptp(track[:, [0, 2]], axis=0)))
