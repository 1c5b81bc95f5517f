"""Descent: limited-memory BFGS whose initial metric is the factored Gauss-Newton matrix."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled, copy_into
from segue.spacetime._energy_kernels import energy
from segue.spacetime._lbfgs_kernels import backward_pass, dot, forward_pass, store_step
from segue.spacetime._metric_kernels import apply_metric, factor_size, write_metric
from segue.spacetime._problem import Problem
from segue.typing import Array, Ints

CONVERGED, STALLED, ITERATIONS, STOPPED = range(4)
"""Why a descent ended, the more serious the greater."""

_MEMORY = 20
_SUFFICIENT, _CURVATURE = 1e-4, 0.9
_GAIN = 20.0
"""The gain so far times this replaces the energy as the base of the tolerance, if it is less."""


@compiled(seconds=10, fast_math=True)
def descend(
    problem: Problem, y: Array, tolerance: float, gained: float, most: int, refresh: int, stop: Ints, counts: Ints
) -> tuple[float, float, int]:
    """Minimise from y (F, m) on, in place, one part after the other.

    tolerance: a part ends when a step of the quadratic model would gain less than this part of the whole energy, or of
    what has been gained, times 20, where that is less. gained: how much had been before. most: iterations of a part at
    most. refresh: iterations after which the metric of a part with points is made anew. stop: anything but zero ends
    the descent at the next iteration. counts: the most iterations of any part are added to the first, evaluations to
    the second. Returns the energy at start and end, and why it ended.
    """
    gradient = np.zeros(y.shape)
    parts = len(problem.branch)
    values = np.empty(parts)
    for part in range(parts):
        values[part] = energy(problem, part, y, gradient)
    first = values.sum()
    reason, longest = CONVERGED, 0
    for part in range(parts):
        others = values.sum() - values[part]
        before = values[part]
        took = np.zeros(2, np.int64)
        values[part], why = _descend_part(
            problem, part, y, gradient, before, others, tolerance, gained, most, refresh, stop, took
        )
        gained += before - values[part]
        longest = max(longest, took[0])
        counts[1] += took[1]
        reason = max(reason, why)
    counts[0] += longest
    counts[1] += 1
    return first, values.sum(), reason


@compiled(seconds=5, fast_math=True)
def _descend_part(
    problem: Problem,
    part: int,
    y: Array,
    gradient: Array,
    value: float,
    others: float,
    tolerance: float,
    gained: float,
    most: int,
    refresh: int,
    stop: Ints,
    counts: Ints,
) -> tuple[float, int]:
    """Minimise the energy of one part from y (F, m) on, where it has some value and gradient; others: all other parts'.

    Returns the energy reached and why it ended.
    """
    rows = slice(problem.group[part], problem.group[part + 1])
    trial, there = y.copy(), np.zeros(y.shape)
    step = np.zeros(y.shape)
    size = step[rows].size
    steps, grad_diffs = np.empty((_MEMORY, size)), np.empty((_MEMORY, size))
    curvatures, alphas = np.empty(_MEMORY), np.empty(_MEMORY)
    factor = np.empty(factor_size(problem, part, y.shape[1]))
    write_metric(problem, part, y, np.zeros(y.shape), factor)
    first, stored, age, small, expected = value, 0, 0, 0, 0.0
    for _ in range(most):
        if stop[0] != 0:
            return value, STOPPED
        if age >= refresh:
            write_metric(problem, part, y, np.zeros(y.shape), factor)
            stored, age = 0, 0
        slope, gamma = _direction(
            problem, part, factor, gradient[rows], step[rows], steps, grad_diffs, curvatures, alphas, stored
        )
        predicted_decrease = -0.5 * slope / min(gamma, 1.0)
        # where most of the energy is not for us to change, what can be gained counts
        if counts[0] == 0:
            expected = predicted_decrease
        scale = min(value + others, _GAIN * (gained + first - value + expected))
        if predicted_decrease < tolerance * scale:
            return value, CONVERGED
        reached = _search(problem, part, y, value, step, slope, trial, there, counts)
        if not reached < value:
            if stored == 0:
                return value, STALLED
            write_metric(problem, part, y, np.zeros(y.shape), factor)
            stored, age = 0, 0
            continue
        counts[0] += 1
        age += 1
        stored = store_step(
            y[rows].reshape(size),
            trial[rows].reshape(size),
            gradient[rows].reshape(size),
            there[rows].reshape(size),
            steps,
            grad_diffs,
            curvatures,
            stored,
        )
        small = small + 1 if value - reached < 0.1 * tolerance * scale else 0
        value = reached
        copy_into(y[rows], trial[rows])
        copy_into(gradient[rows], there[rows])
        if small >= 3:
            return value, CONVERGED
    return value, ITERATIONS


@compiled(seconds=2, fast_math=True)
def _direction(
    problem: Problem,
    part: int,
    factor: Array,
    gradient: Array,
    step: Array,
    steps: Array,
    grad_diffs: Array,
    curvatures: Array,
    alphas: Array,
    stored: int,
) -> tuple[float, float]:
    """Write the step of the quadratic model; return the slope along it, and by what the metric was scaled."""
    flat, slopes = step.reshape(step.size), gradient.reshape(gradient.size)
    copy_into(flat, slopes)
    used, scale = min(stored, _MEMORY), 1.0
    backward_pass(steps, grad_diffs, curvatures, alphas, stored, flat)
    apply_metric(problem, part, factor, step)
    if used > 0 and (problem.has_points[part] or problem.stiff > 0.0):
        scale = _scale_to_last(
            problem, part, factor, step, grad_diffs[(stored - 1) % _MEMORY], curvatures[(stored - 1) % _MEMORY]
        )
    forward_pass(steps, grad_diffs, curvatures, alphas, stored, flat)
    for i in range(step.size):
        flat[i] = -flat[i]
    slope: float = dot(flat, slopes)
    return slope, scale


@compiled(seconds=1, fast_math=True)
def _scale_to_last(
    problem: Problem, part: int, factor: Array, step: Array, grad_diff: Array, curvature: float
) -> float:
    """Scale what the metric made of a gradient as it was wrong along the last step, [Nocedal2006] (7.20); by what.

    Feet that reach the floor and joints that reach limits are stiffer than the metric knows: without this about every
    other step is too long at first.
    """
    predicted = grad_diff.copy().reshape(step.shape)
    apply_metric(problem, part, factor, predicted)
    ratio: float = curvature / dot(grad_diff, predicted.reshape(step.size))
    for j in range(step.shape[0]):
        for a in range(step.shape[1]):
            step[j, a] *= ratio
    return ratio


@compiled(seconds=1, fast_math=True)
def _search(
    problem: Problem,
    part: int,
    y: Array,
    value: float,
    step: Array,
    slope: float,
    trial: Array,
    there: Array,
    counts: Ints,
) -> float:
    """Go along a step until the weak Wolfe conditions hold; write unknowns and gradient there, return the energy."""
    length, low, high = 1.0, 0.0, np.inf
    reached: float = value
    first, last = problem.group[part], problem.group[part + 1]
    for attempt in range(20):
        for f in range(first, last):
            for k in range(y.shape[1]):
                trial[f, k] = y[f, k] + length * step[f, k]
        reached = energy(problem, part, trial, there)
        counts[1] += 1
        if not reached <= value + _SUFFICIENT * length * slope:
            high = length
            bend = 2.0 * (reached - value - slope * length)
            best = -slope * length * length / bend if bend > 0.0 else 0.5 * length
            length = min(max(best, low + 0.1 * (high - low)), low + 0.5 * (high - low))
            continue
        turned = 0.0
        for f in range(first, last):
            turned += dot(there[f], step[f])
        if attempt < 6 and turned < _CURVATURE * slope:
            low = length
            length = 2.0 * length if high == np.inf else 0.5 * (low + high)
            continue
        return reached
    return reached
