"""Cubic C2 splines on given knots: the interpolation matrix, factorised once, and how the ends are closed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy

from segue.checks import choice
from segue.compiled import compiled
from segue.errors import ArgumentError
from segue.typing import Array, Ints

_DEGREE = 3


@compiled(seconds=1, inline=True)
def _differentiate(knots: Array, last: int, degree: int, values: Array) -> None:
    """Turn the functions of one degree less (or their derivatives) into the derivatives of those of a degree.

    last: the index of the last knot that is not after the time.
    """
    carried = 0.0
    for r in range(degree + 1):
        j = last - degree + r
        rising = carried / (knots[j + degree] - knots[j]) if r > 0 else 0.0
        if r < degree:
            carried = values[r]
            falling = carried / (knots[j + degree + 1] - knots[j + 1])
        else:
            falling = 0.0
        values[r] = degree * (rising - falling)


@compiled(seconds=1, inline=True)
def _raise(knots: Array, last: int, degree: int, time: float, values: Array) -> None:
    """Turn the functions of one degree less into those of a degree, by the recursion of Cox and de Boor."""
    carried = 0.0
    for r in range(degree + 1):
        j = last - degree + r
        rising = carried * (time - knots[j]) / (knots[j + degree] - knots[j]) if r > 0 else 0.0
        if r < degree:
            carried = values[r]
            end = knots[j + degree + 1]
            falling = carried * (end - time) / (end - knots[j + 1])
        else:
            falling = 0.0
        values[r] = rising + falling


@compiled(seconds=1)
def write_basis(knots: Array, times: Array, first: Ints, basis: Array) -> None:
    """Write which function is the first that counts at each time, first (S,), and the derivatives, basis (4, 4, S)."""
    pieces = len(knots) - 2 * _DEGREE - 1
    values = np.empty(_DEGREE + 1)
    piece = 0
    for s in range(len(times)):
        time = times[s]
        if time < knots[_DEGREE + piece]:
            piece = 0
        while piece < pieces - 1 and time >= knots[_DEGREE + piece + 1]:
            piece += 1
        first[s] = piece
        for order in range(_DEGREE + 1):
            values[0] = 1.0
            for degree in range(1, _DEGREE + 1 - order):
                _raise(knots, _DEGREE + piece, degree, time, values)
            for degree in range(_DEGREE + 1 - order, _DEGREE + 1):
                _differentiate(knots, _DEGREE + piece, degree, values)
            for j in range(_DEGREE + 1):
                basis[order, j, s] = values[j]


@compiled(seconds=1, inline=True)
def _add_row(rows: Array, row: int, first: Ints, basis: Array, order: int, at: int, sign: float) -> None:
    """Add to a row of a banded matrix what a derivative at one of the times means for the coefficients."""
    for j in range(_DEGREE + 1):
        rows[row, first[at] + j - row + _DEGREE] += sign * basis[order, j, at]


@compiled(seconds=1)
def write_interpolation(knots: Array, times: Array, order: int, joined: bool, rows: Array) -> None:
    """Write the matrix of values at times (M,) and of the conditions at both ends, rows (m, 7) about its diagonal.

    order: the derivative that the ends ask for. joined: they ask instead that the two pieces there be one cubic.
    """
    last = len(times) - 1
    first, basis = np.empty(last + 1, np.int64), np.empty((_DEGREE + 1, _DEGREE + 1, last + 1))
    write_basis(knots, times, first, basis)
    _add_row(rows, 0, first, basis, 0, 0, 1.0)
    for k in range(1, last):
        _add_row(rows, k + 1, first, basis, 0, k, 1.0)
    _add_row(rows, last + 2, first, basis, 0, last, 1.0)
    if not joined:
        _add_row(rows, 1, first, basis, order, 0, 1.0)
        _add_row(rows, last + 1, first, basis, order, last, 1.0)
        return
    _add_row(rows, 1, first, basis, _DEGREE, 1, 1.0)
    _add_row(rows, 1, first, basis, _DEGREE, 0, -1.0)
    _add_row(rows, last + 1, first, basis, _DEGREE, last, 1.0)
    if last > 2:  # of three frames both ends ask the same, and the parabola is the simplest that meets it
        _add_row(rows, last + 1, first, basis, _DEGREE, last - 2, -1.0)


@compiled(seconds=1)
def write_band(rows: Array, band: Array) -> None:
    """Write a matrix, rows (m, 7) about its diagonal, into band (10, m) as LAPACK's dgbtrf takes it."""
    count = len(rows)
    for i in range(count):
        for j in range(max(0, i - _DEGREE), min(count, i + _DEGREE + 1)):
            band[2 * _DEGREE + i - j, j] = rows[i, j - i + _DEGREE]


