"""Shapes of a body: capsules to measure gaps between feet, legs and trunks, and shapes that touch the floor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.build import Build, mirrored
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.body._capsule_kernels import least_gaps
from segue.typing import Array

LEG_PARTS = ("left_leg", "right_leg", "left_foot", "right_foot")
"""Parts of both legs, as `Shape` names them."""


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

    def at(self, frames: slice) -> BodyCapsules:
        """Return the capsules at some frames."""
        return BodyCapsules(self.starts[frames], self.stops[frames], self.radii, self.parts)

    def of_parts(self, parts: Sequence[str]) -> list[int]:
        """Return the indices of the capsules of some parts."""
        return [c for c, part in enumerate(self.parts) if part in parts]


def gaps_between(one: BodyCapsules, parts: Sequence[str], other: BodyCapsules, others: Sequence[str]) -> Array:
    """Return the least gap (T,) in m between some parts of one body and some of another, or of itself."""
    pairs = np.array([(i, j) for i in one.of_parts(parts) for j in other.of_parts(others)], dtype=np.int64)
    gaps: Array = least_gaps(one.starts, one.stops, one.radii, other.starts, other.stops, other.radii, pairs)
    return gaps


SOLE_POINTS = 6
"""Balls under a sole: two under the heel, two under the ball of the foot, two under the tips of the toes."""

AXIS_POINT = 2
"""The ball that a foot pivots on: the inner one under the ball of the foot."""

LEG_SEGMENTS = ("thigh", "shank", "foot", "toes")
"""Segments of a leg, from the hip down."""

# shares of the length of the foot: half the breadth of a loaded bare foot, after footprints of adults
_HALF_BREADTHS = {"heel": 0.13, "ball": 0.155, "tip": 0.12}
_RADIUS = 0.05

# radii as shares of the stature, about those of the limbs' circumferences
_RADII = {"thigh": 0.045, "shank": 0.03, "upper_arm": 0.026, "forearm": 0.022, "hand": 0.018}
_YIELDS = 0.006  # likewise: depth of soft flesh at thighs and calves
_TRUNK_RADIUS, _HEAD_RADIUS = 0.065, 0.05


class Ball(NamedTuple):
    """A ball under a segment: its centre in the segment's frame and its radius, in m."""

    segment: str
    centre: Array
    radius: float


def sole_balls(build: Build) -> dict[str, Ball]:
    """Return the balls under both soles by name, left first; their lowest points are level with the sole.

    Balls under the heel belong to the foot, balls under ball and toes to the toes. So a foot whose heel rises turns
    about the toe joint, and the balls that bear it stay where they are.
    """
    length = build.heel + build.toe[2] + build.toes
    radius = _RADIUS * length
    low = -build.sole + radius
    balls = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        toe = build.toe if sign > 0 else mirrored(build.toe)
        places = (
            ("heel", "foot", np.array([0.0, low, -build.heel])),
            ("ball", "toes", np.array([0.0, low - toe[1], 0.0])),
            ("tip", "toes", np.array([0.0, low - toe[1], build.toes - radius])),
        )
        for name, part, middle in places:
            half = _HALF_BREADTHS[name] * length
            for where, across in (("inner", -sign * half), ("outer", sign * half)):
                centre = middle + np.array([across, 0.0, 0.0])
                balls[f"{side}_{name}_{where}"] = Ball(f"{side}_{part}", centre, radius)
    return balls


def capsules(figure: Figure) -> Iterator[tuple[str, Array, Array, float]]:
    """Yield capsules round limbs, trunk and head: (segment, start, stop, radius), in the segment's frame, m."""
    build, stature = figure.build, figure.stature
    trunk, head = _TRUNK_RADIUS * stature, _HEAD_RADIUS * stature
    width = np.array([build.half_hip, 0.0, 0.0])
    yield "pelvis", -width, width, trunk
    yield "torso", np.zeros(3), build.clavicle * np.array([0.0, 1.0, 1.0]), trunk
    yield "head", np.array([0.0, head, 0.0]), np.array([0.0, build.head - head, 0.0]), head
    down, out = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    limbs = {
        "thigh": build.thigh * down,
        "shank": build.shank * down,
        "upper_arm": build.upper_arm * out,
        "forearm": build.forearm * out,
        "hand": build.hand * out,
    }
    for part, stop in limbs.items():
        radius = _RADII[part] * stature
        # no capsule reaches beyond its joint, where the balls of the sole have to bear the weight
        inset = min(radius / float(np.linalg.norm(stop)), 0.45)
        for side, tip in (("left", stop), ("right", mirrored(stop))):
            yield f"{side}_{part}", inset * tip, (1.0 - inset) * tip, radius


def firm_radii(build: Build) -> Array:
    """Return the radii (S,) of the shapes of `shapes_of` in m, without the depth of soft flesh."""
    yields = _YIELDS * build.stature
    return np.array([s.radius - yields * s.segment.endswith(("thigh", "shank")) for s in shapes_of(build)])


def leg_pairs(build: Build) -> npt.NDArray[np.int64]:
    """Return the pairs (P, 2) of leg shapes that collide, left and right, as numbered by `shapes_of`.

    Thighs may overlap each other: they always touch, and yield.
    """
    segments = [shape.segment for shape in shapes_of(build)]
    legs = [k for k, segment in enumerate(segments) if segment.endswith(LEG_SEGMENTS)]
    pairs = [(i, j) for i in legs if segments[i].startswith("left") for j in legs if segments[j].startswith("right")]
    return np.array(
        [(i, j) for i, j in pairs if not segments[i].endswith("thigh") or not segments[j].endswith("thigh")]
    )
