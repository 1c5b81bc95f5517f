"""Compiled dual active-set method for a quadratic program of contact forces with half-space constraints [Goldfarb1983].

The method is exact. It starts at the unconstrained minimum, adds the most violated half-space to the active set, and
drops half-spaces whose multiplier becomes zero. Shapes: P forces of three components, K half-spaces each, N = 3P
unknowns.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array

_OUTSIDE = 1e-9  # of the largest force: tolerance of a violation
_LEVEL = 1e-12  # of the squared length of the normal: a shorter direction counts as zero
_CHANGES = 20  # changes of the active set per half-space: far more than any problem needs


@compiled(seconds=1, fast_math=True)
def cholesky_upper(square: Array) -> bool:
    """Replace the upper triangle of a matrix (N, N) by U with U' U = square; return False if it is not positive
    definite.

    Here and below plain loops replace a linear algebra library, which has a larger overhead and may round differently
    on other machines. Loops run along contiguous parts of rows, which compilers vectorise.
    """
    for k in range(len(square)):
        row = square[k, k:]
        for above in range(k):
            share, other = square[above, k], square[above, k:]
            for j in range(len(row)):
                row[j] -= share * other[j]
        if not row[0] > 0.0:
            return False
        scale = 1.0 / np.sqrt(row[0])
        for j in range(len(row)):
            row[j] *= scale
    return True


@compiled(seconds=1, fast_math=True)
def inverse_cholesky(square: Array, inverse: Array) -> bool:
    """Write the inverse of the lower triangle L with L L' = square (N, N); return False if there is none."""
    root = square.copy()
    if not cholesky_upper(root):
        return False
    inverse[:] = 0.0
    for i in range(len(root)):
        inverse[i, i] = 1.0
        for k in range(i):
            share = root[k, i]
            for j in range(k + 1):
                inverse[i, j] -= share * inverse[k, j]
        scale = 1.0 / root[i, i]
        for j in range(i + 1):
            inverse[i, j] *= scale
    return True


@compiled(seconds=1, fast_math=True)
def _most_violated(forces: Array, sides: Array, least: Array, allowed: float) -> tuple[int, float]:
    """Return the most violated half-space and its signed distance (negative), or -1 if none is violated."""
    found, most = -1, -allowed
    for p in range(len(sides)):
        x, y, z = forces[3 * p], forces[3 * p + 1], forces[3 * p + 2]
        for k in range(sides.shape[1]):
            a, b, c = sides[p, k, 0], sides[p, k, 1], sides[p, k, 2]
            miss = (a * x + b * y + c * z - least[p, k]) / np.sqrt(a * a + b * b + c * c)
            if miss < most:
                found, most = p * sides.shape[1] + k, miss
    return found, most


@compiled(seconds=2, fast_math=True)
def _drop_constraint(place: int, count: int, triangle: Array, basis: Array) -> None:
    """Remove an active half-space from the factors by Givens rotations."""
    size = basis.shape[1]
    for k in range(place, count - 1):
        for i in range(k + 2):
            triangle[i, k] = triangle[i, k + 1]
        length = np.hypot(triangle[k, k], triangle[k + 1, k])
        if length == 0.0:
            continue
        cosine, sine = triangle[k, k] / length, triangle[k + 1, k] / length
        triangle[k, k] = length
        for j in range(k + 1, count - 1):
            above, below = triangle[k, j + 1], triangle[k + 1, j + 1]
            triangle[k, j + 1] = cosine * above + sine * below
            triangle[k + 1, j + 1] = cosine * below - sine * above
        for i in range(size):
            above, below = basis[k, i], basis[k + 1, i]
            basis[k, i] = cosine * above + sine * below
            basis[k + 1, i] = cosine * below - sine * above