@compiled(seconds=1, fast_math=True)
def write_path(first: Ints, basis: Array, coefficients: Array, path: Array) -> None:
    """Write value, velocity, acceleration and jerk, path (4, D, S), from coefficients (D, m)."""
    for order in range(path.shape[0]):
        for d in range(path.shape[1]):
            for s in range(path.shape[2]):
                f = first[s]
                path[order, d, s] = (
                    basis[order, 0, s] * coefficients[d, f]
                    + basis[order, 1, s] * coefficients[d, f + 1]
                    + basis[order, 2, s] * coefficients[d, f + 2]
                    + basis[order, 3, s] * coefficients[d, f + 3]
                )


@compiled(seconds=1, fast_math=True)
def spread_gradient(
    first: Ints, basis: Array, value: Array, velocity: Array, acceleration: Array, jerk: Array, by_coefficients: Array
) -> None:
    """Add to by_coefficients (D, m) what gradients by the path's derivatives, (D, S) each, mean for them."""
    for order in range(_DEGREE + 1):
        gradient = value if order == 0 else velocity if order == 1 else acceleration if order == 2 else jerk
        for d in range(gradient.shape[0]):
            for s in range(gradient.shape[1]):
                pull = gradient[d, s]
                if pull == 0.0:
                    continue
                f = first[s]
                for j in range(_DEGREE + 1):
                    by_coefficients[d, f + j] += basis[order, j, s] * pull


@compiled(seconds=1)
def multiply_rows(rows: Array, vectors: Array, products: Array) -> None:
    """Write the products (D, m) of a banded matrix, rows (m, 7) about its diagonal, and vectors (D, m)."""
    count = len(rows)
    for d in range(len(vectors)):
        for i in range(count):
            total = 0.0
            for j in range(max(0, i - _DEGREE), min(count, i + _DEGREE + 1)):
                total += rows[i, j - i + _DEGREE] * vectors[d, j]
            products[d, i] = total


@compiled(seconds=1)
def multiply_columns(rows: Array, vectors: Array, products: Array) -> None:
    """Add the products (D, m) of the transposed matrix to what is there; see `multiply_rows`."""
    count = len(rows)
    for d in range(len(vectors)):
        for i in range(count):
            for j in range(max(0, i - _DEGREE), min(count, i + _DEGREE + 1)):
                products[d, j] += rows[i, j - i + _DEGREE] * vectors[d, i]


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
        return choice("ends", name, cls)


@dataclass(frozen=True, eq=False)
class SplineSpace:
    """The C2 cubics with knots at times (M,) and one kind of ends; m = M + 2 coefficients a coordinate.

    The matrix of equation 5 in [Ramamoorthi1997] has the rows: value at the start, condition of the start, values at
    the inner times, condition of the stop, value at the stop. In this order it has few diagonals.
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
        factors, pivots, singular = scipy.linalg.lapack.dgbtrf(band, _BAND, _BAND)
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
        solution: Array = scipy.linalg.lapack.dgbtrs(factors, _BAND, _BAND, rows.T, pivots, trans=transposed)[0]
        return solution.T
