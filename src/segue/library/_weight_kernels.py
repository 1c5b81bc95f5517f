"""Compiled local linear weights: what a weighted mean of near moments needs to be at the query itself."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array, Single


@compiled(seconds=3, fast_math=True)
def local_linear(apart: Single, ridge: float) -> tuple[Array, float]:
    """Return weights (M,) that sum to 1 and bring the weighted mean of differences (M, F) near zero, and its square.

    They minimise |sum w_k d_k|^2 + ridge sum w_k^2 |d_k|^2, as in [Roweis2000] with a penalty on those far away. The
    matrix d d' + ridge diag |d|^2 is solved through its F x F counterpart by the Woodbury identity.
    """
    count, size = apart.shape
    inverse = np.empty(count)
    for k in range(count):
        square = 0.0
        for f in range(size):
            square += apart[k, f] * apart[k, f]
        inverse[k] = 1.0 / (ridge * max(square, 1e-9))
    gram, right = np.zeros((size, size)), np.zeros(size)
    row = np.empty(size)
    for k in range(count):
        for f in range(size):
            row[f] = apart[k, f]
        for f in range(size):
            scaled = inverse[k] * row[f]
            right[f] += scaled
            for g in range(f + 1):
                gram[f, g] += scaled * row[g]
    for f in range(size):
        gram[f, f] += 1.0
    _solve(gram, right)
    weights, total = np.empty(count), 0.0
    for k in range(count):
        dot = 0.0
        for f in range(size):
            dot += apart[k, f] * right[f]
        weights[k] = inverse[k] * (1.0 - dot)
        total += weights[k]
    left = 0.0
    for k in range(count):
        weights[k] /= total
    for f in range(size):
        mean = 0.0
        for k in range(count):
            mean += weights[k] * apart[k, f]
        left += mean * mean
    return weights, left


@compiled(seconds=1, fast_math=True)
def _solve(matrix: Array, right: Array) -> None:
    """Solve for a positive matrix of which the lower half is given, in place, by Cholesky's factors."""
    size = len(right)
    for i in range(size):
        for j in range(i + 1):
            sum_ = matrix[i, j]
            for k in range(j):
                sum_ -= matrix[i, k] * matrix[j, k]
            if i == j:
                matrix[i, i] = np.sqrt(max(sum_, 1e-12))
            else:
                matrix[i, j] = sum_ / matrix[j, j]
    for i in range(size):
        for k in range(i):
            right[i] -= matrix[i, k] * right[k]
        right[i] /= matrix[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            right[i] -= matrix[k, i] * right[k]
        right[i] /= matrix[i, i]
