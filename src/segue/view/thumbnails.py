"""Small single figures, as marks beside an axis: all seen from one side, whichever way they face."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.joints import BALL_JOINTS
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.cycle.travel import headings
from segue.view.camera import Camera, View
from segue.view.flesh import solids
from segue.view.render import Image, Look, render
from segue.view.strips import by_segment

__all__ = ["facing", "portraits", "thumbnails", "view_of"]

_CAMERA = Camera(-62.0, 6.0, None)  # parallel rays: one scale for all
_MARGINS = (0.03, 0.05, 0.03)
_ROOT = BALL_JOINTS.index("root")
_UP = np.array([0.0, 1.0, 0.0])
_WHITE = (1.0, 1.0, 1.0)
_LOOK = Look(floor=_WHITE, grid=None, samples=3)


def thumbnails(figure: Figure, poses: Poses, tints: Array, height: int) -> list[Image]:
    """Return a picture of each pose alone, on white, in its colour (T, 3), all of one size and scale.

    height: of each in pixels. Each is turned to face one way.
    """
    here = facing(poses, headings(poses.balls[:, _ROOT]))
    return portraits(figure, here, tints, view_of([(figure, here)], height))


def facing(poses: Poses, turns: Array | float) -> Poses:
    """Return poses moved to the origin and turned back by angles about the vertical, (T,) or one for all, in rad."""
    balls = poses.balls.copy()
    back = quaternion.exp(-np.broadcast_to(turns, len(poses))[:, None] * _UP)
    balls[:, _ROOT] = quaternion.multiply(back, balls[:, _ROOT])
    return Poses(poses.root * _UP, balls, poses.hinges)


def view_of(shown: Sequence[tuple[Figure, Poses]], height: int) -> View:
    """Return the view, so many pixels high, that holds every one of the poses, each where it is."""
    spheres = [solids(figure, poses, np.zeros((len(poses), 3))).spheres() for figure, poses in shown]
    centres, radii = (np.concatenate(part) for part in zip(*spheres, strict=True))
    return _CAMERA.framing(centres, radii, height, _MARGINS)


def portraits(figure: Figure, poses: Poses, tints: Array, view: View) -> list[Image]:
    """Return a picture of each pose where it is, on white, in its colour (T, 3)."""
    still, colours = np.zeros((1, 3)), by_segment(tints)
    return [render(solids(figure, poses[k : k + 1], still), colours[k], view, _LOOK) for k in range(len(poses))]
