"""Contents of a page: bodies, poses, forces, filled gaps and colours, as plain numbers and strings.

Poses take about 94 bytes a frame, and place joints within a fraction of a millimetre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.errors import ArgumentError
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.motion.track_table import parts_of
from segue.motion.tracks import TRACKS, joints_of
from segue.typing import Array
from segue.view.character import character_of, encoded_skin, packed, smallest_three
from segue.view.flesh import COLOURS, Facets, body_capsules, body_ellipsoids, facets_of, ground_under
from segue.view.picture import colour, course
from segue.view.strips import Fill, natural_camera

_SHADES = 33
# far from blue, red and green, the colours of filled gaps, and a little lighter than on paper
_BODIES = ("grey", "orange", "sky blue", "purple", "yellow")
_LIGHTER = 0.2
_TRAILS = {"root": "grey", "left_ball": "blue", "right_ball": "vermilion"}
_SHAPE = ("start", "stop", "radii", "stretch")
_MOST_TRIANGLES = 10_000  # of a ground: the corners of its two sides are counted with 16 bits
_DECIMALS = 6  # a thousandth of a millimetre
_ANGLE_STEPS = 65535
_AZIMUTH, _ELEVATION = 60.0, 12.0  # degrees, of a camera before there is a motion


class ShownForces(NamedTuple):
    """A forces at each of T frames of a motion: points (T, A, 3) where they act, and lines (T, A, 3) to draw, in m."""

    points: Array
    lines: Array


class ShownMotion(NamedTuple):
    """A motion of a page: its label, the gaps that were filled in it, the forces that act on it, and its ground.

    ground: what it stands on; "auto" shows the treads or the slope that is found under it, None a floor at 0. mesh:
    show the mesh of the file that the motion was loaded from, if there is one.
    """

    label: str
    motion: Motion
    fills: Sequence[Fill]
    forces: ShownForces | None = None
    ground: Ground | str | None = "auto"
    mesh: bool = True


def contents(shown: Sequence[ShownMotion], together: bool = False) -> dict[str, Any]:
    """Return everything that the page's script reads. together: start with motions in place, not side by side."""
    if not shown:
        raise ArgumentError("there is nothing to show: at least one motion is needed")
    first = shown[0].motion
    camera = natural_camera(first.figure, first.poses)
    return {
        **scene(),
        "camera": {"azimuth": camera.azimuth_deg, "elevation": camera.elevation_deg},
        "together": together,
        "motions": [_motion(each) for each in shown],
    }


def scene() -> dict[str, Any]:
    """Return the part of the contents that is the same for all motions: the tree of the body, and colours."""
    return {
        "tree": _tree(),
        "camera": {"azimuth": _AZIMUTH, "elevation": _ELEVATION},
        "colours": {
            "whole": _rounded(course("blue to red", _SHADES)),
            "limbs": _rounded(course("green", 1)),
            "bodies": [_rounded(colour(name) + _LIGHTER * (1.0 - colour(name))) for name in _BODIES],
            "forces": _rounded(colour("green")),
            "ground": _rounded(COLOURS[0]),
            "trails": {point: _rounded(colour(name)) for point, name in _TRAILS.items()},
        },
        "together": True,
        "motions": [],
    }


def _tree() -> dict[str, Any]:
    """Return the tree that all figures share: parents of segments, and their joints."""
    tree = Figure.standard().tree
    return {
        "segments": list(HUMAN.segments),
        "parents": tree.parents.tolist(),
        "balls": tree.balls.tolist(),
        "hinges": tree.hinges.tolist(),
        "axes": tree.axes.tolist(),
    }


def _motion(shown: ShownMotion) -> dict[str, Any]:
    under = drawn_ground(shown)
    poses = encode(under.lifted(shown.motion.poses))
    hinges = {"lows": list(poses.lows), "steps": list(poses.steps)}
    return {**body(shown, under), "frames": poses.frames, "hinges": hinges, "poses": poses.text}


class DrawnGround(NamedTuple):
    """The ground under a motion as it is drawn: its facets, None for a floor at 0, and the height to draw it at, m."""

    facets: Facets | None
    lift: float

    def lifted(self, poses: Poses) -> Poses:
        """Return poses at the height at which the ground is drawn."""
        if self.lift == 0.0:
            return poses
        return Poses(poses.root + np.array([0.0, self.lift, 0.0]), poses.balls, poses.hinges)


def drawn_ground(shown: ShownMotion) -> DrawnGround:
    """Return the ground under a motion, raised so that its floor is at 0."""
    under = ground_under(shown.motion, shown.ground)
    if under is None:
        return DrawnGround(None, 0.0)
    facets = facets_of(under, shown.motion.poses.root)
    if len(facets.corners) > _MOST_TRIANGLES:
        raise ArgumentError(f"the ground has {len(facets.corners)} triangles: a page shows {_MOST_TRIANGLES}")
    return DrawnGround(facets.moved(np.array([0.0, -facets.floor, 0.0])), -facets.floor)


