"""Shapes of a figure that touch the floor: balls under the soles, and capsules round the limbs of a body that falls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.build import Build, mirrored
from segue.body.figure import Figure
from segue.dance.performance.shapes import shapes_of
from segue.typing import Array

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
