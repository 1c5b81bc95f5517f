"""Compiled least squares for splines, whose functions overlap few others."""

from __future__ import annotations

import math

import numpy as np

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=2, fast_math=True)
def least_squares(rows: Array, wanted: Array) -> Array:
    """Return the solution (M, K) of rows (N, M) @ solution = wanted (N, K) in the sense of least squares.

    The rows have full rank, and all but a few neighbouring numbers in each are zero: by Cholesky's factors of the
    banded normal equations.
    """
    size, sides = rows.shape[1], wanted.shape[1]
    square, solution = np.zeros((size, size)), np.zeros((size, sides))
    first = np.arange(size)  # of each row of the lower half of the square that is not zero
    for n in range(len(rows)):
        start, stop = 0, size
        while start < size and rows[n, start] == 0.0:
            start += 1
        while stop > start and rows[n, stop - 1] == 0.0:
            stop -= 1
        for i in range(start, stop):
            first[i] = min(first[i], start)
            for j in range(start, i + 1):
                square[i, j] += rows[n, i] * rows[n, j]
            for k in range(sides):
                solution[i, k] += rows[n, i] * wanted[n, k]
    for i in range(size):
        for j in range(first[i], i + 1):
            total = square[i, j]
            for k in range(max(first[i], first[j]), j):
                total -= square[i, k] * square[j, k]
            square[i, j] = math.sqrt(total) if i == j else total / square[j, j]
        for k in range(sides):
            for j in range(first[i], i):
                solution[i, k] -= square[i, j] * solution[j, k]
            solution[i, k] /= square[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(sides):
            solution[i, k] /= square[i, i]
            for j in range(first[i], i):
                solution[j, k] -= square[i, j] * solution[i, k]
    return solution
