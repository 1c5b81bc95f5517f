"""The least-jerk course from 0 to 1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.typing import Array


def least_jerk(fraction: npt.ArrayLike) -> Array:
    """Return the course of least jerk from 0 to 1, s^3 (10 - 15 s + 6 s^2), at fractions s of its time [Flash1985].

    It is 0 before and 1 after, and its first two derivatives vanish at both ends.
    """
    s = np.clip(np.asarray(fraction, dtype=float), 0.0, 1.0)
    course: Array = s**3 * (10.0 + s * (6.0 * s - 15.0))
    return course
