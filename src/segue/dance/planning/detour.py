"""The way of a swinging foot past the standing one: straight where it can be, else round its corners."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from segue.dance.planning.feet import FootShape, Point, gap_between, moved
from segue.dance.planning.model import Footprint

__all__ = ["clearance", "way_round"]

_SAMPLES = 12
_MARGIN = 0.004  # m that the swinging sole keeps from the standing one, seen from above
_CORNER = 0.012  # m further out than the corner that would just do
_WIDER = 0.06  # the same, for feet that turn on their way
_FAR = 0.05


def way_round(start: Footprint, end: Footprint, standing: Sequence[Footprint], shape: FootShape) -> tuple[Point, ...]:
    """Return points by which a foot goes from start to end without passing over the standing foot.

    standing: how the other foot stands meanwhile, before and after it turns. No points: the straight way is clear. Of
    the ways round one or two corners the shortest is taken; where none is clear, the one that comes least near.
    """
    least = min([_MARGIN, *(gap_between(place, other, shape) for place in (start, end) for other in standing)])
    if clearance(start, end, (), standing, shape) >= least:
        return ()
    best: tuple[float, tuple[Point, ...]] = (-math.inf, ())
    for points in sorted(_ways(standing[-1], shape), key=lambda way: _length(start, end, way)):
        clear = clearance(start, end, points, standing, shape)
        if clear >= least:
            return points
        best = max(best, (clear, points))
    return best[1]


def clearance(
    start: Footprint, end: Footprint, via: Sequence[Point], standing: Sequence[Footprint], shape: FootShape
) -> float:
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
        # the standing foot turns as the other one swings: each half of the way meets it as it is then
        other = standing[0] if share < 0.5 else standing[-1]
        if math.dist(foot[:2], other[:2]) < reach:
            nearest = min(nearest, gap_between(foot, other, shape))
    return nearest


def _ways(standing: Footprint, shape: FootShape) -> Iterator[tuple[Point, ...]]:
    """Yield ways beside the standing foot, near and a little further out, and round one or two of its corners."""
    along, beside = shape.length + _CORNER, 0.25 * shape.length
    for aside in (shape.width + _CORNER, shape.width + _WIDER):
        for forward in (-along, -beside, beside, along):
            yield from ((moved(standing, standing.heading, left, forward),) for left in (aside, -aside))
    aside = shape.width + _CORNER
    corners = [
        moved(standing, standing.heading, left, forward)
        for left, forward in ((aside, along), (aside, -along), (-aside, -along), (-aside, along))
    ]
    for one, next_one in zip(corners, corners[1:] + corners[:1], strict=True):
        yield from ((one, next_one), (next_one, one))


def _length(start: Footprint, end: Footprint, via: Sequence[Point]) -> float:
    places = [(start.x, start.z), *via, (end.x, end.z)]
    return sum(math.dist(a, b) for a, b in pairwise(places))


def _along(places: Sequence[Point], lengths: Sequence[float], distance: float) -> Point:
    for (a, b), length in zip(pairwise(places), lengths, strict=True):
        if distance <= length and length > 0.0:
            share = distance / length
            return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        distance -= length
    return places[-1]
