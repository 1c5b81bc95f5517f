"""The points under the feet of a cycle, as its user sees them: where they are, and when they stand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.curves.sampled import runs
from segue.cycle.closing import residual_of
from segue.cycle.cycle import BareCycle, Cycle
from segue.motion.clip_source import ClipSource
from segue.motion.contacts import PLANTED, SOLE_POINTS, TOUCHING, contact_flags, find_contacts
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.motion.retargeter import Residual
from segue.typing import Array, Flags

_OTHER_END = [1, 0, 3, 2]  # for each of the `SOLE_POINTS`, the other one of its foot
_RATE = 120.0
_TURNS = 0.015  # m: a point that covers more, while the other end of its foot covers much less, turns about that one
_MUCH_LESS = 0.6
_STANDING = PLANTED._replace(box=TOUCHING.box)  # feet that slide more are put down anew


class Stand(NamedTuple):
    """A point that stands from start to stop, in s, at a place (3,) in the world."""

    point: str
    start: float
    stop: float
    place: Array


class Soles(NamedTuple):
    """Positions of the points of the soles, (4, T, 3) each in the world, m: on the figure, and as the user sees
    them."""

    figure: Array
    seen: Array


def soles_at(motion: Motion, cycle: BareCycle, times: Array) -> Soles:
    """Return where the points of the soles are, on the figure and on the feet of the user's own skeleton."""
    residual = cycle.residual_at(times) if isinstance(cycle, Cycle) else None
    return _soles(motion, cycle.state(times).poses, residual)


def _soles(motion: Motion, poses: Poses, residual: Residual | None) -> Soles:
    figure, host = motion.figure, motion.source
    positions, rotations = figure.forward(poses)
    own = _points(figure, {s: (positions[:, k], rotations[:, k]) for k, s in enumerate(HUMAN.segments)})
    if residual is None or not isinstance(host, ClipSource):
        return Soles(own, own)
    space, turns = host.space, host.fit().calibration.turns
    if any(figure.points[name][0] not in turns for name in SOLE_POINTS):
        return Soles(own, own)
    feet = {segment: turns[segment] for segment in ("left_foot", "right_foot")}
    legs, chain = _legs(host.skeleton, tuple(joint for joint, _ in feet.values()))
    positions, rotations = legs.forward(*(part[:, chain] for part in host.retargeter.to_skeleton(poses, residual)))
    placed = {}
    for segment, (joint, constant) in feet.items():
        at = chain.index(joint)
        turned = quaternion.multiply(space.turn(rotations[:, at]), constant)
        placed[segment] = space.to_metres(positions[:, at]), turned
    return Soles(own, _points(figure, placed))


@lru_cache(maxsize=16)
def _legs(skeleton: Skeleton, feet: tuple[int, ...]) -> tuple[Skeleton, list[int]]:
    """Return only the joints that lead to the feet, and which they are: all others need not be placed."""
    chain = sorted({*feet, *(joint for foot in feet for joint in skeleton.ancestors(foot))})
    names = tuple(skeleton.names[joint] for joint in chain)
    parents = tuple(chain.index(up) if (up := skeleton.parents[joint]) >= 0 else -1 for joint in chain)
    return Skeleton(names, parents, skeleton.offsets[chain]), chain


def _points(figure: Figure, segments: Mapping[str, tuple[Array, Array]]) -> Array:
    """Return the points of the soles (4, T, 3), from positions (T, 3) and rotations (T, 4) of segments."""
    found = []
    for name in SOLE_POINTS:
        segment, place = figure.points[name]
        position, rotation = segments[segment]
        found.append(position + quaternion.rotate(rotation, place))
    return np.array(found)


def captured_stands(motion: Motion, cycle: BareCycle, ground: Ground | None = None) -> Flags:
    """Return when points stand in the motion that a cycle was made of, (4, N) for N samples of the period."""
    count = _sample_count(cycle)
    step, start = cycle.period / count, cycle.seam.start
    # what stands at either end of the cycle is seen to do so only from beyond
    first = -min(int((start - motion.start) / step + 1e-9), count // 2)
    last = count + min(int((motion.stop - cycle.seam.stop) / step + 1e-9), count // 2)
    times = start + step * np.arange(first, last, dtype=float)
    tracks = motion.tracks.values()
    if any(track.at(times[0]) is not track.at(times[-1]) for track in tracks):
        first, times = 0, start + step * np.arange(count, dtype=float)
    residual = residual_of(motion, motion.source, times) if isinstance(motion.source, ClipSource) else None
    seen = _soles(motion, motion.at(times), residual).seen
    return _standing(motion, times, seen, ground)[:, -first : count - first]


def stands(motion: Motion, cycle: BareCycle, captured: Flags, ground: Ground | None = None) -> list[Stand]:
    """Return when points stand in a period of a cycle, from 0 on, and in half a one before and after it.

    captured: (4, N) when they stood in the motion that the cycle was made of, where they may slide by now.
    ground: under the period from 0 on, and repeated with the cycle.
    """
    count = captured.shape[1]
    at = np.arange(-(count // 2), count + count // 2)
    step, travel = cycle.period / count, cycle.travel
    samples = step * np.arange(count, dtype=float)
    world = soles_at(motion, cycle, samples).seen
    seen = travel.seen(np.swapaxes(world, 0, 1), samples)
    times = step * at.astype(float)
    points = np.swapaxes(travel.placed(seen[at % count], times), 0, 1)
    under = None if ground is None else ground.under(world)[:, at % count] + travel.rise * (at // count)
    flags = _standing(motion, times, points, under) | captured[:, at % count]
    found = []
    for p, (name, other) in enumerate(zip(SOLE_POINTS, _OTHER_END, strict=True)):
        for first, stop in runs(flags[p]):
            own, far = _reach(points[p, first:stop]), _reach(points[other, first:stop])
            if own <= _TURNS or far > _MUCH_LESS * own:
                place = points[p, first:stop].mean(axis=0)
                found.append(Stand(name, float(times[first]), float(times[stop - 1]), place))
    return found


def _sample_count(cycle: BareCycle) -> int:
    return max(round(cycle.period * _RATE), 24)


def _standing(motion: Motion, times: Array, points: Array, ground: Ground | Array | None) -> Flags:
    """Return when points (4, T, 3) stand, (4, T); ground: as for `find_contacts`."""
    named = dict(zip(SOLE_POINTS, points, strict=True))
    contacts = find_contacts(times, named, motion.figure.stature, ground, _STANDING)
    return np.array(list(contact_flags(times, contacts, named).values()))


def _reach(track: Array) -> float:
    """Return how much floor a point (T, 3) covers, m."""
    return float(np.linalg.norm(np.ptp(track[:, [0, 2]], axis=0)))
