"""Compiled C2 cubics in time: the basis at samples, the path there, and the adjoint of both.

Shapes: m coefficients a coordinate, D coordinates, S samples, 4 orders of derivative (value to jerk), and the 4 basis
functions j that do not vanish at a sample. Time comes last: the inner loops run over samples.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
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


@compiled(seconds=2)
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


@compiled(seconds=2)
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


@compiled(seconds=2, fast_math=True)
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


@compiled(seconds=3, fast_math=True)
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
