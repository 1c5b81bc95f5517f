"""What a page is given: bodies, poses, what was filled and colours, as plain numbers and strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from segue.body.figure import Figure
from segue.body.joints import JOINTS, SEGMENTS
from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.motion.coverage import joints_of
from segue.motion.motion import Motion
from segue.motion.rows import parts_of
from segue.motion.tracks import TRACKS
from segue.view.filled import Fill
from segue.view.flesh import body_capsules, body_ellipsoids
from segue.view.palette import colour, course
from segue.view.strips import natural_camera
from segue.view.web.encode import encode
from segue.view.web.forces import ShownForces, encoded_forces

__all__ = ["ShownMotion", "contents"]

_SHADES = 33
# far from blue, red and green, which say what was filled; a little lighter than on paper
_BODIES = ("grey", "orange", "sky blue", "purple", "yellow")
_LIGHTER = 0.2
_TRAILS = {"root": "grey", "left_ball": "blue", "right_ball": "vermilion"}
_SHAPE = ("start", "stop", "radii", "stretch")
_DECIMALS = 6  # a thousandth of a millimetre


class ShownMotion(NamedTuple):
    """A motion of a page: what it is called, what was filled in it, and forces that act on it."""

    label: str
    motion: Motion
    fills: Sequence[Fill]
    forces: ShownForces | None = None


def contents(shown: Sequence[ShownMotion], together: bool = False) -> dict[str, Any]:
    """Return everything the page's script reads; together: whether motions are shown where they really are at first."""
    if not shown:
        raise ArgumentError("there is nothing to show: at least one motion is needed")
    first = shown[0].motion
    camera = natural_camera(first.figure, first.poses)
    return {
        "tree": _tree(first.figure),
        "camera": {"azimuth": camera.azimuth_deg, "elevation": camera.elevation_deg},
        "colours": {
            "whole": _rounded(course("blue to red", _SHADES)),
            "limbs": _rounded(course("green", 1)),
            "bodies": [_rounded(colour(name) + _LIGHTER * (1.0 - colour(name))) for name in _BODIES],
            "forces": _rounded(colour("green")),
            "trails": {point: _rounded(colour(name)) for point, name in _TRAILS.items()},
        },
        "together": together,
        "motions": [_motion(*each) for each in shown],
    }


def _tree(figure: Figure) -> dict[str, Any]:
    """Return what all figures have in common: which segment hangs on which, and what turns it."""
    tree = figure.tree
    return {
        "segments": list(SEGMENTS),
        "parents": tree.parents.tolist(),
        "balls": tree.balls.tolist(),
        "hinges": tree.hinges.tolist(),
        "axes": tree.axes.tolist(),
    }


def _motion(label: str, motion: Motion, fills: Sequence[Fill], forces: ShownForces | None) -> dict[str, Any]:
    figure, poses = motion.figure, encode(motion.poses)
    return {
        "label": label,
        "start": motion.start,
        "fps": motion.fps,
        "frames": poses.frames,
        "stature": figure.stature,
        "offsets": _rounded(figure.offsets),
        "shapes": _shapes(figure),
        "points": {
            name: {"segment": SEGMENTS.index(segment), "place": _rounded(place)}
            for name, (segment, place) in figure.points.items()
        },
        "fills": [_fill(fill) for fill in fills],
        "forces": None if forces is None else encoded_forces(forces, motion),
        "hinges": {"lows": list(poses.lows), "steps": list(poses.steps)},
        "poses": poses.text,
    }


def _shapes(figure: Figure) -> list[dict[str, Any]]:
    """Return the flesh: an ellipsoid is a capsule of no length and radius 1, stretched."""
    capsules, ellipsoids = body_capsules(figure.build), body_ellipsoids(figure.build)
    even, unit = (1.0, 1.0, 1.0), (1.0, 1.0)
    return [
        _shape(each.segment, each.start, each.stop, (each.start_radius, each.stop_radius), even) for each in capsules
    ] + [_shape(each.segment, each.centre, each.centre, unit, each.radii) for each in ellipsoids]


def _shape(segment: str, *numbers: tuple[float, ...]) -> dict[str, Any]:
    rows = {name: _rounded(np.array(row)) for name, row in zip(_SHAPE, numbers, strict=True)}
    return {"segment": SEGMENTS.index(segment)} | rows


def _fill(fill: Fill) -> dict[str, Any]:
    joints = set(joints_of(fill.tracks))
    return {
        "start": fill.start,
        "stop": fill.stop,
        "whole": set(fill.tracks) >= set(TRACKS),
        # a joint and the segment that it moves have the same place in their lists
        "segments": [s for s, joint in enumerate(JOINTS) if joint.name in joints],
        "what": ", ".join(parts_of(fill.tracks)).replace("_", " "),
    }


def _rounded(numbers: Array) -> list[Any]:
    rows: list[Any] = numbers.round(_DECIMALS).tolist()
    return rows
