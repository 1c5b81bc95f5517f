"""Ballistic root paths: move the root so that the centre of mass falls freely while nothing carries the body.

The centre of mass is the root plus an offset that the joints determine. With the offset known at samples, free fall is
linear in the spline coefficients of the root. The path is the least-squares compromise between free fall in flights,
which counts most, and a small and smooth displacement elsewhere. Value and velocity stay at both ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from segue.compiled import compiled
from segue.curves.bspline import DEGREE, SplineBasis
from segue.dynamics import GRAVITY
from segue.typing import Array


@compiled(seconds=2, fast_math=True)
def least_squares(rows: Array, wanted: Array) -> Array:
    """Return the solution (M, K) of rows (N, M) @ solution = wanted (N, K) in the sense of least squares.

    The rows have full rank, and all but a few neighbouring numbers in each are zero: by Cholesky's factors of the
    banded normal equations.
    """
    size, sides = rows.shape[1], wanted.shape[1]
    square, solution = np.zeros((size, size)), np.zeros((size, sides))
    first = np.arange(size)  # of each row of the lower half of the square that is not zero
    for n in range(len(rows)):
        start, stop = 0, size
        while start < size and rows[n, start] == 0.0:
            start += 1
        while stop > start and rows[n, stop - 1] == 0.0:
            stop -= 1
        for i in range(start, stop):
            first[i] = min(first[i], start)
            for j in range(start, i + 1):
                square[i, j] += rows[n, i] * rows[n, j]
            for k in range(sides):
                solution[i, k] += rows[n, i] * wanted[n, k]
    for i in range(size):
        for j in range(first[i], i + 1):
            total = square[i, j]
            for k in range(max(first[i], first[j]), j):
                total -= square[i, k] * square[j, k]
            square[i, j] = math.sqrt(total) if i == j else total / square[j, j]
        for k in range(sides):
            for j in range(first[i], i):
                solution[i, k] -= square[i, j] * solution[j, k]
            solution[i, k] /= square[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(sides):
            solution[i, k] /= square[i, i]
            for j in range(first[i], i):
                solution[j, k] -= square[i, j] * solution[i, k]
    return solution


Span = tuple[float, float]
"""A start and a stop, in s."""

SAMPLES_A_PIECE = 4
FREE = 0.05  # m/s^2, deviation from free fall in flight that counts as much as
NEAR = 0.05  # m of displacement, or
BEND = 16.0  # m/s^2 of change of acceleration on the ground
_SHIFTS = np.array([-0.08, -0.06, -0.04, -0.02, 0.0, 0.02, 0.04, 0.06, 0.08])
"""Seconds by which take-off and landing may move."""
_INWARDS = np.array([0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14])
"""Seconds by which a flight that a seam cuts may be shorter: it may not reach the seam."""
_LATER = 0.02
"""Seconds that take-off or landing moves by at the price of one unit of the mean square of all residuals."""
_SHORTEST = 0.06  # s of a flight


class Fall(NamedTuple):
    """A ballistic root: spline coefficients (n, 3) in m, the flights in s, and the price of the displacement.

    cost: mean over time of squared displacements and changes of acceleration, in units of what is usual. largest:
    the largest displacement in m.
    """

    control: Array
    flights: tuple[Span, ...]
    cost: float
    largest: float


def sample_times(duration: float, count: int) -> Array:
    """Return the even times (S,) in s at which the offset of the centre of mass is needed; count: coefficients."""
    return np.linspace(0.0, duration, SAMPLES_A_PIECE * (count - DEGREE) + 1)


def falling_root(control: Array, offset: Array, duration: float, flights: Sequence[Span]) -> Fall:
    """Return the root nearest to a path whose centre of mass falls freely in flights.

    control: (n, 3) spline coefficients of the root on equal pieces, m. offset: (S, 3) from the root to the centre of
    mass at `sample_times`, m. flights: within [0, duration].
    """
    times = sample_times(duration, len(control))
    value, _, bend = path_rows(len(control), duration)
    step = times[1] - times[0]
    swing = np.zeros_like(offset)
    swing[1:-1] = (offset[2:] - 2.0 * offset[1:-1] + offset[:-2]) / step**2
    swing[0], swing[-1] = swing[1], swing[-2]
    aloft = np.zeros(len(times), bool)
    for start, stop in flights:
        aloft |= (times >= start) & (times <= stop)
    missing = np.array(GRAVITY) - swing - bend @ control
    weight = np.where(aloft, 1.0 / FREE, 1.0 / BEND)[:, None]
    inner = slice(2, -2)
    rows = np.concatenate([value[:, inner] / NEAR, weight * bend[:, inner]])
    wanted = np.concatenate([np.zeros_like(offset), np.where(aloft[:, None], weight * missing, 0.0)])
    moved = least_squares(rows, wanted)
    out = control.copy()
    out[inner] += moved
    residual = rows @ moved - wanted
    cost = float((residual**2).sum() / len(times))
    return Fall(out, tuple(flights), cost, float(np.linalg.norm(value[:, inner] @ moved, axis=1).max()))


def fitted_flight(control: Array, offset: Array, duration: float, flight: Span, fixed: tuple[bool, bool]) -> Fall:
    """Return the ballistic root whose take-off and landing lie near those of a flight, where they fit best.

    fixed: whether take-off, and landing, stay as they are. A flight that begins or ends with the gap may begin later or
    end sooner.
    """
    starts = [flight[0]] if fixed[0] else flight[0] + (_INWARDS if flight[0] <= 0.0 else _SHIFTS)
    stops = [flight[1]] if fixed[1] else flight[1] - (_INWARDS if flight[1] >= duration else _SHIFTS)
    best: Fall | None = None
    least = np.inf
    for start, stop in product(starts, stops):
        span = (float(max(start, 0.0)), float(min(stop, duration)))
        if span[1] - span[0] < _SHORTEST:
            continue
        fall = falling_root(control, offset, duration, [span])
        price = fall.cost + ((span[0] - flight[0]) / _LATER) ** 2 + ((span[1] - flight[1]) / _LATER) ** 2
        if price < least:
            best, least = fall, price
    return best or falling_root(control, offset, duration, [flight])


@lru_cache(maxsize=64)
def path_rows(count: int, duration: float) -> tuple[Array, Array, Array]:
    """Return the basis and its first two derivatives (S, n) at `sample_times`."""
    basis, times = SplineBasis.uniform(0.0, duration, count), sample_times(duration, count)
    return basis.matrix(times), basis.matrix(times, 1), basis.matrix(times, 2)
