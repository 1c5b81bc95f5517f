"""The two-loop recursion of limited-memory BFGS, [Nocedal2006] algorithm 7.4, in any metric.

Memory: the last K steps and gradient differences (K, n), and the curvatures along them (K,), as a ring; stored: how
many have been kept in all.
"""

from __future__ import annotations

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=1, fast_math=True, inline=True)
def dot(a: Array, b: Array) -> float:
    """Return the product of two vectors."""
    sum_ = 0.0
    for i in range(len(a)):
        sum_ += a[i] * b[i]
    return sum_


@compiled(seconds=1, fast_math=True, inline=True)
def _add(to: Array, factor: float, what: Array) -> None:
    for i in range(len(to)):
        to[i] += factor * what[i]


@compiled(seconds=1, fast_math=True)
def backward_pass(steps: Array, grad_diffs: Array, curvatures: Array, alphas: Array, stored: int, rest: Array) -> None:
    """Run the backward pass on a gradient (n,), in place; write its alphas (K,)."""
    kept = len(steps)
    for k in range(min(stored, kept)):
        c = (stored - 1 - k) % kept
        alphas[c] = dot(steps[c], rest) / curvatures[c]
        _add(rest, -alphas[c], grad_diffs[c])


@compiled(seconds=1, fast_math=True)
def forward_pass(steps: Array, grad_diffs: Array, curvatures: Array, alphas: Array, stored: int, step: Array) -> None:
    """Run the forward pass on the metric's step (n,), in place."""
    kept = len(steps)
    for k in range(min(stored, kept) - 1, -1, -1):
        c = (stored - 1 - k) % kept
        _add(step, alphas[c] - dot(grad_diffs[c], step) / curvatures[c], steps[c])


@compiled(seconds=1, fast_math=True)
def store_step(
    before: Array,
    after: Array,
    low: Array,
    high: Array,
    steps: Array,
    grad_diffs: Array,
    curvatures: Array,
    stored: int,
) -> int:
    """Keep a step between two vectors (n,) with gradients (n,), if it bends upwards; return how many are kept then."""
    c = stored % len(steps)
    for i in range(len(before)):
        steps[c, i] = after[i] - before[i]
        grad_diffs[c, i] = high[i] - low[i]
    curvatures[c] = dot(steps[c], grad_diffs[c])
    return stored + 1 if curvatures[c] > 1e-12 * dot(grad_diffs[c], grad_diffs[c]) else stored
