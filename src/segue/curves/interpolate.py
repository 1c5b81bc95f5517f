"""Curves through values: least-jerk easing, quintic splines that meet rates at their ends, C2 splines through rows."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from segue.curves.bspline import basis_functions
from segue.curves.spline_kernels import Knots, evaluate_rows, mend_slopes, solve_slopes
from segue.errors import ArgumentError
from segue.typing import Array

Hole = tuple[int, int]
"""The rows before and after a hole: what lies between them is not to be trusted."""

_REACH = 40
"""Rows over which an end makes itself felt: its influence falls by 0.27 a row, to less than rounding."""


class HoleEnds(Enum):
    """How a curve ends at a hole: as its last three rows say, or as the cubic through its last four does.

    Both are of second order or better; the first is the calmer where the rows are noisy.
    """

    ONE_SIDED = "one-sided"
    NOT_A_KNOT = "not-a-knot"


class FrameSpline:
    """The C2 cubic spline through rows (T, C) at a fixed rate, the first at time 0.

    Not-a-knot at its ends, so that velocities there are of the same order; a single row is constant. The rows on each
    side of a hole are splined apart from the others, and their curve goes on for a row into the hole; further in it is
    finite, and nothing more. Nothing is computed before it is asked for, and a spline with holes shares what it can
    with the one it was made from.
    """

    def __init__(self, values: Array, fps: float) -> None:
        self._values = np.require(values, dtype=float, requirements=["C", "W"])
        self._fps = float(fps)
        self.holes: tuple[Hole, ...] = ()
        self._ends = HoleEnds.ONE_SIDED
        self._whole = self

    def __len__(self) -> int:
        return len(self._values)

    def without_frames(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> FrameSpline:
        """Return the spline through the same rows with holes, besides those that it has already."""
        spline = FrameSpline(self._values, self._fps)
        spline.holes = merged_holes((*self.holes, *holes), len(self))
        spline._ends = ends
        spline._whole = self._whole
        return spline

    @cached_property
    def _slopes(self) -> Array:
        slopes = np.empty_like(self._values)
        solve_slopes(self._values, self._fps, False, False, slopes)
        return slopes

    @cached_property
    def knots(self) -> Knots:
        """The spline as compiled functions take it."""
        slopes, holes = self._whole._slopes, np.array(self.holes, dtype=np.int64).reshape(-1, 2)
        one_sided = self._ends is HoleEnds.ONE_SIDED
        patches, values, mended = mend_slopes(self._values, slopes, self._fps, holes, one_sided, _REACH)
        return Knots(self._fps, self._values, slopes, patches, values, mended, holes)

    def at(self, times: Array) -> Array:
        """Return values (N, C) at times, which are held within the rows' own."""
        values: Array = evaluate_rows(self.knots, times, 0, self._values.shape[1])[0]
        return values


def merged_holes(holes: Iterable[Hole], rows: int) -> tuple[Hole, ...]:
    """Return holes in order, those that overlap as one; each must lie between two of so many rows."""
    merged: list[Hole] = []
    for first, last in sorted((int(first), int(last)) for first, last in holes):
        if not 0 <= first < last < rows:
            raise ArgumentError(
                f"a hole between frames {first} and {last} of {rows}: it must lie between two of the frames, in order"
            )
        if merged and first < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


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