@compiled(seconds=2, fast_math=True)
def _add_constraint(count: int, along: Array, free: Array, square: float, triangle: Array, basis: Array) -> None:
    """Add a half-space to the factors by one Householder reflection.

    along: (N,) its normal in the basis. free: (N,) basis' times the part of the normal that no active one shares, of
    squared length `square`.
    """
    size = len(along)
    length = np.copysign(np.sqrt(square), along[count])
    first = along[count] + length
    scale = 1.0 / (length * first)
    mixed = np.empty(size)
    for i in range(size):
        mixed[i] = scale * (free[i] + length * basis[count, i])
    for k in range(count, size):
        share = first if k == count else along[k]
        for i in range(size):
            basis[k, i] -= share * mixed[i]
    for k in range(count):
        triangle[k, count] = along[k]
    triangle[count, count] = -length


@compiled(seconds=8, fast_math=True)
def solve_force_qp(hessian: Array, gradient: Array, sides: Array, least: Array) -> tuple[Array, bool]:
    """Return forces f (N,) that minimise f' H f / 2 - g' f, and whether the method converged.

    hessian: (N, N) H, positive definite. gradient: (N,) g. Constraints: sides (P, K, 3) @ force >= least (P, K). The
    method does not converge if no forces satisfy them, or if the hessian is not positive definite.
    """
    size, each = len(gradient), sides.shape[1]
    basis = np.empty((size, size))  # rows: the columns of J = L^-T Q of the paper
    forces = np.zeros(size)
    if not inverse_cholesky(hessian, basis):
        return forces, False
    for k in range(size):
        share = 0.0
        for i in range(k + 1):
            share += basis[k, i] * gradient[i]
        for i in range(k + 1):
            forces[i] += basis[k, i] * share
    largest = 0.0
    for i in range(size):
        largest = max(largest, abs(forces[i]))
    allowed = _OUTSIDE * (1.0 + largest)
    triangle = np.empty((size, size))
    prices = np.empty(size)
    along, free, trade = np.empty(size), np.empty(size), np.empty(size)
    count = 0
    new, miss = _most_violated(forces, sides, least, allowed)
    price = 0.0
    for _ in range(_CHANGES * (1 + least.size)):
        if new < 0:
            return forces, True
        p, s = new // each, new % each
        a, b, c = sides[p, s, 0], sides[p, s, 1], sides[p, s, 2]
        normal = np.sqrt(a * a + b * b + c * c)
        whole = square = 0.0
        for k in range(size):
            along[k] = a * basis[k, 3 * p] + b * basis[k, 3 * p + 1] + c * basis[k, 3 * p + 2]
            whole += along[k] * along[k]
        free[:] = 0.0
        for k in range(count, size):
            square += along[k] * along[k]
            for i in range(size):
                free[i] += along[k] * basis[k, i]
        for k in range(count - 1, -1, -1):
            total = along[k]
            for j in range(k + 1, count):
                total -= triangle[k, j] * trade[j]
            trade[k] = total / triangle[k, k]
        # step until the multiplier of an active half-space is zero, and until the new half-space is satisfied
        partly, place = np.inf, -1
        for k in range(count):
            if trade[k] > 0.0 and prices[k] < partly * trade[k]:
                partly, place = prices[k] / trade[k], k
        fully = -miss * normal / square if square > _LEVEL * whole else np.inf
        step = min(partly, fully)
        if not np.isfinite(step):
            return forces, False
        for k in range(count):
            prices[k] -= step * trade[k]
        price += step
        if np.isfinite(fully):
            for i in range(size):
                forces[i] += step * free[i]
        if fully <= partly:
            _add_constraint(count, along, free, square, triangle, basis)
            prices[count] = price
            count += 1
            new, miss = _most_violated(forces, sides, least, allowed)
            price = 0.0
        else:
            _drop_constraint(place, count, triangle, basis)
            for k in range(place, count - 1):
                prices[k] = prices[k + 1]
            count -= 1
            x, y, z = forces[3 * p], forces[3 * p + 1], forces[3 * p + 2]
            miss = (a * x + b * y + c * z - least[p, s]) / normal
    return forces, False
