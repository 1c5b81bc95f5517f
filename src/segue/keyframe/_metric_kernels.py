"""Compiled metric of splines: how a functional bends with the coefficients, and the banded system of its least point.

Shapes: m coefficients a coordinate, D coordinates, S samples. Only coefficients at most three apart meet in a sample,
so that a symmetric matrix between them is kept as gram (m, 7, D, D): row i, column i + k - 3, for coordinates d and e.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array, Flags, Ints

REACH = 3
"""How many coefficients further one can meet another."""


@compiled(seconds=2, fast_math=True)
def add_gram(first: Ints, basis: Array, curvature: Array, gram: Array) -> None:
    """Add to gram (m, 7, 1, 1) the second derivatives, given those by one coordinate of the path, curvature (4, S)."""
    for order in range(curvature.shape[0]):
        for s in range(curvature.shape[1]):
            weight = curvature[order, s]
            if weight == 0.0:
                continue
            for j in range(REACH + 1):
                part = weight * basis[order, j, s]
                for k in range(REACH + 1):
                    gram[first[s] + j, REACH + k - j, 0, 0] += part * basis[order, k, s]


@compiled(seconds=3, fast_math=True)
def add_coupled_gram(first: Ints, basis: Array, curvature: Array, gram: Array) -> None:
    """Add to gram (m, 7, D, D) as `add_gram` does, where curvature (n, D, n, D, S) couples coordinates and n orders.

    It is symmetric: coordinates in the other order are the transpose.
    """
    orders, dimension = curvature.shape[0], gram.shape[2]
    half = np.empty((REACH + 1, orders))
    for s in range(len(first)):
        f = first[s]
        for d in range(dimension):
            for e in range(d + 1):
                for j in range(REACH + 1):
                    for other in range(orders):
                        total = 0.0
                        for order in range(orders):
                            total += basis[order, j, s] * curvature[order, d, other, e, s]
                        half[j, other] = total
                for j in range(REACH + 1):
                    for k in range(REACH + 1):
                        total = 0.0
                        for other in range(orders):
                            total += half[j, other] * basis[other, k, s]
                        gram[f + j, REACH + k - j, d, e] += total
                        if d != e:
                            gram[f + k, REACH + j - k, e, d] += total


@compiled(seconds=2)
def write_system(gram: Array, stiffen: float, rows: Array, variable: Flags, band: Array) -> None:
    """Write the system of the coefficients for which a quadratic form is least while the fixed data stay zero.

    rows: (m, 7), the interpolation matrix in the order of gram. variable: (D, m), which data are not fixed. stiffen: is
    multiplied by each diagonal entry and added to it. band: (3 w + 1, 2 D m), zero, as LAPACK's dgbtrf takes it, with
    w = 7 D diagonals on each side. Unknowns: for each i, D coefficients and then D multipliers, of which those of data
    that are not fixed are zero.
    """
    count, dimension = gram.shape[0], gram.shape[2]
    middle = 2 * 7 * dimension
    largest = 0.0
    for i in range(count):
        for d in range(dimension):
            largest = max(largest, gram[i, REACH, d, d])
    least = stiffen * largest if largest > 0.0 else 1.0
    for i in range(count):
        for k in range(2 * REACH + 1):
            j = i + k - REACH
            if j < 0 or j >= count:
                continue
            for d in range(dimension):
                row, multiplier = 2 * dimension * i + d, 2 * dimension * i + dimension + d
                for e in range(dimension):
                    column = 2 * dimension * j + e
                    band[middle + row - column, column] += gram[i, k, d, e]
                if not variable[d, i]:
                    column = 2 * dimension * j + d
                    band[middle + multiplier - column, column] = rows[i, k]
                    band[middle + column - multiplier, multiplier] = rows[i, k]
        for d in range(dimension):
            own = 2 * dimension * i + d
            band[middle, own] += stiffen * max(gram[i, REACH, d, d], least)
            if variable[d, i]:
                band[middle, own + dimension] = 1.0