def body(shown: ShownMotion, under: DrawnGround) -> dict[str, Any]:
    """Return all of a motion but its poses: body, ground, filled gaps, forces, and the mesh of its file."""
    motion, forces, figure = shown.motion, shown.forces, shown.motion.figure
    character = character_of(motion) if shown.mesh else None
    return {
        "label": shown.label,
        "start": motion.start,
        "fps": motion.fps,
        **_shape_of(figure),
        "fills": [_fill(fill) for fill in shown.fills],
        "ground": None if under.facets is None else _rounded(under.facets.corners.ravel()),
        "forces": None if forces is None else encoded_forces(forces, motion),
        "skin": None if character is None else encoded_skin(character.moved(np.array([0.0, under.lift, 0.0]))),
    }


@lru_cache(maxsize=16)
def _shape_of(figure: Figure) -> dict[str, Any]:
    """Return what is drawn of a figure; it must not be changed."""
    return {
        "stature": figure.stature,
        "offsets": _rounded(figure.offsets),
        "shapes": _shapes(figure),
        "points": {
            name: {"segment": HUMAN.segments.index(segment), "place": _rounded(place)}
            for name, (segment, place) in figure.points.items()
        },
    }


def _shapes(figure: Figure) -> list[dict[str, Any]]:
    """Return the shapes of a body. An ellipsoid is a stretched capsule of length 0 and radius 1."""
    capsules, ellipsoids = body_capsules(figure.build), body_ellipsoids(figure.build)
    even, unit = (1.0, 1.0, 1.0), (1.0, 1.0)
    return [
        _shape(each.segment, each.start, each.stop, (each.start_radius, each.stop_radius), even) for each in capsules
    ] + [_shape(each.segment, each.centre, each.centre, unit, each.radii) for each in ellipsoids]


def _shape(segment: str, *numbers: tuple[float, ...]) -> dict[str, Any]:
    rows = {name: _rounded(np.array(row)) for name, row in zip(_SHAPE, numbers, strict=True)}
    return {"segment": HUMAN.segments.index(segment)} | rows


def _fill(fill: Fill) -> dict[str, Any]:
    joints = set(joints_of(fill.tracks))
    return {
        "start": fill.start,
        "stop": fill.stop,
        "whole": set(fill.tracks) >= set(TRACKS),
        # a joint and its segment have the same index
        "segments": [s for s, joint in enumerate(HUMAN.joint_names) if joint in joints],
        "what": ", ".join(parts_of(fill.tracks)).replace("_", " "),
    }


def _rounded(numbers: Array) -> list[Any]:
    rows: list[Any] = numbers.round(_DECIMALS).tolist()
    return rows


@dataclass(frozen=True)
class EncodedPoses:
    """Poses of T frames, and the least angle and the angle's step, in rad, of each hinge.

    root: (T, 3), 32-bit floats. balls: (T, 7, 3) as `smallest_three`. hinges: (T, 20), 16-bit integers.
    """

    root: npt.NDArray[np.float32]
    balls: npt.NDArray[np.uint16]
    hinges: npt.NDArray[np.uint16]
    lows: tuple[float, ...]
    steps: tuple[float, ...]

    @property
    def frames(self) -> int:
        """The number of frames."""
        return len(self.root)

    @property
    def text(self) -> str:
        """Roots, ball joints and hinges one after another, little-endian, in base64."""
        return packed(self.root, self.balls, self.hinges)


def encode(poses: Poses) -> EncodedPoses:
    """Return poses for the page, or raise ArgumentError at a number that is not finite."""
    check_finite(poses)
    lows = poses.hinges.min(axis=0)
    steps = np.ptp(poses.hinges, axis=0) / _ANGLE_STEPS
    counts = np.round((poses.hinges - lows) / np.where(steps > 0, steps, 1.0)).astype("<u2")
    root = poses.root.astype("<f4")
    return EncodedPoses(root, smallest_three(poses.balls), counts, tuple(lows.tolist()), tuple(steps.tolist()))


def check_finite(poses: Poses, first: int = 0) -> None:
    """Raise ArgumentError at a number that is not finite; first: the number of the first frame."""
    finite = np.isfinite(poses.root).all(axis=1)
    finite &= np.isfinite(poses.balls).all(axis=(1, 2)) & np.isfinite(poses.hinges).all(axis=1)
    if not finite.all():
        raise ArgumentError(
            f"frame {first + int(np.argmin(finite))} cannot be shown: each of its numbers must be finite"
        )


def encoded_forces(forces: ShownForces, motion: Motion) -> dict[str, Any]:
    """Return forces for the page: their count, and both ends (T, A, 2, 3) as 32-bit floats in base64."""
    frames, count = forces.points.shape[:2]
    if forces.points.shape != forces.lines.shape or frames != len(motion):
        raise ArgumentError(
            f"the motion has {len(motion)} frames, and its forces {frames} points and {len(forces.lines)} lines: "
            "each frame needs as many"
        )
    return {"count": count, "ends": packed(force_ends(forces))}


def force_ends(forces: ShownForces) -> npt.NDArray[np.float32]:
    """Return both ends of forces, (T, A, 2, 3); unknown forces have no length."""
    ends = np.stack([forces.points, forces.points + forces.lines], axis=2)
    return np.where(np.isfinite(ends).all(axis=(2, 3), keepdims=True), ends, 0.0).astype("<f4")
