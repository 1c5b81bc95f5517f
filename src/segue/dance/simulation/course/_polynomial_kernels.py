"""Compiled values of polynomials of degree five."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=1)
def quintic_at(start: float, stop: float, coefficients: Array, time: float) -> Array:
    """Return value, velocity and acceleration (3, K) of polynomials (6, K) of the time since start, held outside."""
    t = min(max(time, start), stop) - start
    inside = start <= time <= stop
    found = np.zeros((3, coefficients.shape[1]))
    for k in range(coefficients.shape[1]):
        value = rate = growth = 0.0
        for power in range(5, -1, -1):
            growth = growth * t + 2.0 * rate
            rate = rate * t + value
            value = value * t + coefficients[power, k]
        found[0, k] = value
        if inside:
            found[1, k], found[2, k] = rate, growth
    return found
