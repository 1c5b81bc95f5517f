"""A person who climbs stairs, made without any capture: feet that stand flat on treads, and legs that reach them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from segue.body.figure import Figure, Poses
from segue.clips.posture import BODY, Foot, Posture, pose
from segue.curves import quaternion
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.typing import Array

STEP = 0.9  # s from one foot's landing to the other's
SWING = 0.6  # s of which the foot is in the air
FPS = 60.0


def climb(steps: int = 4, rise: float = 0.17, depth: float = 0.3) -> tuple[Motion, Ground]:
    """Return someone who walks up so many steps, the left foot first, and the stairs."""
    figure = Figure.standard(1.75)
    build = figure.build
    ground = Ground.stairs(steps, rise, depth, at=(0.0, 0.2))
    times = np.arange(round((steps + 3) * STEP * FPS)) / FPS
    # the ankle is behind the middle of the tread
    levels = np.array([[0.0, 0.0], *([rise * (k + 1), 0.2 + depth * (k + 0.35)] for k in range(steps))])
    feet, height, along = {}, np.zeros(len(times)), np.zeros(len(times))
    for first, (side, x) in enumerate((("left", 0.1), ("right", -0.1))):
        path = np.zeros((len(times), 3))
        path[:, 0] = x
        places = [0, *range(1 + first, steps, 2), steps]
        starts = [STEP * (1 + first + 2 * k) for k in range(len(places) - 1)]
        for (low, high), start in zip(pairwise(places), starts, strict=True):
            u = np.clip((times - start) / SWING, 0.0, 1.0)
            share = u**3 * (10 - 15 * u + 6 * u**2)
            # up first, and over the edge then
            over = np.clip((times - start) / SWING * 1.5 - 0.5, 0.0, 1.0)
            forward = over**3 * (10 - 15 * over + 6 * over**2)
            apart = levels[high] - levels[low]
            path[:, 1] += apart[0] * np.minimum(1.0, 1.6 * share) + 0.09 * np.sin(np.pi * share) ** 2
            path[:, 2] += apart[1] * forward
        height += 0.5 * path[:, 1]
        along += 0.5 * path[:, 2]
        ankle = path + np.array([0.0, build.sole, 0.0])
        feet[side] = Foot(ankle, np.broadcast_to(quaternion.identity(), (len(times), 4)), np.zeros(len(times)))
    lowest = np.min([foot.ankle[:, 1] for foot in feet.values()], axis=0) - build.sole
    reach = build.thigh + build.shank + build.sole
    root = np.stack(
        [np.zeros(len(times)), _smooth(np.minimum(height, lowest + 0.07) + 0.86 * reach), _smooth(along)], 1
    )
    angles = {name: np.zeros(len(times)) for name in BODY}
    for side in feet:
        angles |= {f"{side}_shoulder_flexion": np.zeros(len(times)), f"{side}_elbow_flexion": np.full(len(times), 15.0)}
    poses: Poses = pose(figure, Posture(root, feet, angles))
    return Motion.from_poses(figure, poses, FPS), ground


def _smooth(values: Array) -> Array:
    kernel = np.hanning(25)
    padded = np.pad(values, 12, mode="edge")
    return np.convolve(padded, kernel / kernel.sum(), mode="valid")
