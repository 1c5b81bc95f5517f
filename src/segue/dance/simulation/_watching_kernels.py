"""Compiled parts of watching a dance: how far soles have slid, and which force nothing explains."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=1)
def slide_on(slid: Array, slides: Array, forces: Array, least: float, lasting: float) -> None:
    """Add to how far points have slid (P, 3) what those do that bear: speeds (P, 3), forces (P,) of at least, N."""
    for p in range(len(slid)):
        if forces[p] > least:
            for k in range(3):
                slid[p, k] += lasting * slides[p, k]


@compiled(seconds=1)
def farthest_slid(slid: Array, forces: Array, least: float) -> float:
    """Return how far, level, that point has slid which has slid farthest of those that bear."""
    farthest = 0.0
    for p in range(len(slid)):
        if forces[p] > least:
            farthest = max(farthest, slid[p, 0] * slid[p, 0] + slid[p, 2] * slid[p, 2])
    return float(np.sqrt(farthest))


@compiled(seconds=1)
def unexplained_force(before: Array, now: Array, impulse: Array, weight: float, lasting: float) -> float:
    """Return the size of the force, N, that changed a momentum (3,) besides an impulse (3,) and the weight."""
    total = 0.0
    for k in range(3):
        miss = (now[k] - before[k] - impulse[k]) / lasting + (weight if k == 1 else 0.0)
        total += miss * miss
    return float(np.sqrt(total))
