"""Compiled dual active-set method: forces of least cost, each within half-spaces of its own [Goldfarb1983].

It is exact, as a simplex method is: it begins at the least of all and takes in one violated half-space after another,
letting go of those that no longer matter. Shapes: P forces of three components, K half-spaces each, N = 3P unknowns.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array

_OUTSIDE = 1e-9  # of the largest force: what is beyond a half-space by less is within it
_LEVEL = 1e-12  # of the normal's length: a direction shorter than that is none
_CHANGES = 20  # of the active set, per half-space: far more than any problem needs


@compiled(seconds=1, fast_math=True)
def upper_root(square: Array) -> bool:
    """Replace the upper triangle of a matrix (N, N) by U with U' U = square, and return whether there is one.

    Loops are our own here and below: a linear algebra library would take longer to begin, and might round differently
    from machine to machine. They run along parts of rows from their first element on, which compilers make fast.
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
def inverse_root(square: Array, inverse: Array) -> bool:
    """Write the inverse of the lower triangle L with L L' = square (N, N), and return whether there is one."""
    root = square.copy()
    if not upper_root(root):
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
def _farthest_outside(forces: Array, sides: Array, least: Array, allowed: float) -> tuple[int, float]:
    """Return the half-space that is missed by most and by how much (below zero), or -1 where all are kept."""
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
def _let_go(place: int, count: int, triangle: Array, basis: Array) -> None:
    """Take the active half-space at a place out of the factors: Givens rotations close the gap."""
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
def _take_in(count: int, along: Array, free: Array, square: float, triangle: Array, basis: Array) -> None:
    """Add a half-space to the factors: one Householder reflection turns its free part into the next basis vector.

    along: (N,) its normal in the basis. free: (N,) basis' times the part of it that no active one shares, of squared
    length `square`.
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
def least_forces(hessian: Array, gradient: Array, sides: Array, least: Array) -> tuple[Array, bool]:
    """Return forces f (N,) with the least f' H f / 2 - g' f, and whether the method came to its end.

    hessian: (N, N) H, positive definite. gradient: (N,) g. Every force keeps to sides (P, K, 3) @ force >= least
    (P, K). Where no forces do, or the hessian is not positive definite, it cannot come to its end.
    """
    size, each = len(gradient), sides.shape[1]
    basis = np.empty((size, size))  # rows: the columns of J = L^-T Q of the paper
    forces = np.zeros(size)
    if not inverse_root(hessian, basis):
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
    new, miss = _farthest_outside(forces, sides, least, allowed)
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
        # how far until the price of an active half-space is down to nothing, and until the new one is kept
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
            _take_in(count, along, free, square, triangle, basis)
            prices[count] = price
            count += 1
            new, miss = _farthest_outside(forces, sides, least, allowed)
            price = 0.0
        else:
            _let_go(place, count, triangle, basis)
            for k in range(place, count - 1):
                prices[k] = prices[k + 1]
            count -= 1
            x, y, z = forces[3 * p], forces[3 * p + 1], forces[3 * p + 2]
            miss = (a * x + b * y + c * z - least[p, s]) / normal
    return forces, False
