"""Compiled assembly of normal equations for cyclic splines: banded, by a folded order of the coefficients."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array, Ints


@compiled(seconds=2)
def band_of(
    which: Ints, by: Array, bend: Array, hold: Array, keep: Array, calm: Array, place: Ints, wide: int
) -> Array:
    """Return the lower band (wide, m n) of the normal equations of n splines with m coefficients.

    which, by, bend: (T, 4) the coefficients that count at a sample, for values and for second derivatives. hold:
    (T, n, n) the equations of values at a sample; keep, calm: (n,) what is added to the diagonal for values and for
    second derivatives. place: (m,) where each coefficient comes in order.
    """
    n = len(keep)
    band = np.zeros((wide, len(place) * n))
    for t in range(len(which)):
        for i in range(4):
            for j in range(4):
                row, column = place[which[t, i]] * n, place[which[t, j]] * n
                if row < column:
                    continue
                values, bends = by[t, i] * by[t, j], bend[t, i] * bend[t, j]
                for a in range(n):
                    for b in range(n if row > column else a + 1):
                        band[row + a - column - b, column + b] += values * hold[t, a, b]
                    if row + a >= column + a:
                        band[row - column, column + a] += values * keep[a] + bends * calm[a]
    return band


def folded(count: int) -> Ints:
    """Return the place of each coefficient of a cycle in an order in which neighbours are near: from both ends."""
    index = np.arange(count)
    return np.where(index < (count + 1) // 2, 2 * index, 2 * (count - 1 - index) + 1)
