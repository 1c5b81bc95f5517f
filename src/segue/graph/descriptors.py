"""Describe frames of a clip by few numbers, for the search of frames that are alike, and find where a clip may be cut.

Positions and velocities of eight points count, in the frame of the figure and in legs (`segue.filling.features`). Only
these 48 numbers of six frames a second are searched, and none of them depends on any other clip.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.filling.features import POINTS, frame_features, trace_of
from segue.typing import Flags, Ints, Single

STRIDE = 5
"""Frames from one described frame to the next: a sixth of a second."""

_WEIGHTS = {
    "pelvis": 1.0,
    "head": 1.0,
    "left_foot": 1.0,
    "right_foot": 1.0,
    "left_shank": 0.7,
    "right_shank": 0.7,
    "left_hand": 0.5,
    "right_hand": 0.5,
}
"""The points, and how much a leg of distance counts. Hands move independently of the stride."""

_VELOCITY = 0.2  # s: how much a leg a second counts
_NEAR_FLOOR = 0.06  # m of the lowest point of a body that can be cut: it neither flies nor stands on something
_COLUMNS = np.array([3 * POINTS.index(name) + axis for name in _WEIGHTS for axis in range(3)])
_SCALES = np.repeat(np.array(list(_WEIGHTS.values()), np.float32), 3)

WIDTH = 2 * len(_COLUMNS)
"""Numbers that describe a frame."""


class Description(NamedTuple):
    """Frames (N,) of a clip that can be cut and rows (N, WIDTH) that describe them. on_floor: (T,) of all frames."""

    frames: Ints
    rows: Single
    on_floor: Flags


def describe_frames(figure: Figure, poses: Poses, sections: tuple[tuple[int, int], ...], margin: int) -> Description:
    """Describe every `STRIDE`-th frame of a clip that can be cut.

    sections: first frame, and the one after the last, of spans of sound capture. margin: frames from the ends of a
    section within which no frame is described.
    """
    on_floor = lowest_points(figure, poses) < _NEAR_FLOOR
    trace = trace_of(figure, poses)
    frames, edges = [], []
    for first, stop in sections:
        chosen = np.arange(first + margin, stop - margin, STRIDE)
        frames.append(chosen[on_floor[chosen]])
        edges.append(np.tile([first, stop - 1], (len(frames[-1]), 1)))
    wanted = np.concatenate([np.zeros(0, np.int64), *frames])
    features = frame_features(trace, "both", wanted, np.concatenate([np.zeros((0, 2), np.int64), *edges]))
    blocks = [_SCALES * features.pose[:, _COLUMNS], _VELOCITY * _SCALES * features.velocity[:, _COLUMNS]]
    return Description(wanted, np.concatenate(blocks, axis=1).astype(np.float32), on_floor)


def lowest_points(figure: Figure, poses: Poses) -> Single:
    """Return the height of the lowest point of the body, (T,) in m."""
    positions, rotations = figure.forward(poses)
    heights = [positions[:, :, 1].min(axis=1)]
    for segment, place in (figure.points[name] for name in figure.outer_points):
        s = HUMAN.segments.index(segment)
        heights.append(positions[:, s, 1] + quaternion.rotate(rotations[:, s], place)[:, 1])
    lowest: Single = np.min(heights, axis=0)
    return lowest
