"""The least-jerk course from 0 to 1, and quintic splines, which meet rates at their ends."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.curves.bspline import basis_functions
from segue.typing import Array


def least_jerk(fraction: npt.ArrayLike) -> Array:
    """Return the course of least jerk from 0 to 1, s^3 (10 - 15 s + 6 s^2), at fractions s of its time [Flash1985].

    It is 0 before and 1 after, and its first two derivatives vanish at both ends.
    """
    s = np.clip(np.asarray(fraction, dtype=float), 0.0, 1.0)
    course: Array = s**3 * (10.0 + s * (6.0 * s - 15.0))
    return course


_DEGREE = 5


class QuinticSpline:
    """The quintic spline, C4, through values (K, ...) at increasing times, with given rates at its ends.

    start, stop: (2, ...), rate and acceleration.
    """

    def __init__(self, times: npt.ArrayLike, values: npt.ArrayLike, start: npt.ArrayLike, stop: npt.ArrayLike) -> None:
        at = np.asarray(times, dtype=float)
        self._knots = np.concatenate([np.full(_DEGREE, at[0]), at, np.full(_DEGREE, at[-1])])
        rows = [self._functions(at[:1], 1), self._functions(at[:1], 2), self._functions(at, 0)]
        rows += [self._functions(at[-1:], 1), self._functions(at[-1:], 2)]
        wanted = np.concatenate([np.asarray(part, dtype=float) for part in (start, values, stop)])
        solved = np.linalg.solve(np.concatenate(rows), wanted.reshape(len(wanted), -1))
        self._coefficients = solved.reshape(wanted.shape)

    def __call__(self, times: npt.ArrayLike, derivative: int = 0) -> Array:
        """Return the derivative (T, ...) of an order at given times (T,)."""
        return np.tensordot(self._functions(np.asarray(times, dtype=float), derivative), self._coefficients, axes=1)

    def _functions(self, at: Array, derivative: int) -> Array:
        return basis_functions(self._knots, at, _DEGREE, derivative)


def quintic_pieces(times: npt.ArrayLike, states: npt.ArrayLike, at: Array) -> Array:
    """Return values (T, ...) of the C2 curve through states (K, 3, ...): value, rate, acceleration at increasing times.

    The first and last pieces go on outside the first and last times.
    """
    knots, known = np.asarray(times, dtype=float), np.asarray(states, dtype=float)
    k = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    # time in each piece from 0 to 1, rates and accelerations per such unit
    span = (knots[k + 1] - knots[k]).reshape(-1, *[1] * (known.ndim - 2))
    u = (at - knots[k]).reshape(span.shape) / span
    (v0, s0, a0), (v1, s1, a1) = ((known[end, 0], known[end, 1] * span, known[end, 2] * span**2) for end in (k, k + 1))
    by_value, by_rate, by_acceleration = v1 - v0 - s0 - 0.5 * a0, s1 - s0 - a0, a1 - a0
    third = 10.0 * by_value - 4.0 * by_rate + 0.5 * by_acceleration
    fourth = -15.0 * by_value + 7.0 * by_rate - by_acceleration
    fifth = 6.0 * by_value - 3.0 * by_rate + 0.5 * by_acceleration
    found: Array = v0 + u * (s0 + u * (0.5 * a0 + u * (third + u * (fourth + u * fifth))))
    return found
