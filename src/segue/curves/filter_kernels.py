"""Compiled recursive filters of sampled signals."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=1)
def filter_rows(values: Array, numerator: Array, denominator: Array) -> Array:
    """Return values (T, C) through a filter of second order that has seen the first row for ever.

    numerator: (3,), denominator: (2,) without its leading 1, of the transfer function in z; the gain at rest is 1.
    """
    rows, columns = values.shape
    out = np.empty((rows, columns))
    for c in range(columns):
        late = (numerator[2] - denominator[1]) * values[0, c]
        soon = (numerator[1] - denominator[0]) * values[0, c] + late
        for t in range(rows):
            x = values[t, c]
            y = numerator[0] * x + soon
            soon = numerator[1] * x - denominator[0] * y + late
            late = numerator[2] * x - denominator[1] * y
            out[t, c] = y
    return out


@compiled(seconds=1)
def median_rows(values: Array, frames: int) -> Array:
    """Return the medians (T - frames + 1, C) of each run of an odd number of frames of values (T, C).

    NaN counts as infinite.
    """
    rows, columns = values.shape
    out = np.empty((rows - frames + 1, columns))
    window = np.empty(frames)  # in order
    for c in range(columns):
        for t in range(rows):
            # the value that leaves makes room for the one that comes
            free = min(t, frames - 1)
            if t >= frames:
                old = values[t - frames, c] if values[t - frames, c] == values[t - frames, c] else np.inf
                free, above = 0, frames
                while above - free > 1:
                    middle = (free + above) // 2
                    if window[middle] <= old:
                        free = middle
                    else:
                        above = middle
            new = values[t, c] if values[t, c] == values[t, c] else np.inf
            last = min(t, frames - 1)
            while free > 0 and window[free - 1] > new:
                window[free] = window[free - 1]
                free -= 1
            while free < last and window[free + 1] < new:
                window[free] = window[free + 1]
                free += 1
            window[free] = new
            if t >= frames - 1:
                out[t - frames + 1, c] = window[frames // 2]
    return out
