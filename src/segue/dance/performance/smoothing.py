"""Evening out over time what is computed frame by frame, without going beyond it."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import maximum_filter1d, minimum_filter1d

from segue.typing import Array


def evened(values: Array, seconds: float, dt: float) -> Array:
    """Return values (T, n) evened out over so many seconds to either side; dt: s between frames."""
    half = _frames(seconds, dt)
    return np.stack([_mean_around(column, half) for column in values.T], axis=1)


def evened_up_to(values: Array, seconds: float, dt: float) -> Array:
    """Return a smooth curve (T,) that is nowhere above the values: their least around, evened out.

    seconds: how far to either side is looked. dt: s between frames. A mean over as many frames as a minimum was taken
    over is nowhere above what that was taken of.
    """
    half = _frames(seconds, dt)
    return _mean_around(minimum_filter1d(values, 2 * half + 1, mode="nearest"), half)


def evened_from(values: Array, seconds: float, dt: float) -> Array:
    """Return a smooth curve (T,) that is nowhere below the values: their greatest around, evened out."""
    half = _frames(seconds, dt)
    return _mean_around(maximum_filter1d(values, 2 * half + 1, mode="nearest"), half)


def _frames(seconds: float, dt: float) -> int:
    return max(2, round(seconds / dt))


def _mean_around(values: Array, half: int) -> Array:
    weights = np.hanning(2 * half + 3)[1:-1] ** 2
    return np.convolve(np.pad(values, half, mode="edge"), weights / weights.sum(), mode="valid")
