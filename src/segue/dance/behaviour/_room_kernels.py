"""Measure gaps between oriented boxes on the floor, and from boxes to the walls.

A box is a row of five numbers: x and z of its centre, heading, half its depth (along the heading) and half its width.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=1)
def gap(one: Array, other: Array) -> float:
    """Return the gap between two boxes (5,) in m, negative where they overlap.

    It is the largest gap along the separating axes: exact except at corners, where the real distance is larger.
    """
    x, z = other[0] - one[0], other[1] - one[1]
    widest = -np.inf
    cosine, sine = abs(np.cos(other[2] - one[2])), abs(np.sin(other[2] - one[2]))
    for k in range(2):
        this, that = (one, other) if k == 0 else (other, one)
        ahead = abs(x * np.sin(this[2]) + z * np.cos(this[2]))
        aside = abs(x * np.cos(this[2]) - z * np.sin(this[2]))
        widest = max(widest, ahead - this[3] - that[3] * cosine - that[4] * sine)
        widest = max(widest, aside - this[4] - that[3] * sine - that[4] * cosine)
    return widest


@compiled(seconds=1)
def least_gap(way: Array, other: Array) -> float:
    """Return the least gap between two sequences of boxes (K, 5) at the same times."""
    least = np.inf
    for k in range(min(len(way), len(other))):
        # skip boxes whose circumscribed circles are farther apart than the least gap so far
        reach = np.hypot(way[k, 3], way[k, 4]) + np.hypot(other[k, 3], other[k, 4])
        if np.hypot(way[k, 0] - other[k, 0], way[k, 1] - other[k, 1]) - reach < least:
            least = min(least, gap(way[k], other[k]))
    return least


@compiled(seconds=1)
def wall_gaps(way: Array, half_width: float, half_length: float) -> Array:
    """Return the gap of each box (K, 5) to the walls in m, negative outside the floor."""
    gaps = np.empty(len(way))
    for k in range(len(way)):
        cosine, sine = abs(np.cos(way[k, 2])), abs(np.sin(way[k, 2]))
        along_x = way[k, 3] * sine + way[k, 4] * cosine
        along_z = way[k, 3] * cosine + way[k, 4] * sine
        gaps[k] = min(half_width - abs(way[k, 0]) - along_x, half_length - abs(way[k, 1]) - along_z)
    return gaps
