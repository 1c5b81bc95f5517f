"""The figure's own motion as a clip: for built-in clips, and for looking at a fit in any viewer."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.motion.clip import Clip

_TIPS = {
    "head": "head_top",
    "left_hand": "left_knuckles",
    "right_hand": "right_knuckles",
    "left_toes": "left_toe",
    "right_toes": "right_toe",
}


def figure_skeleton(figure: Figure) -> Skeleton:
    """Return the figure as a skeleton in metres, Y up: a joint a segment, named for it, in a T pose at rest."""
    ends = {HUMAN.segments.index(segment): figure.points[point][1] for segment, point in _TIPS.items()}
    return Skeleton(HUMAN.segments, HUMAN.parents, figure.offsets, ends)


def figure_clip(figure: Figure, poses: Poses, fps: float) -> Clip:
    """Return poses as a clip on the figure's own skeleton."""
    skeleton = figure_skeleton(figure)
    _, world = figure.forward(poses)
    rotations = world.copy()
    for s, parent in enumerate(HUMAN.parents):
        if parent >= 0:
            rotations[:, s] = quaternion.multiply(quaternion.conjugate(world[:, parent]), world[:, s])
    positions = np.tile(figure.offsets, (len(poses), 1, 1))
    positions[:, 0] = poses.root
    return Clip.on(skeleton, positions, quaternion.make_continuous(rotations), fps)
