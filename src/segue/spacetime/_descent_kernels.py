"""Descent: limited-memory BFGS whose initial metric is the factored Gauss-Newton matrix."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion import Array
from segue.spacetime._energy_kernels import energy
from segue.spacetime._metric_kernels import apply_metric, factor_size, write_metric
from segue.spacetime._problem import Ints, Problem

__all__ = ["CONVERGED", "ITERATIONS", "STALLED", "STOPPED", "descend"]

CONVERGED, ITERATIONS, STALLED, STOPPED = range(4)

_MEMORY = 20
_SUFFICIENT, _CURVATURE = 1e-4, 0.9
_GAIN = 20.0
"""What has been gained, times this, is what the tolerance is taken of where it is less than the energy."""


@compiled(seconds=40, fast_math=True)
def descend(
    problem: Problem, y: Array, tolerance: float, gained: float, most: int, refresh: int, stop: Ints, counts: Ints
) -> tuple[float, float, int]:
    """Minimise from y (F, m) on, in place.

    tolerance: it ends when a step of the quadratic model would gain less than this part of the energy, or of what has
    been gained, times 20, where that is less. gained: how much had been before. most: iterations at most. refresh:
    iterations after which the metric is made anew. stop: anything but zero ends the descent at the next iteration.
    counts: iterations and evaluations are added to it. Returns the energy at start and end, and why it ended.
    """
    shape, size = y.shape, y.size
    gradient, trial, there = np.zeros(shape), np.empty(shape), np.zeros(shape)
    step = np.empty(shape)
    steps, turns = np.empty((_MEMORY, size)), np.empty((_MEMORY, size))
    products, shares = np.empty(_MEMORY), np.empty(_MEMORY)
    factor = np.empty(factor_size(problem, shape[1]))
    value = energy(problem, y, gradient)
    first = value
    counts[1] += 1
    write_metric(problem, y, factor)
    known, age, small, started, expected = 0, 0, 0, counts[0], 0.0
    for _ in range(most):
        if stop[0] != 0:
            return first, value, STOPPED
        if age >= refresh:
            write_metric(problem, y, factor)
            known, age = 0, 0
        slope = _direction(problem, factor, gradient, step, steps, turns, products, shares, known)
        # where most of the energy is not for us to change, what can be gained counts
        if counts[0] == started:
            expected = -0.5 * slope
        scale = min(value, _GAIN * (gained + first - value + expected))
        if -0.5 * slope < tolerance * scale:
            return first, value, CONVERGED
        reached = _search(problem, y, value, gradient, step, slope, trial, there, counts)
        if not reached < value:
            if known == 0:
                return first, value, STALLED
            write_metric(problem, y, factor)
            known, age = 0, 0
            continue
        counts[0] += 1
        age += 1
        _remember(y, trial, gradient, there, steps, turns, products, known)
        if products[known % _MEMORY] > 0.0:
            known += 1
        small = small + 1 if value - reached < 0.1 * tolerance * scale else 0
        value = reached
        y[:] = trial
        gradient[:] = there
        if small >= 3:
            return first, value, CONVERGED
    return first, value, ITERATIONS


@compiled(seconds=2, fast_math=True)
def _direction(
    problem: Problem,
    factor: Array,
    gradient: Array,
    step: Array,
    steps: Array,
    turns: Array,
    products: Array,
    shares: Array,
    known: int,
) -> float:
    """Write the step of the quadratic model and return the slope along it."""
    step[:] = gradient
    flat, slopes = step.reshape(step.size), gradient.reshape(gradient.size)
    used = min(known, _MEMORY)
    for k in range(used):
        c = (known - 1 - k) % _MEMORY
        shares[c] = _dot(steps[c], flat) / products[c]
        _add(flat, -shares[c], turns[c])
    apply_metric(problem, factor, step)
    for k in range(used - 1, -1, -1):
        c = (known - 1 - k) % _MEMORY
        _add(flat, shares[c] - _dot(turns[c], flat) / products[c], steps[c])
    for i in range(step.size):
        flat[i] = -flat[i]
    slope: float = _dot(flat, slopes)
    return slope


@compiled(seconds=1, fast_math=True, inline=True)
def _dot(a: Array, b: Array) -> float:
    sum_ = 0.0
    for i in range(len(a)):
        sum_ += a[i] * b[i]
    return sum_


@compiled(seconds=1, fast_math=True, inline=True)
def _add(to: Array, factor: float, what: Array) -> None:
    for i in range(len(to)):
        to[i] += factor * what[i]


@compiled(seconds=1, fast_math=True)
def _remember(
    y: Array, trial: Array, gradient: Array, there: Array, steps: Array, turns: Array, products: Array, known: int
) -> None:
    """Keep a step, the change of the gradient along it, and their product; 0 where the curvature is not positive."""
    c = known % _MEMORY
    before, after = y.reshape(y.size), trial.reshape(y.size)
    low, high = gradient.reshape(y.size), there.reshape(y.size)
    for i in range(y.size):
        steps[c, i] = after[i] - before[i]
        turns[c, i] = high[i] - low[i]
    product, square = _dot(steps[c], turns[c]), _dot(turns[c], turns[c])
    products[c] = product if product > 1e-12 * square else 0.0


@compiled(seconds=2, fast_math=True)
def _search(
    problem: Problem,
    y: Array,
    value: float,
    gradient: Array,
    step: Array,
    slope: float,
    trial: Array,
    there: Array,
    counts: Ints,
) -> float:
    """Go along a step until the weak Wolfe conditions hold; write unknowns and gradient there, return the energy."""
    length, low, high = 1.0, 0.0, np.inf
    reached: float = value
    for attempt in range(20):
        for f in range(y.shape[0]):
            for k in range(y.shape[1]):
                trial[f, k] = y[f, k] + length * step[f, k]
        reached = energy(problem, trial, there)
        counts[1] += 1
        if not reached <= value + _SUFFICIENT * length * slope:
            high = length
            bend = 2.0 * (reached - value - slope * length)
            best = -slope * length * length / bend if bend > 0.0 else 0.5 * length
            length = min(max(best, low + 0.1 * (high - low)), low + 0.5 * (high - low))
            continue
        if attempt < 6 and _dot(there.reshape(y.size), step.reshape(y.size)) < _CURVATURE * slope:
            low = length
            length = 2.0 * length if high == np.inf else 0.5 * (low + high)
            continue
        return reached
    return reached
