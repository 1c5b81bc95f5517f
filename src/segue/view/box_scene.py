"""A motion among boxes, such as a run onto a step: exposures at and between keyframes, and transparent boxes.

These are figures 11 and 12 of [Ramamoorthi1997], for any motion and any boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from segue.errors import ArgumentError
from segue.motion.box import Box
from segue.motion.motion import Motion
from segue.spacetime.terms.body import FOOT_POINTS
from segue.typing import Array
from segue.view.camera import MARGINS, Camera
from segue.view.flesh import solids
from segue.view.picture import Label, Picture, colour, labelled
from segue.view.render import Blocks, Look, render
from segue.view.strips import by_segment, natural_camera, stepped_back

_GLASS = 0.5  # how much of what is inside a box shows through it
_LABEL_HEIGHT = 24  # pixels
_LOOK = Look(border=MARGINS[2])
_SAMPLES = 500


def plot_steps(
    motion: Motion,
    boxes: Sequence[Box],
    *,
    keys: Sequence[float] = (),
    between: int = 1,
    shown: Sequence[float] = (),
    camera: Camera | None = None,
    height: int = 480,
) -> Picture:
    """Return exposures of a motion with the boxes around it: at keyframes in blue, between them in light grey.

    keys: times of the keyframes in s. between: exposures between two keyframes. shown: times in s to draw in red.
    camera: beside the path if not given. height: of the scene in pixels.
    """
    if not boxes:
        raise ArgumentError("there are no boxes to draw: strip draws motions without any")
    ends = list(keys) or [motion.start, motion.stop]
    filler = np.concatenate([np.linspace(a, b, between + 2)[1:-1] for a, b in pairwise(ends)])
    moments = np.concatenate([np.array(ends), filler, np.array(shown, dtype=float)])
    names = ["blue"] * len(ends) + ["silver"] * len(filler) + ["red"] * len(shown)
    poses = motion.at(moments)
    camera = natural_camera(motion.figure, poses) if camera is None else camera
    shapes = solids(motion.figure, poses, np.zeros((len(moments), 3)))
    centres, radii = shapes.spheres()
    corners = np.concatenate([_corners(box, centres) for box in boxes])
    seen = np.concatenate([centres, corners]), np.concatenate([radii, np.zeros(len(corners))])
    view = stepped_back(camera, shapes).framing(*seen, height)
    tints = by_segment(np.array([colour(name) for name in names])).reshape(-1, 3)
    colours = np.concatenate([tints, np.tile(colour("orange"), (len(boxes), 1))])
    blocks = _blocks(boxes, len(tints), centres)
    inside, outside = render(shapes, colours, view, _LOOK), render(shapes, colours, view, _LOOK, blocks=blocks)
    image = np.round((1 - _GLASS) * outside + _GLASS * inside).astype(np.uint8)
    stamped = [*zip(ends, poses.root[: len(ends)], strict=True)]
    columns = view.pixels(np.array([root for _, root in stamped]) * np.array([1.0, 0.0, 1.0]))[:, 0]
    labels = [
        Label(float(column), height + 4, f"{time:.2f} s") for column, (time, _) in zip(columns, stamped, strict=True)
    ]
    return labelled(image, labels, below=_LABEL_HEIGHT)


def deepest_moment(motion: Motion, boxes: Sequence[Box]) -> tuple[float, float]:
    """Return the time in s and the depth in m of the deepest point of the feet inside a box, 0 if none is inside."""
    times = np.linspace(motion.start, motion.stop, _SAMPLES)
    poses = motion.at(times)
    depths = np.max([box.depth(motion.figure.point(point, poses))[0] for box in boxes for point in FOOT_POINTS], axis=0)
    worst = int(np.argmax(depths))
    return float(times[worst]), float(depths[worst])


def _ends_of(box: Box, around: Array) -> tuple[Array, Array]:
    """Return the centre and the half size of the part of a box near the figure."""
    axes = box.axes()
    middle, half = np.array(box.centre), np.array(box.size) / 2
    reach = (around - middle) @ axes.T
    low = np.clip(reach.min(axis=0) - _AROUND, -half, half)
    high = np.clip(reach.max(axis=0) + _AROUND, -half, half)
    low[1], high[1] = -half[1], half[1]
    return middle + (0.5 * (low + high)) @ axes, np.maximum(0.5 * (high - low), 1e-3)


_AROUND = 0.3  # metres


def _corners(box: Box, around: Array) -> Array:
    centre, half = _ends_of(box, around)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners: Array = centre + (signs * half) @ box.axes()
    return corners


def _blocks(boxes: Sequence[Box], first: int, around: Array) -> Blocks:
    ends = [_ends_of(box, around) for box in boxes]
    return Blocks(
        np.array([centre for centre, _ in ends]),
        np.array([half for _, half in ends]),
        np.array([box.axes() for box in boxes]),
        first + np.arange(len(boxes), dtype=np.int64),
    )
