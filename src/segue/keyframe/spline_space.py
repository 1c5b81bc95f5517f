"""Cubic C2 splines on given knots: the interpolation matrix, factorised once, and how the ends are closed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack

from segue.errors import ArgumentError
from segue.keyframe._path_kernels import multiply_columns, multiply_rows, write_band, write_interpolation
from segue.typing import Array

_BAND = 3
"""Diagonals on each side of the main one: not-a-knot conditions reach three columns further, all others one."""


class Ends(StrEnum):
    """How a spline is closed at its ends, where interpolation leaves one condition open at each.

    natural: no acceleration. That is the path of least squared acceleration through the frames, which every other end
    makes rougher, and is the default. clamped: the velocity is given. not-a-knot: the first two pieces, and the last
    two, are one cubic each. free: the accelerations at the ends are two more variables a coordinate, which begin at
    zero, so that optimisation begins at the natural spline and has the whole of the C2 cubics to choose from.
    """

    NATURAL = "natural"
    CLAMPED = "clamped"
    NOT_A_KNOT = "not-a-knot"
    FREE = "free"

    @classmethod
    def of(cls, name: Ends | str) -> Ends:
        """Return the ends of a name."""
        try:
            return cls(name)
        except ValueError:
            raise ArgumentError(f"the ends are {name!r}: they can be {', '.join(end.value for end in cls)}") from None


@dataclass(frozen=True, eq=False)
class SplineSpace:
    """The C2 cubics with knots at times (M,) and one kind of ends; m = M + 2 coefficients a coordinate.

    The matrix of equation 5 in [Ramamoorthi1997] has the rows: value at the start, condition of the start, values at
    the inner times, condition of the stop, value at the stop; so ordered it has few diagonals.
    """

    times: Array
    ends: Ends

    def __post_init__(self) -> None:
        times = self.times
        if times.ndim != 1 or len(times) < 2:
            raise ArgumentError(f"a spline needs at least 2 times, not an array {times.shape}")
        if not np.isfinite(times).all():
            raise ArgumentError(f"time {np.argmin(np.isfinite(times))} is not a finite number: a time in s is needed")
        bad = np.flatnonzero(np.diff(times) <= 0)
        if len(bad):
            k = int(bad[0])
            raise ArgumentError(
                f"times must increase, but time {k + 1} is {times[k + 1]:g} s, after {times[k]:g} s before it"
            )

    @property
    def count(self) -> int:
        """m, the number of coefficients a coordinate."""
        return len(self.times) + 2

    @cached_property
    def knots(self) -> Array:
        """The knots, those at the ends four times."""
        return np.concatenate([np.repeat(self.times[0], 3), self.times, np.repeat(self.times[-1], 3)])

    @cached_property
    def rows(self) -> Array:
        """(m, 7): the interpolation matrix, row i in the columns i - 3 to i + 3."""
        # a line is all that not-a-knot can mean for two frames, and so is natural
        joined = self.ends is Ends.NOT_A_KNOT and len(self.times) > 2
        rows = np.zeros((self.count, 2 * _BAND + 1))
        write_interpolation(self.knots, self.times, 1 if self.ends is Ends.CLAMPED else 2, joined, rows)
        return rows

    @cached_property
    def _factors(self) -> tuple[Array, npt.NDArray[np.int32]]:
        """The banded LU factors of the interpolation matrix, and its pivots."""
        band = np.zeros((3 * _BAND + 1, self.count))
        write_band(self.rows, band)
        factors, pivots, singular = lapack.dgbtrf(band, _BAND, _BAND)
        assert singular == 0, "the times increase, so that the matrix has an inverse"
        return factors, pivots

    def arranged(self, frames: npt.NDArray[np.generic], ends: npt.NDArray[np.generic]) -> Array:
        """Return frames (M, D) and what the ends ask for, (2, D), as one array (D, m) in the matrix's order."""
        data = np.empty((frames.shape[1], self.count))
        data[:, 0], data[:, 1], data[:, -2], data[:, -1] = frames[0], ends[0], ends[1], frames[-1]
        data[:, 2:-2] = frames[1:-1].T
        return data

    def parted(self, data: npt.NDArray[np.generic]) -> tuple[Array, Array]:
        """Return frames (M, D) and what the ends ask for, (2, D), from an array (D, m)."""
        rows = data.T.astype(float)
        return np.concatenate([rows[:1], rows[2:-2], rows[-1:]]), rows[[1, -2]]

    def coefficients(self, data: Array) -> Array:
        """Return the coefficients (D, m) of the splines through data (D, m), equation 6 of [Ramamoorthi1997]."""
        return self._solved(data, 0)

    def adjoint(self, by_coefficients: Array) -> Array:
        """Return the gradient (D, m) by the data, given that by the coefficients."""
        return self._solved(by_coefficients, 1)

    def data(self, coefficients: Array) -> Array:
        """Return the data (D, m) of the splines of coefficients (D, m)."""
        data = np.empty_like(coefficients)
        multiply_rows(self.rows, coefficients, data)
        return data

    def transposed(self, by_data: Array) -> Array:
        """Return the gradient (D, m) by the coefficients, given that by the data."""
        by_coefficients = np.zeros_like(by_data)
        multiply_columns(self.rows, by_data, by_coefficients)
        return by_coefficients

    def _solved(self, rows: Array, transposed: int) -> Array:
        factors, pivots = self._factors
        solution: Array = lapack.dgbtrs(factors, _BAND, _BAND, rows.T, pivots, trans=transposed)[0]
        return solution.T
