"""Geometry of feet on the floor from above: outlines, pivots on the ball, and gaps."""

from __future__ import annotations

import math
from typing import NamedTuple

from segue.body.figure import Figure
from segue.dance.planning.model import Footprint

Point = tuple[float, float]
"""A point of the floor: x and z in m."""

_BREADTH = 0.055  # of the foot, as a share of stature [DrillisContini1964]
_NEARLY = 1e-9


class FootShape(NamedTuple):
    """A sole as a rectangle about the point under the ankle, in m.

    heel: length behind the ankle. tip: length before it. half_width: to each side. ball: distance of the ball, about
    which the foot pivots, before the ankle.
    """

    heel: float
    tip: float
    half_width: float
    ball: float

    @classmethod
    def of(cls, figure: Figure) -> FootShape:
        """Return the sole of a figure, the same for both feet."""
        build = figure.build
        ball = float(build.toe[2])
        return cls(float(build.heel), ball + float(build.toes), 0.5 * _BREADTH * figure.stature, ball)

    @property
    def length(self) -> float:
        """From heel to toe tip."""
        return self.heel + self.tip

    @property
    def width(self) -> float:
        """From side to side."""
        return 2.0 * self.half_width


def other_foot(foot: str) -> str:
    """Return "right" for "left", and the other way round."""
    return "right" if foot == "left" else "left"


def outward(foot: str) -> float:
    """Return +1 for the left foot, whose outer side and toes turned out are counter-clockwise; -1 for the right."""
    return 1.0 if foot == "left" else -1.0


def ahead(heading: float) -> Point:
    """Return the unit vector that a heading points along, as x and z."""
    return math.sin(heading), math.cos(heading)


def moved(place: Footprint | Point, heading: float, left: float, forward: float) -> Point:
    """Return the point at distances left and forward of a place, facing along a heading."""
    sine, cosine = ahead(heading)
    return place[0] + left * cosine + forward * sine, place[1] - left * sine + forward * cosine


def local(place: Footprint | Point, origin: Footprint | Point, heading: float) -> Point:
    """Return the distances left and forward from an origin to a place, facing along a heading."""
    sine, cosine = ahead(heading)
    x, z = place[0] - origin[0], place[1] - origin[1]
    return x * cosine - z * sine, x * sine + z * cosine


def point_of(foot: Footprint, forward: float) -> Point:
    """Return the point of a foot at a distance forward of its ankle."""
    return moved(foot, foot.heading, 0.0, forward)


def ball_of(foot: Footprint, shape: FootShape) -> Point:
    """Return the place of the ball of a foot."""
    return point_of(foot, shape.ball)


def pivoted(foot: Footprint, heading: float, shape: FootShape) -> Footprint:
    """Return a foot turned on its ball until its toes point along a heading."""
    if abs(heading - foot.heading) < _NEARLY:
        return foot
    x, z = moved(ball_of(foot, shape), heading, 0.0, -shape.ball)
    return Footprint(x, z, heading)


def inner_reach(turned_out: float, shape: FootShape) -> float:
    """Return the extra inward reach in m of a foot turned out by an angle, or in if negative."""
    end = shape.heel if turned_out > 0.0 else shape.tip
    reach = end * abs(math.sin(turned_out)) + shape.half_width * abs(math.cos(turned_out))
    return max(reach - shape.half_width, 0.0)


def gap_between(one: Footprint, other: Footprint, shape: FootShape) -> float:
    """Return the gap between two soles in m, negative where they overlap: the largest gap along separating axes."""
    half, wide = 0.5 * shape.length, shape.half_width
    middle = 0.5 * (shape.tip - shape.heel)
    sine, cosine = math.sin(one.heading), math.cos(one.heading)
    other_sine, other_cosine = math.sin(other.heading), math.cos(other.heading)
    x = other.x - one.x + middle * (other_sine - sine)
    z = other.z - one.z + middle * (other_cosine - cosine)
    along, across = abs(cosine * other_cosine + sine * other_sine), abs(sine * other_cosine - cosine * other_sine)
    ends = half + half * along + wide * across
    sides = wide + wide * along + half * across
    return max(
        abs(x * sine + z * cosine) - ends,
        abs(x * cosine - z * sine) - sides,
        abs(x * other_sine + z * other_cosine) - ends,
        abs(x * other_cosine - z * other_sine) - sides,
    )


def clear_of(foot: Footprint, other: Footprint, shape: FootShape, way: float, gap: float) -> Footprint:
    """Return a foot moved along a heading by the least distance that leaves a gap to the other foot."""
    if gap_between(foot, other, shape) >= gap - _NEARLY:
        return foot
    near, far = 0.0, 2.0 * (shape.length + shape.width)
    x, z = ahead(way)
    while far - near > 1e-6:
        middle = 0.5 * (near + far)
        place = Footprint(foot.x + middle * x, foot.z + middle * z, foot.heading)
        near, far = (near, middle) if gap_between(place, other, shape) >= gap else (middle, far)
    return Footprint(foot.x + far * x, foot.z + far * z, foot.heading)
