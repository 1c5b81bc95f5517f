"""Derivatives of sampled motion that noise does not drown: polynomials fitted to a short stretch about each frame."""

from __future__ import annotations

import numpy as np
from scipy.signal import savgol_filter

from segue.curves.quaternion import Array

__all__ = ["MOST_ORDER", "SPAN", "differentiated", "smoothed", "window_frames"]

SPAN = 0.15  # s over which a polynomial is fitted: passes up to about 8 Hz, which holds what a body does on purpose
_DEGREE = 3
MOST_ORDER = _DEGREE


def window_frames(dt: float, frames: int, span: float = SPAN) -> int:
    """Return how many frames, an odd number, a polynomial is fitted to; 0 where there are too few to fit one."""
    wanted = max(2 * round(0.5 * span / dt) + 1, _DEGREE + 2)
    most = frames - 1 + frames % 2
    return min(wanted, most) if most > _DEGREE else 0


def smoothed(values: Array, dt: float, span: float = SPAN) -> Array:
    """Return (T, ...) values with noise taken out; as they are where there are too few frames."""
    return differentiated(values, dt, 0, span)


def differentiated(values: Array, dt: float, order: int, span: float = SPAN) -> Array:
    """Return the derivative of the given order of (T, ...) values: of the cubic that fits `span` seconds best.

    The Savitzky-Golay filter [SavitzkyGolay1964]. Its span, not the frame rate, says what counts as noise, so that
    clips of any rate are comparable. Zeros where there are too few frames (for order 0: the values).
    """
    window = window_frames(dt, len(values), span)
    if not window:
        return values.copy() if order == 0 else np.zeros_like(values)
    found: Array = savgol_filter(values, window, _DEGREE, deriv=order, delta=dt, axis=0)
    return found
