"""Compiled halves of the two-loop recursion of limited-memory BFGS, before and after the metric's own step.

Shapes: c steps kept, in a ring, of n variables each. steps, turns: (c, n); products, shares: (c,).
"""

from __future__ import annotations

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=2, fast_math=True)
def unlearn(steps: Array, turns: Array, products: Array, shares: Array, known: int, rest: Array) -> None:
    """Take from a gradient (n,), in place, what the steps kept account for; write their shares."""
    kept, size = len(steps), len(rest)
    for k in range(min(known, kept)):
        c = (known - 1 - k) % kept
        share = 0.0
        for i in range(size):
            share += steps[c, i] * rest[i]
        share /= products[c]
        shares[c] = share
        for i in range(size):
            rest[i] -= share * turns[c, i]


@compiled(seconds=2, fast_math=True)
def learn(steps: Array, turns: Array, products: Array, shares: Array, known: int, step: Array) -> None:
    """Add to the metric's step (n,), in place, what the steps kept have taught."""
    kept, size = len(steps), len(step)
    used = min(known, kept)
    for k in range(used - 1, -1, -1):
        c = (known - 1 - k) % kept
        share = 0.0
        for i in range(size):
            share += turns[c, i] * step[i]
        share = shares[c] - share / products[c]
        for i in range(size):
            step[i] += share * steps[c, i]
