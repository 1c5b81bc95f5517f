"""C2 curves through rows of numbers at a fixed rate, which need not look at the rows in a hole."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cached_property

import numpy as np

from segue.curves.quaternion import Array
from segue.curves.spline_kernels import Knots, end_slope, evaluate_rows, solve_slopes
from segue.errors import ArgumentError

__all__ = ["FrameSpline", "Hole", "HoleEnds", "merged_holes"]

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

    def mended(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> FrameSpline:
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
        slopes, columns = self._whole._slopes, self._values.shape[1]
        stretches = _stretches(self.holes, len(self))
        values = [np.empty((0, columns)), *(self._values[first : last + 1] for first, last in stretches)]
        patches = np.zeros((len(stretches), 3), dtype=np.int64)
        begin = 0
        for patch, (first, last) in zip(patches, stretches, strict=True):
            patch[:] = first, last, begin
            begin += last + 1 - first
        patched = np.concatenate(values)
        patch_slopes = np.concatenate([slopes[:0], *(slopes[first : last + 1] for first, last in stretches)])
        for first, last, begin in patches.tolist():
            inside = [hole for hole in self.holes if first <= hole[0] and hole[1] <= last]
            rows = slice(begin, begin + last + 1 - first)
            self._mend(patched[rows], patch_slopes[rows], first, inside)
        holes = np.array(self.holes, dtype=np.int64).reshape(-1, 2)
        return Knots(self._fps, self._values, slopes, patches, patched, patch_slopes, holes)

    def _mend(self, values: Array, slopes: Array, offset: int, holes: list[Hole]) -> None:
        """Overwrite slopes on the sides of the holes in a patch that begins at row `offset`, and all in the holes."""
        count, total = len(values), len(self)
        one_sided = self._ends is HoleEnds.ONE_SIDED
        edges = [0, *(row - offset for hole in holes for row in hole), count - 1]
        for side in range(0, len(edges), 2):
            first, last = edges[side], edges[side + 1]
            size = last + 1 - first
            from_hole, to_hole = side > 0, side + 2 < len(edges)
            if from_hole and one_sided:
                end_slope(values, self._fps, first, 1, size, slopes[first])
            if to_hole and one_sided:
                end_slope(values, self._fps, last, -1, size, slopes[last])
            # where a patch ends amid rows, the slope of the whole spline stands
            clamp_first = one_sided if from_hole else offset > 0
            clamp_last = one_sided if to_hole else offset + count < total
            chosen = slice(first, last + 1)
            solve_slopes(values[chosen], self._fps, clamp_first, clamp_last, slopes[chosen])
        for before, after in holes:
            low, high = before - offset, after - offset
            share = np.arange(1, high - low)[:, None] / (high - low)
            values[low + 1 : high] = (1.0 - share) * values[low] + share * values[high]
            slopes[low + 1 : high] = (values[high] - values[low]) * self._fps / (high - low)

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


def _stretches(holes: tuple[Hole, ...], rows: int) -> list[Hole]:
    """Return the first and last rows of the stretches in which holes change the spline."""
    stretches: list[Hole] = []
    for first, last in holes:
        start, stop = max(first - _REACH, 0), min(last + _REACH, rows - 1)
        if stretches and start <= stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], stop)
        else:
            stretches.append((start, stop))
    return stretches
