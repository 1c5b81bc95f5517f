"""Find the path of a swinging foot past other feet: straight if clear, else in a bow or round the standing foot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from segue.dance.planning._detour_kernels import nearest_pass
from segue.dance.planning.feet import FootShape, Point, ahead, gap_between, local, moved, pivoted
from segue.dance.planning.model import Footprint
from segue.typing import Array

Pivot = tuple[Footprint, Footprint]
"""A standing foot before and after it pivots on its ball."""

_SAMPLES = 12
_MARGIN = 0.004  # m that the swinging sole keeps from the standing one, seen from above
_FAR = 0.05
# shares of the path, and of the bow's depth there: a round bow, and for narrow places a nearly square one
_BOWS = (((0.25, 0.75), (0.5, 1.0), (0.75, 0.75)), ((0.08, 0.85), (0.5, 1.0), (0.92, 0.85)))
_FINEST, _DEEPEST = 0.015, 0.42  # m
_MARGINS = (0.008, 0.03, 0.06)  # m beyond the corner that is enough for parallel feet


class Obstacle(NamedTuple):
    """A foot that a swinging foot must pass: its footprint at a share of the swing, and its sole."""

    at: Callable[[float], Footprint]
    shape: FootShape


def standing_foot(standing: Pivot, shape: FootShape) -> Obstacle:
    """Return a standing or pivoting foot as an obstacle."""
    before, after = standing
    return Obstacle(lambda share: pivoted(before, _mixed(before.heading, after.heading, share), shape), shape)


def swinging_foot(start: Footprint, end: Footprint, via: Sequence[Point], shape: FootShape) -> Obstacle:
    """Return a foot that swings through points as an obstacle."""
    places = [(start.x, start.z), *via, (end.x, end.z)]
    lengths = [math.dist(a, b) for a, b in pairwise(places)]
    total = sum(lengths)
    return Obstacle(
        lambda share: Footprint(
            *_along(places, lengths, share * total), heading=_mixed(start.heading, end.heading, share)
        ),
        shape,
    )


def find_detour(
    start: Footprint,
    end: Footprint,
    standing: Pivot,
    shape: FootShape,
    front: float = 0.0,
    partner: Sequence[Obstacle] = (),
    longest: float = math.inf,
    *,
    strict: bool = False,
) -> tuple[Point, ...]:
    """Return points that lead a foot from start to end without passing over the standing foot; none if straight.

    standing: the other foot, before and after it pivots. front: 1 to cross in front of the standing foot, -1 behind it,
    0 either way; strict: never the other way. partner: feet of a partner to avoid. longest: length of the path in m, at
    most. The flattest bow or shortest detour that is clear is taken, or if none is, the one with the largest clearance.
    """
    obstacles = (standing_foot(standing, shape), *partner)
    scene = _scene(obstacles)
    ends = [
        gap_between(foot, each.at(share), each.shape) for each in obstacles for share, foot in ((0, start), (1, end))
    ]
    least = min(_MARGIN, *ends)
    best: tuple[Point, ...] = ()
    clearest = _clearance(start, end, best, scene, shape)
    wished = [(1.0, -1.0)] if not front else [(front,)] if strict else [(front,), (-front,)]
    ways = _ways(start, end, standing, shape, wished, both_sides=bool(partner))
    while clearest < least:
        way = next(ways, None)
        if way is None:
            break
        if _length(start, end, way) > longest:
            continue
        clear = _clearance(start, end, way, scene, shape)
        if clear > clearest:
            best, clearest = way, clear
    return best


def clearance(
    start: Footprint, end: Footprint, via: Sequence[Point], obstacles: Sequence[Obstacle], shape: FootShape
) -> float:
    """Return the clearance of a foot from obstacles along its path in m, at most 5 cm; negative where it overlaps."""
    return _clearance(start, end, via, _scene(obstacles), shape)


class _Scene(NamedTuple):
    """Obstacles during a swing for the kernel: footprints (O, S, 3) and soles (O, 3)."""

    places: Array
    soles: Array


def _scene(obstacles: Sequence[Obstacle]) -> _Scene:
    shares = [i / _SAMPLES for i in range(1, _SAMPLES)]
    places = np.array([[each.at(share) for share in shares] for each in obstacles])
    shapes = [each.shape for each in obstacles]
    soles = np.array([(0.5 * shape.length, shape.half_width, 0.5 * (shape.tip - shape.heel)) for shape in shapes])
    return _Scene(places, soles)


def _clearance(start: Footprint, end: Footprint, via: Sequence[Point], scene: _Scene, shape: FootShape) -> float:
    way = np.array([start[:2], *via, end[:2]])
    reach = 2.0 * math.hypot(shape.tip, shape.half_width) + _FAR
    return float(nearest_pass(way, start.heading, end.heading, *scene, reach, _FAR))


def _ways(
    start: Footprint,
    end: Footprint,
    standing: Pivot,
    shape: FootShape,
    wished: Sequence[tuple[float, ...]],
    *,
    both_sides: bool,
) -> Iterator[tuple[Point, ...]]:
    """Yield candidate paths: bows for a foot that stays on its side, else round the ends of the standing foot.

    wished: in order of preference, in front of (1) or behind (-1) the standing foot. both_sides: also bows between the
    standing foot and the partner.
    """
    ends = _side(end, standing[1])
    facing = 0.5 * (standing[0].heading + standing[1].heading)
    outwards = ahead(facing + ends * math.pi / 2)
    if _side(start, standing[0]) == ends:
        inwards = -outwards[0], -outwards[1]
        yield from _bows(start, end, (outwards, inwards) if both_sides else (outwards,))
        return
    for sides in wished:
        ways = [way for side in sides for way in _crossings(standing[1], shape, side, ends)]
        yield from sorted(ways, key=lambda way: _length(start, end, way))
        for side in sides:
            yield from _bows(start, end, (ahead(facing if side > 0.0 else facing + math.pi),))


def _crossings(standing: Footprint, shape: FootShape, front: float, ends: float) -> Iterator[tuple[Point, ...]]:
    """Yield paths in front of (1) or behind (-1) a foot to its left (ends: 1) or right (-1), by one corner or two."""
    for margin in _MARGINS:
        aside, along = shape.width + margin, front * (shape.length + margin)
        near, far = (moved(standing, standing.heading, side * aside, along) for side in (-ends, ends))
        middle = moved(standing, standing.heading, 0.0, along)
        yield from ((near, far), (far,), (near,), (middle,), (middle, far))


def _bows(start: Footprint, end: Footprint, sides: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    """Yield bows from flat to deep, each to every side in turn."""
    x, z = end.x - start.x, end.z - start.z
    chord = math.hypot(x, z)
    if chord < 1e-6:
        return
    senses = [math.copysign(1.0, outwards[0] * z - outwards[1] * x) / chord for outwards in sides]
    for bow in _BOWS:
        for i in range(1, round(_DEEPEST / _FINEST) + 1):
            for sense in senses:
                deep = i * _FINEST * sense
                yield tuple(
                    (start.x + along * x + part * deep * z, start.z + along * z - part * deep * x)
                    for along, part in bow
                )


def _length(start: Footprint, end: Footprint, via: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise([start[:2], *via, end[:2]]))


def _mixed(one: float, other: float, share: float) -> float:
    return one + share * (other - one)


def _side(place: Footprint, standing: Footprint) -> float:
    """Return 1 for a foot to the left of the standing one, -1 for one to its right."""
    return math.copysign(1.0, local(place, standing, standing.heading)[0])


def _along(places: Sequence[Point], lengths: Sequence[float], distance: float) -> Point:
    for (a, b), length in zip(pairwise(places), lengths, strict=True):
        if distance <= length and length > 0.0:
            share = distance / length
            return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        distance -= length
    return places[-1]
