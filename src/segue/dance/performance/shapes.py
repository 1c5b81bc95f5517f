"""Represent bodies by capsules, to measure gaps between feet, legs and trunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segue.body.build import Build
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.performance._capsule_kernels import least_gaps
from segue.typing import Array


class Shape(NamedTuple):
    """A capsule in a segment's frame, in m; part: "trunk", or a leg or foot such as "left_leg". Arms have none."""

    part: str
    segment: str
    start: tuple[float, float, float]
    stop: tuple[float, float, float]
    radius: float


def shapes_of(build: Build) -> list[Shape]:
    """Return the capsules of a body, the radii fractions of its stature for a slender adult."""
    h = build.stature
    up = float(build.neck[1])
    shapes = []
    for side, s in (("left", 1.0), ("right", -1.0)):
        flank = 0.03 * h * s
        shapes += [
            Shape("trunk", "pelvis", (flank, 0.0, 0.0), (flank, 0.05 * h, 0.0), 0.055 * h),
            Shape("trunk", "torso", (flank, 0.0, 0.0), (flank, 0.75 * up, 0.0), 0.055 * h),
            Shape(f"{side}_leg", f"{side}_thigh", (0.0, 0.0, 0.0), (0.0, -build.thigh, 0.0), 0.032 * h),
            Shape(f"{side}_leg", f"{side}_shank", (0.0, 0.0, 0.0), (0.0, -0.85 * build.shank, 0.0), 0.026 * h),
        ]
        # the outline of a foot is round: its capsules end one radius before heel and tip
        radius = 0.0235 * h
        heel, ball = radius - build.heel, float(build.toe[2])
        low, under = 0.3 * build.sole - build.sole, 0.3 * build.sole - build.sole - float(build.toe[1])
        foot = f"{side}_foot"
        shapes += [
            Shape(foot, foot, (0.0, low, heel), (0.0, low, ball), radius),
            Shape(foot, f"{side}_toes", (0.0, under, 0.0), (0.0, under, max(build.toes - radius, 0.0)), radius),
        ]
    return shapes


@dataclass(frozen=True, eq=False)
class BodyCapsules:
    """A body's capsules over T frames: starts, stops (T, C, 3), radii (C,), and the part that each belongs to."""

    starts: Array
    stops: Array
    radii: Array
    parts: tuple[str, ...]

    @classmethod
    def of(cls, figure: Figure, poses: Poses) -> BodyCapsules:
        """Return the capsules of a figure in its poses."""
        shapes = shapes_of(figure.build)
        positions, rotations = figure.forward(poses)
        at = [HUMAN.segments.index(shape.segment) for shape in shapes]
        base, turn = positions[:, at], rotations[:, at]
        ends = []
        for places in ([shape.start for shape in shapes], [shape.stop for shape in shapes]):
            ends.append(base + quaternion.rotate(turn, np.broadcast_to(np.array(places), base.shape)))
        radii = np.array([shape.radius for shape in shapes])
        return cls(ends[0], ends[1], radii, tuple(shape.part for shape in shapes))

    def of_parts(self, parts: Sequence[str]) -> list[int]:
        """Return the indices of the capsules of some parts."""
        return [c for c, part in enumerate(self.parts) if part in parts]


def gaps_between(one: BodyCapsules, parts: Sequence[str], other: BodyCapsules, others: Sequence[str]) -> Array:
    """Return the least gap (T,) in m between some parts of one body and some of another, or of itself."""
    pairs = np.array([(i, j) for i in one.of_parts(parts) for j in other.of_parts(others)], dtype=np.int64)
    gaps: Array = least_gaps(one.starts, one.stops, one.radii, other.starts, other.stops, other.radii, pairs)
    return gaps
