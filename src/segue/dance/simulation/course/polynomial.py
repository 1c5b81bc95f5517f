"""Quintic polynomials between two moments, given value, velocity and acceleration at both: motion of least jerk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.dance.simulation.course._polynomial_kernels import quintic_at
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class Quintic:
    """A polynomial of degree five in time for K values at once; held at its ends outside [start, stop].

    coefficients: (6, K), of powers of the time since start, in s.
    """

    start: float
    stop: float
    coefficients: Array

    @classmethod
    def between(cls, start: float, stop: float, first: Array, last: Array) -> Quintic:
        """Return the polynomial with value, velocity and acceleration first (3, K) at start and last (3, K) at stop."""
        t = stop - start
        near = np.stack([first[0], first[1], 0.5 * first[2]])
        ahead = first[0] + t * (first[1] + 0.5 * t * first[2])
        gap = np.stack([last[0] - ahead, t * (last[1] - first[1] - t * first[2]), t * t * (last[2] - first[2])])
        far = _FAR @ gap / np.array([[t**3], [t**4], [t**5]])
        return cls(start, stop, np.concatenate([near, far]))

    def at(self, time: float) -> Array:
        """Return value, velocity and acceleration (3, K) at a time."""
        found: Array = quintic_at(self.start, self.stop, self.coefficients, time)
        return found


# what turns the misses in value, velocity and acceleration at the end, in units of the whole time, into coefficients
_FAR = np.linalg.inv(np.array([[1.0, 1.0, 1.0], [3.0, 4.0, 5.0], [6.0, 12.0, 20.0]]))


def ease(fraction: Array) -> Array:
    """Return the course of least jerk from 0 to 1 at fractions of its time [Flash1985]; held outside."""
    s = np.clip(fraction, 0.0, 1.0)
    eased: Array = s**3 * (10.0 + s * (6.0 * s - 15.0))
    return eased


def through(times: Array, values: Array, passing: Array, at: Array) -> Array:
    """Return values (N, K) at some times (N,) of the smooth course through goals (G, K) at increasing times (G,).

    The course rests at every goal but those that are only passed (G,), where it goes on at the mean speed of the ways
    before and after: the look-ahead that [Lake1990, section 6.3] misses. Before and after all goals it is at rest.
    """
    if len(times) == 1:
        return np.repeat(values, len(at), axis=0)
    speeds = np.zeros_like(values)
    inner = np.flatnonzero(passing[1:-1]) + 1
    speeds[inner] = (values[inner + 1] - values[inner - 1]) / (times[inner + 1] - times[inner - 1])[:, None]
    piece = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    lasting = (times[piece + 1] - times[piece])[:, None]
    s = np.clip((at[:, None] - times[piece][:, None]) / lasting, 0.0, 1.0)
    # quintic Hermite: no acceleration at goals
    onward = ease(s)
    leaving = s * (1.0 - s**2 * (6.0 - s * (8.0 - 3.0 * s)))
    arriving = -(s**3) * (4.0 - s * (7.0 - 3.0 * s))
    course: Array = (
        values[piece] * (1.0 - onward)
        + values[piece + 1] * onward
        + lasting * (leaving * speeds[piece] + arriving * speeds[piece + 1])
    )
    return course


def rates_of(values: Array, step: float) -> Array:
    """Return how fast values (N, ...) at times `step` s apart change: central differences."""
    rates: Array = np.asarray(np.gradient(values, step, axis=0))
    return rates
