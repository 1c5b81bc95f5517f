"""Interpolating C2 curves through samples: positions and rotations at any time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.interpolate import CubicSpline

from segue.curves import quaternion
from segue.curves.quaternion import Array

__all__ = ["interpolate_positions", "interpolate_rotations"]


def interpolate_positions(times: Array, values: Array, at: npt.ArrayLike) -> Array:
    """Return values (T, ...) given at increasing times, along the C2 cubic spline through them, at other times.

    Not-a-knot at its ends, so that velocities there are of the same order; a single sample is constant. At the given
    times the result is the given value to rounding.
    """
    at = np.asarray(at, dtype=float)
    if len(times) == 1:
        return np.broadcast_to(values[0], at.shape + values.shape[1:]).copy()
    flat = values.reshape(len(times), -1)
    curve = CubicSpline(times, flat)
    result: Array = curve(at).reshape(at.shape + values.shape[1:])
    return result


def interpolate_rotations(times: Array, values: Array, at: npt.ArrayLike) -> Array:
    """Return unit quaternions (T, ..., 4) given at increasing times, along a C2 curve through them, at other times.

    The curve is the componentwise spline scaled back to unit length: C2 wherever it does not pass through zero, which
    takes a turn of half a circle from one sample to the next.
    """
    return quaternion.normalise(interpolate_positions(times, quaternion.make_continuous(values), at))
