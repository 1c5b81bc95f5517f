"""The way of a swinging foot past the standing one: straight where it can be, else in a bow or round its end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from segue.dance.planning.feet import FootShape, Point, ahead, gap_between, local, moved, pivoted
from segue.dance.planning.model import Footprint

__all__ = ["Turned", "clearance", "way_round"]

Turned = tuple[Footprint, Footprint]
"""A foot before and after a turn on its ball."""

_SAMPLES = 12
_MARGIN = 0.004  # m that the swinging sole keeps from the standing one, seen from above
_FAR = 0.05
# shares of the way, and of the bow's depth there: round ones first, for narrow places one that is as good as square
_BOWS = (((0.25, 0.75), (0.5, 1.0), (0.75, 0.75)), ((0.08, 0.85), (0.5, 1.0), (0.92, 0.85)))
_FINEST, _DEEPEST = 0.015, 0.42  # m
_MARGINS = (0.008, 0.03, 0.06)  # m beyond the corner that just does for feet that point the same way


def way_round(
    start: Footprint, end: Footprint, standing: Turned, shape: FootShape, front: float = 0.0
) -> tuple[Point, ...]:
    """Return points by which a foot goes from start to end without passing over the standing foot.

    standing: how the other foot stands meanwhile, before and after it turns on its ball. front: 1 for a foot that
    crosses before the standing one, -1 for one that does so behind it, 0 where either will do. No points: the straight
    way is clear. Else the flattest bow or shortest way round that is clear is taken; where none is, the one that comes
    least near.
    """
    least = min(_MARGIN, gap_between(start, standing[0], shape), gap_between(end, standing[1], shape))
    best: tuple[Point, ...] = ()
    clearest = clearance(start, end, best, standing, shape)
    ways = _ways(start, end, standing, shape, front)
    while clearest < least:
        way = next(ways, None)
        if way is None:
            break
        clear = clearance(start, end, way, standing, shape)
        if clear > clearest:
            best, clearest = way, clear
    return best


def clearance(start: Footprint, end: Footprint, via: Sequence[Point], standing: Turned, shape: FootShape) -> float:
    """Return how near a foot comes to the standing one on its way, in m; negative: how deep it would pass over it.

    What is further away than some centimetres is not measured.
    """
    places = [(start.x, start.z), *via, (end.x, end.z)]
    lengths = [math.dist(a, b) for a, b in pairwise(places)]
    total = sum(lengths) or 1.0
    nearest = _FAR
    reach = 2.0 * math.hypot(shape.tip, shape.half_width) + _FAR
    for i in range(1, _SAMPLES):
        share = i / _SAMPLES
        x, z = _along(places, lengths, share * total)
        foot = Footprint(x, z, start.heading + share * (end.heading - start.heading))
        toes = standing[0].heading + share * (standing[1].heading - standing[0].heading)
        other = pivoted(standing[0], toes, shape)
        if math.dist(foot[:2], other[:2]) < reach:
            nearest = min(nearest, gap_between(foot, other, shape))
    return nearest


def _ways(
    start: Footprint, end: Footprint, standing: Turned, shape: FootShape, front: float
) -> Iterator[tuple[Point, ...]]:
    """Yield ways to try: bows to its own side for a foot that stays there, else round the standing foot's ends."""
    ends = _side(end, standing[1])
    facing = 0.5 * (standing[0].heading + standing[1].heading)
    outwards = ahead(facing + ends * math.pi / 2)
    if _side(start, standing[0]) == ends:
        yield from _bows(start, end, outwards)
        return
    wished = [(front,), (-front,)] if front else [(1.0, -1.0)]
    for sides in wished:
        ways = [way for side in sides for way in _crossings(standing[1], shape, side, ends)]
        yield from sorted(ways, key=lambda way: _length(start, end, way))
        for side in sides:
            yield from _bows(start, end, ahead(facing if side > 0.0 else facing + math.pi))


def _crossings(standing: Footprint, shape: FootShape, front: float, ends: float) -> Iterator[tuple[Point, ...]]:
    """Yield ways before (front: 1) or behind (-1) a foot to its left (ends: 1) or right (-1): by one corner or two."""
    for margin in _MARGINS:
        aside, along = shape.width + margin, front * (shape.length + margin)
        near, far = (moved(standing, standing.heading, side * aside, along) for side in (-ends, ends))
        middle = moved(standing, standing.heading, 0.0, along)
        yield from ((near, far), (far,), (near,), (middle,), (middle, far))


def _bows(start: Footprint, end: Footprint, outwards: Point) -> Iterator[tuple[Point, ...]]:
    """Yield ways from flat bows to deep ones, all to one side."""
    x, z = end.x - start.x, end.z - start.z
    chord = math.hypot(x, z)
    if chord < 1e-6:
        return
    sense = math.copysign(1.0, outwards[0] * z - outwards[1] * x)
    across = (sense * z / chord, -sense * x / chord)
    for bow in _BOWS:
        for i in range(1, round(_DEEPEST / _FINEST) + 1):
            deep = i * _FINEST
            yield tuple(
                (start.x + along * x + part * deep * across[0], start.z + along * z + part * deep * across[1])
                for along, part in bow
            )


def _length(start: Footprint, end: Footprint, via: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise([start[:2], *via, end[:2]]))


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
