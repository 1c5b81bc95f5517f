"""Minimise by limited-memory BFGS in a metric that is renewed on the way, one iteration at a time."""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from segue.spacetime._lbfgs_kernels import backward_pass, forward_pass, store_step
from segue.spacetime.metric import Solver
from segue.typing import Array

_MEMORY = 12
_SUFFICIENT, _CURVATURE = 1e-4, 0.9
_TRIALS = 25
_SMALL_STEPS = 3
_FAR = 0.02
"""Part of the value by which it has fallen after a step so far that the metric is made anew where it ended."""


class Status(StrEnum):
    """Why an improvement ended."""

    CONVERGED = "converged"
    ITERATIONS = "iteration limit"
    STALLED = "no further descent"
    STOPPED = "stopped"


class Point(NamedTuple):
    """The state of a descent: variables, the value there, and its gradient."""

    variables: Array
    value: float
    gradient: Array


Function = Callable[[Array], tuple[float, Array]]
Metric = Callable[[Array], Solver]


def descend(
    function: Function, metric: Metric, start: Array, *, tolerance: float, iterations: int, refresh: int
) -> Generator[Point, None, Status]:
    """Yield ever better points, the first being the start, and return why there are no more.

    tolerance: it has converged when a step of the quadratic model would gain less than this part of the value.
    refresh: iterations after which the metric is made anew at the latest.
    """
    point = Point(start, *function(start))
    yield point
    if not len(start):
        return Status.CONVERGED
    solver, age, small = metric(start), 0, 0
    memory = _Memory(len(start))
    for _ in range(iterations):
        if age >= refresh:
            solver, age = metric(point.variables), 0
        step = memory.direction(point.gradient, solver)
        slope = float(step @ point.gradient)
        if -0.5 * slope <= tolerance * abs(point.value):
            return Status.CONVERGED
        reached = _search(function, point, step, slope)
        if reached is None:
            if age == 0 and memory.stored == 0:
                return Status.STALLED
            memory.stored, age = 0, refresh
            continue
        age += 1
        memory.keep(point, reached)
        gain = point.value - reached.value
        small = small + 1 if gain < 0.1 * tolerance * abs(point.value) else 0
        if gain > _FAR * abs(reached.value):
            age = refresh
        point = reached
        yield point
        if small >= _SMALL_STEPS:
            return Status.CONVERGED
    return Status.ITERATIONS


class _Memory:
    """The last steps and gradient differences of L-BFGS."""

    def __init__(self, size: int) -> None:
        self._steps, self._grad_diffs = np.empty((_MEMORY, size)), np.empty((_MEMORY, size))
        self._curvatures, self._alphas = np.empty(_MEMORY), np.empty(_MEMORY)
        self.stored = 0

    def keep(self, before: Point, after: Point) -> None:
        """Store a step, unless the curvature along it is negative."""
        vectors = before.variables, after.variables, before.gradient, after.gradient
        self.stored = store_step(*vectors, self._steps, self._grad_diffs, self._curvatures, self.stored)

    def direction(self, gradient: Array, solver: Solver) -> Array:
        """Return the step to the least of the quadratic model."""
        rest = gradient.copy()
        backward_pass(self._steps, self._grad_diffs, self._curvatures, self._alphas, self.stored, rest)
        step = solver(rest)
        forward_pass(self._steps, self._grad_diffs, self._curvatures, self._alphas, self.stored, step)
        return -step


def _search(function: Function, point: Point, step: Array, slope: float) -> Point | None:
    """Return a point along a step where the weak Wolfe conditions hold, or at least the first; None if none is."""
    length, low, high = 1.0, 0.0, np.inf
    best: Point | None = None
    for _ in range(_TRIALS):
        trial = point.variables + length * step
        value, gradient = function(trial)
        if not value <= point.value + _SUFFICIENT * length * slope:
            high = length
            bend = 2.0 * (value - point.value - slope * length)
            wanted = -slope * length * length / bend if bend > 0.0 and np.isfinite(bend) else 0.0
            length = min(max(wanted, low + 0.1 * (high - low)), low + 0.5 * (high - low))
            continue
        best = Point(trial, value, gradient)
        if float(gradient @ step) >= _CURVATURE * slope:
            break
        low = length
        length = 2.0 * length if high == np.inf else 0.5 * (low + high)
    return best
