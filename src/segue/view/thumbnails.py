"""Small single figures, as marks beside an axis: all seen from one side, whichever way they face."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.joints import BALL_JOINTS
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.cycle.travel import headings
from segue.view.camera import Camera
from segue.view.flesh import solids
from segue.view.render import Image, Look, render
from segue.view.strips import by_segment

__all__ = ["thumbnails"]

_CAMERA = Camera(-62.0, 6.0, None)  # parallel rays: one scale for all
_MARGINS = (0.03, 0.05, 0.03)
_UP = np.array([0.0, 1.0, 0.0])
_WHITE = (1.0, 1.0, 1.0)
_LOOK = Look(floor=_WHITE, grid=None, samples=3)


def thumbnails(figure: Figure, poses: Poses, tints: Array, height: int) -> list[Image]:
    """Return a picture of each pose alone, on white, in its colour (T, 3), all of one size and scale.

    height: of each in pixels.
    """
    balls = poses.balls.copy()
    root = BALL_JOINTS.index("root")
    balls[:, root] = quaternion.multiply(quaternion.exp(-headings(balls[:, root])[:, None] * _UP), balls[:, root])
    here = Poses(poses.root * _UP, balls, poses.hinges)
    still = np.zeros((1, 3))
    together = solids(figure, here, np.zeros((len(here), 3)))
    view = _CAMERA.framing(*together.spheres(), height, _MARGINS)
    colours = by_segment(tints)
    return [render(solids(figure, here[k : k + 1], still), colours[k], view, _LOOK) for k in range(len(here))]
