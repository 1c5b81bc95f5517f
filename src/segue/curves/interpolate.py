"""C2 curves through rows of numbers at a fixed rate, which need not look at the rows in a hole."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cached_property

import numpy as np

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
