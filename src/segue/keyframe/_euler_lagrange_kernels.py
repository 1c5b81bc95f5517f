"""Compiled left side of the Euler-Lagrange equation of covariant acceleration, and derivatives of unit quaternions.

Shapes: derivatives of a path (5, 4, S), from its value to the fourth, and S samples.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array

_ORDERS = 5
_BINOMIAL = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], float)


@compiled(seconds=1, inline=True)
def _product(path: Array, ahead: int, order: int, s: int) -> float:
    """Return a derivative of the product of a path with its own derivative of order `ahead`, at one sample."""
    total = 0.0
    for i in range(order + 1):
        for c in range(4):
            total += _BINOMIAL[order, i] * path[i, c, s] * path[order - i + ahead, c, s]
    return total


@compiled(seconds=2)
def write_sides(q: Array, sides: Array) -> None:
    """Write X + d^2 Y / dt^2 of [Ramamoorthi1997] equations 10 and 11, (4, S)."""
    a, b, ratio = np.empty(3), np.empty(3), np.empty(3)
    for s in range(q.shape[2]):
        for k in range(3):
            a[k], b[k] = _product(q, 2, k, s), _product(q, 0, k, s)
            ratio[k] = a[k]
            for i in range(k):
                ratio[k] -= _BINOMIAL[k, i] * ratio[i] * b[k - i]
            ratio[k] /= b[0]
        for c in range(4):
            pull = q[0, c, s] * ratio[0] ** 2 - q[2, c, s] * ratio[0]
            carried = q[2, c, s] * ratio[0] + 2.0 * q[1, c, s] * ratio[1] + q[0, c, s] * ratio[2]
            sides[c, s] = pull + q[4, c, s] - carried


@compiled(seconds=2)
def write_unit(p: Array, unit: Array) -> None:
    """Write p / |p| and its derivatives, given those of p.

    With b = p.p and r = 1 / |p|, the derivatives of r follow from 2 b r' = -b' r, differentiated again and again.
    """
    b, r = np.empty(_ORDERS), np.empty(_ORDERS)
    for s in range(p.shape[2]):
        for k in range(_ORDERS):
            b[k] = _product(p, 0, k, s)
        r[0] = b[0] ** -0.5
        for k in range(_ORDERS - 1):
            total = 0.0
            for i in range(k + 1):
                total += _BINOMIAL[k, i] * b[i + 1] * r[k - i]
            for i in range(1, k + 1):
                total += 2.0 * _BINOMIAL[k, i] * b[i] * r[k - i + 1]
            r[k + 1] = -total / (2.0 * b[0])
        for k in range(_ORDERS):
            for c in range(4):
                total = 0.0
                for i in range(k + 1):
                    total += _BINOMIAL[k, i] * p[i, c, s] * r[k - i]
                unit[k, c, s] = total
