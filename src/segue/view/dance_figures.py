"""Dancers as pictures show them: left and right in colours of their own, one figure or several in one scene."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.joints import SEGMENTS, side_of
from segue.curves.quaternion import Array
from segue.view.flesh import Solids, solids
from segue.view.palette import colour

__all__ = ["SIDE_COLOURS", "dancer_tints", "in_one_scene", "sided_tints", "still"]

SIDE_COLOURS = {"left": "blue", "right": "vermilion", "centre": "silver"}
"""Which side of a body is drawn in which colour, as in [Lake1990], whose figures' sides can be told apart so."""


def sided_tints() -> Array:
    """Return a colour for every segment, (segments, 3), by the side it is on."""
    return np.stack([colour(SIDE_COLOURS[side_of(segment)]) for segment in SEGMENTS])


def dancer_tints(names: Sequence[str]) -> Array:
    """Return colours (dancers * segments, 3) of dancers in one scene, each in one colour."""
    return np.concatenate([np.tile(colour(name), (len(SEGMENTS), 1)) for name in names])


def still(poses: Poses, frame: int, over: Array | None = None) -> Poses:
    """Return one frame of poses, moved along the floor until a point (3,), its root if None, is over the origin."""
    chosen = poses[frame : frame + 1]
    point = chosen.root[0] if over is None else over
    return Poses(chosen.root - point * np.array([1.0, 0.0, 1.0]), chosen.balls, chosen.hinges)


def in_one_scene(dancers: Sequence[tuple[Figure, Poses]]) -> Solids:
    """Return the shapes of several dancers, one frame each; a dancer's colours follow those of the one before."""
    shapes = [solids(figure, poses, np.zeros((len(poses), 3))) for figure, poses in dancers]
    owners = [each.owners + k * len(SEGMENTS) for k, each in enumerate(shapes)]
    capsules = [len(each.starts) for each in shapes]
    starts, stops, radii, centres, forms = (
        np.concatenate([getattr(each, part) for each in shapes])
        for part in ("starts", "stops", "radii", "centres", "shapes")
    )
    first = [each[:count] for each, count in zip(owners, capsules, strict=True)]
    rest = [each[count:] for each, count in zip(owners, capsules, strict=True)]
    return Solids(starts, stops, radii, centres, forms, np.concatenate(first + rest))
