"""Compiled comparison of a signal with itself, later: for every time and every lag."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=3, fast_math=True)
def lag_scores(rows: Array, first: int, last: int, around: int) -> Array:
    """Return (last - first + 1, T): how far rows (T, D) are from those some lag later, over how far they move between.

    The distance is the root mean square over pairs up to `around` rows before and after, that over which it is divided
    the one that two rows between the two have on average. Where there is no row so much later it is infinite.
    """
    count, columns = rows.shape
    scores = np.full((last - first + 1, count), np.inf)
    sums, squares = np.zeros((count + 1, columns)), np.zeros(count + 1)
    for t in range(count):
        square = 0.0
        for c in range(columns):
            sums[t + 1, c] = sums[t, c] + rows[t, c]
            square += rows[t, c] * rows[t, c]
        squares[t + 1] = squares[t] + square
    apart = np.empty(count)
    for lag in range(first, last + 1):
        pairs = count - lag
        for t in range(pairs):
            square = 0.0
            for c in range(columns):
                square += (rows[t + lag, c] - rows[t, c]) ** 2
            apart[t] = square
        for t in range(pairs):
            low, high = max(t - around, 0), min(t + around + 1, pairs)
            near = 0.0
            for k in range(low, high):
                near += apart[k]
            mean = 0.0
            for c in range(columns):
                mean += (sums[t + lag, c] - sums[t, c]) ** 2
            spread = 2.0 * ((squares[t + lag] - squares[t]) / lag - mean / (lag * lag))
            scores[lag - first, t] = np.sqrt(near / (high - low) / max(spread, 1e-300))
    return scores
