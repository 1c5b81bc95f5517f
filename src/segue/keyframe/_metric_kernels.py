"""Compiled metric of splines: how a functional bends with the coefficients, and the banded system of its least point.

Shapes: m coefficients a coordinate, D coordinates, S samples. Only coefficients at most three apart meet in a sample,
so that a symmetric matrix between them is kept as gram (m, 7, D, D): row i, column i + k - 3, for coordinates d and e.
"""

from __future__ import annotations

from segue.compiled import compiled
from segue.curves.quaternion import Array
from segue.keyframe._path_kernels import Bools, Ints

__all__ = ["REACH", "add_coupled_gram", "add_gram", "write_system"]

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


@compiled(seconds=2, fast_math=True)
def add_coupled_gram(first: Ints, basis: Array, curvature: Array, gram: Array) -> None:
    """Add to gram (m, 7, D, D) as `add_gram` does, where curvature (4 D, 4 D, S) couples coordinates and orders."""
    dimension = gram.shape[2]
    for row in range(curvature.shape[0]):
        order, d = row // dimension, row % dimension
        for column in range(curvature.shape[1]):
            other, e = column // dimension, column % dimension
            for s in range(curvature.shape[2]):
                weight = curvature[row, column, s]
                if weight == 0.0:
                    continue
                for j in range(REACH + 1):
                    part = weight * basis[order, j, s]
                    for k in range(REACH + 1):
                        gram[first[s] + j, REACH + k - j, d, e] += part * basis[other, k, s]


@compiled(seconds=2)
def write_system(gram: Array, stiffen: float, rows: Array, variable: Bools, band: Array) -> None:
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
