"""Compiled frames of a clip at any times. Shapes: T times, F frames of the clip, J joints, M joints that move."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion_kernels import align_signs
from segue.curves.spline_kernels import Knots, evaluate_row
from segue.typing import Array, Ints

_SAME_TIME = 1e-6  # of a frame


@compiled(seconds=3)
def clip_frames(
    knots: Knots, times: Array, positions: Array, rotations: Array, moving: Ints
) -> tuple[Array, Array, Ints]:
    """Return local positions (T, J, 3), rotations (T, J, 4), and which frame each is, or -1 where it lies between two.

    knots: the spline through all rotations (F, J, 4), then the positions (F, J, 3) of the joints that move (M,).
    """
    count, joints, last = len(times), rotations.shape[1], rotations.shape[0] - 1
    out_positions, out_rotations = np.empty((count, joints, 3)), np.empty((count, joints, 4))
    frames = np.empty(count, dtype=np.int64)
    row = np.empty((3, 4 * joints + 3 * len(moving)))
    for t in range(count):
        place = times[t] * knots.fps
        nearest = min(max(int(np.round(place)), 0), last)
        frames[t] = nearest
        out_positions[t] = positions[nearest]
        out_rotations[t] = rotations[nearest]
        if abs(place - nearest) < _SAME_TIME:
            continue
        frames[t] = -1
        evaluate_row(knots, times[t], 0, row.shape[1], row)
        for j in range(joints):
            square = 0.0
            for i in range(4):
                square += row[0, 4 * j + i] ** 2
            for i in range(4):
                out_rotations[t, j, i] = row[0, 4 * j + i] / np.sqrt(square)
        for m in range(len(moving)):
            for i in range(3):
                out_positions[t, moving[m], i] = row[0, 4 * joints + 3 * m + i]
    align_signs(out_rotations)
    return out_positions, out_rotations, frames


@compiled(seconds=1)
def worst_norm(positions: Array, rotations: Array) -> float:
    """Return how far the length of any rotation (T, J, 4) is from 1, infinity where any number is not finite."""
    for t in range(positions.shape[0]):
        for j in range(positions.shape[1]):
            for i in range(3):
                if not np.isfinite(positions[t, j, i]):
                    return np.inf
    worst = 0.0
    for t in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            square = 0.0
            for i in range(4):
                square += rotations[t, j, i] * rotations[t, j, i]
            if not np.isfinite(square):
                return np.inf
            worst = max(worst, abs(np.sqrt(square) - 1.0))
    return worst
