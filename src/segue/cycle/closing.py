"""Closing what nearly closes: the gap between both ends spread over all, then a cyclic spline through it.

These are the last two steps of [Rose1996], section 3.3. There the offset grows from nothing at the start; here it is
nothing in the middle, so that both ends give way by half. The curves differ by a constant.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.linalg

from segue.curves import quaternion
from segue.curves.bspline import SplineBasis
from segue.curves.quaternion import Array
from segue.curves.spline_kernels import Ints, Knots

__all__ = ["ClosedBasis", "Flags", "closed_rotations", "closed_values", "flips_of"]

Flags = npt.NDArray[np.bool_]

_PER_PIECE = 4


def closed_values(values: Array, shares: Array, first: Array, last: Array) -> Array:
    """Return values (T, ...) with the gap between the last and the first taken out, linearly over the interval.

    shares: (T,) how much of the interval has passed, from 0 to 1.
    """
    back = (shares - 0.5).reshape(-1, *(1,) * (values.ndim - 1))
    closed: Array = values - back * (last - first)
    return closed


def closed_rotations(rotations: Array, shares: Array, first: Array, last: Array) -> Array:
    """Return rotations (T, ..., 4) with the gap taken out as in `closed_values`, by turns about one axis."""
    gap = quaternion.log(quaternion.multiply(quaternion.conjugate(first), last))
    back = (shares - 0.5).reshape(-1, *(1,) * (rotations.ndim - 1))
    return quaternion.multiply(rotations, quaternion.exp(-back * gap))


class ClosedBasis:
    """Cyclic cubic B-splines over a period, and the times at which they are fitted: a few in the midst of each piece.

    A curve is its values and slopes at the breaks, between which it is a cubic: C2, also where it begins again.
    """

    def __init__(self, period: float, pieces: int) -> None:
        self.basis = SplineBasis.uniform(0.0, period, pieces, cyclic=True)
        self.period = period
        self.pieces = pieces
        count = _PER_PIECE * pieces
        self.shares: Array = (np.arange(count) + 0.5) / count
        """(T,) the times of the samples as shares of the period."""

    @property
    def times(self) -> Array:
        """Times of the samples, (T,) s from the start of the period."""
        return self.shares * self.period

    @cached_property
    def matrix(self) -> Array:
        """(T, m): values at the samples from coefficients."""
        return self.basis.matrix(self.times)

    @cached_property
    def local(self) -> tuple[Ints, Array]:
        """The four coefficients that count at each sample, (T, 4), and by how much, (T, 4)."""
        which = (self._sample_pieces[:, None] + np.arange(4)) % self.pieces
        return which, np.take_along_axis(self.matrix, which, axis=1)

    @property
    def _sample_pieces(self) -> Ints:
        return np.arange(len(self.shares)) // _PER_PIECE

    @cached_property
    def _at_breaks(self) -> tuple[Array, Array]:
        """(m, m) each: values and slopes at the breaks from coefficients."""
        breaks = self.basis.breaks[:-1]
        return self.basis.matrix(breaks), self.basis.matrix(breaks, 1)

    def fit(self, values: Array, flips: Flags | None = None) -> Array:
        """Return coefficients (m, C) of the curves nearest to values (T, C), in the sense of least squares.

        flips: (C,) which curves come back with the other sign, as the quaternion of an arm that goes full circle does.
        """
        coefficients = _least_squares(self.matrix, values)
        if flips is not None and flips.any():
            matrix = _flipped(self.matrix, self._sample_pieces)
            coefficients[:, flips] = _least_squares(matrix, values[:, flips])
        return coefficients

    def knots(self, coefficients: Array, flips: Flags | None = None) -> Knots:
        """Return curves (m, C) as compiled functions take them: a row for each break, the last as the first."""
        signs = np.ones(coefficients.shape[1]) if flips is None else np.where(flips, -1.0, 1.0)
        rows = []
        for matrix in self._at_breaks:
            part = matrix @ coefficients
            if flips is not None and flips.any():
                part[:, flips] = _flipped(matrix, np.arange(self.pieces)) @ coefficients[:, flips]
            rows.append(np.concatenate([part, signs * part[:1]]))
        nothing = np.empty((0, coefficients.shape[1]))
        no_patches, no_holes = np.zeros((0, 3), np.int64), np.zeros((0, 2), np.int64)
        return Knots(self.pieces / self.period, rows[0], rows[1], no_patches, nothing, nothing.copy(), no_holes)


def flips_of(rotations: Array) -> Flags:
    """Return which of continuous quaternions (T, N, 4) over a period come back with the other sign, (N,)."""
    flips: Flags = np.sum(rotations[-1] * rotations[0], axis=-1) < 0
    return flips


def _least_squares(matrix: Array, values: Array) -> Array:
    solved: Array = scipy.linalg.cho_solve(scipy.linalg.cho_factor(matrix.T @ matrix), matrix.T @ values)
    return solved


def _flipped(matrix: Array, pieces: Ints) -> Array:
    """Return a cyclic matrix (T, m) for curves that change sign from one period to the next.

    pieces: (T,) the piece of each row. Coefficients that come before it have gone once round.
    """
    flipped: Array = np.where(np.arange(matrix.shape[1]) < pieces[:, None], -matrix, matrix)
    return flipped
