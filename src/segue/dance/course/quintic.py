"""Quintic polynomials and splines: motions of least jerk between given positions, velocities and accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy
from numpy.polynomial.polynomial import polyder

from segue.compiled import compiled
from segue.curves.interpolate import least_jerk
from segue.typing import Array


@compiled(seconds=1)
def quintic_at(start: float, stop: float, coefficients: Array, time: float) -> Array:
    """Return value, velocity and acceleration (3, K) of polynomials (6, K) of the time since start.

    Outside [start, stop] values are constant.
    """
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


@dataclass(frozen=True, eq=False)
class Quintic:
    """A polynomial of degree five in time for K values; constant outside [start, stop].

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


# turns the residuals of value, velocity and acceleration at the end, in units of the whole time, into coefficients
_FAR = np.linalg.inv(np.array([[1.0, 1.0, 1.0], [3.0, 4.0, 5.0], [6.0, 12.0, 20.0]]))


_MOST_RATE = 2.0


def through(times: Array, values: Array, passing: Array, at: Array) -> Array:
    """Return values (N, K) at times (N,) of a smooth curve through goals (G, K) at increasing times (G,).

    The curve rests at every goal that is not passed (G,), and before and after all goals. It crosses passed goals at
    the rates of the quintic spline from rest to rest, which has the least jerk: the look-ahead that [Lake1990, section
    6.3] misses. The rates are limited so that the curve does not overshoot: 0 where it reverses, and at most twice the
    smaller mean rate beside the goal.
    """
    if len(times) == 1:
        return np.repeat(values, len(at), axis=0)
    speeds, means = np.zeros_like(values), np.diff(values, axis=0) / np.diff(times)[:, None]
    rests = [k for k in range(len(times)) if not passing[k] or k in (0, len(times) - 1)]
    still: Any = [(order, np.zeros(values.shape[1])) for order in (1, 2)]
    for first, last in pairwise(rests):
        if last - first > 1:
            run, inner = slice(first, last + 1), slice(first + 1, last)
            spline = scipy.interpolate.make_interp_spline(times[run], values[run], k=5, bc_type=(still, still))
            before, after = means[first : last - 1], means[inner]
            most = np.where(before * after > 0.0, _MOST_RATE * np.minimum(np.abs(before), np.abs(after)), 0.0)
            speeds[inner] = np.sign(before) * np.clip(np.sign(before) * spline(times[inner], 1), 0.0, most)
    piece = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    lasting = (times[piece + 1] - times[piece])[:, None]
    s = np.clip((at[:, None] - times[piece][:, None]) / lasting, 0.0, 1.0)
    # quintic Hermite: no acceleration at goals
    onward = least_jerk(s)
    leaving = s * (1.0 - s**2 * (6.0 - s * (8.0 - 3.0 * s)))
    arriving = -(s**3) * (4.0 - s * (7.0 - 3.0 * s))
    course: Array = (
        values[piece] * (1.0 - onward)
        + values[piece + 1] * onward
        + lasting * (leaving * speeds[piece] + arriving * speeds[piece + 1])
    )
    return course


def rates_of(values: Array, step: float) -> Array:
    """Return the rates of change of values (N, ...) at times `step` s apart, by central differences."""
    rates: Array = np.asarray(np.gradient(values, step, axis=0))
    return rates


_SHARES = np.linspace(0.0, 1.0, 401)
_EASED = least_jerk(_SHARES)


@dataclass(frozen=True, eq=False)
class QuinticPath:
    """A spline of quintic pieces in order of time."""

    pieces: tuple[Quintic, ...]

    @classmethod
    def past(cls, start: float, stop: float, first: Array, points: Sequence[Array], last: Array) -> QuinticPath:
        """Return the path from position, velocity and acceleration first (3, K) to rest at last (K,), past points.

        start, stop: s. The path passes a point when a straight least-jerk motion, from rest to rest, would have covered
        the same distance. Of all paths with that timing, the quintic spline has the least jerk [Flash1985].
        """
        rest = np.zeros_like(last)
        if not points:
            return cls((Quintic.between(start, stop, first, np.stack([last, rest, rest])),))
        places = np.array([first[0], *points, last])
        gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
        times = start + (stop - start) * np.interp(gone / gone[-1], _EASED, _SHARES)
        times[[0, -1]] = start, stop
        return cls(_joined(times, places, first[1:], np.stack([rest, rest])))

    @property
    def start(self) -> float:
        """Start time, s."""
        return self.pieces[0].start

    @property
    def stop(self) -> float:
        """Stop time, s."""
        return self.pieces[-1].stop

    def at(self, time: float) -> Array:
        """Return position, velocity and acceleration (3, K) at a time."""
        for piece in self.pieces[:-1]:
            if time < piece.stop:
                return piece.at(time)
        return self.pieces[-1].at(time)


def _joined(times: Array, places: Array, leaving: Array, arriving: Array) -> tuple[Quintic, ...]:
    """Return the quintic spline through places (G, K) at times (G,); velocity and acceleration (2, K) at both ends.

    At a knot all derivatives but the fifth are continuous, so no other path has less jerk.
    """
    pieces, lasting = len(times) - 1, np.diff(times)
    rows, right = np.zeros((6 * pieces, 6 * pieces)), np.zeros((6 * pieces, places.shape[1]))
    rows[:2, :6], right[:2] = _derivatives(0.0)[1:3], leaving
    rows[2:4, -6:], right[2:4] = _derivatives(lasting[-1])[1:3], arriving
    at = 4
    for k in range(pieces):
        own = slice(6 * k, 6 * k + 6)
        begins, ends = _derivatives(0.0), _derivatives(lasting[k])
        rows[at, own], rows[at + 1, own], right[at : at + 2] = begins[0], ends[0], places[k : k + 2]
        at += 2
        if k + 1 < pieces:
            rows[at : at + 4, own] = ends[1:]
            rows[at : at + 4, 6 * k + 6 : 6 * k + 12] = -begins[1:]
            at += 4
    coefficients = np.linalg.solve(rows, right).reshape(pieces, 6, -1)
    return tuple(Quintic(float(times[k]), float(times[k + 1]), coefficients[k]) for k in range(pieces))


def _derivatives(time: float) -> Array:
    """Return value and four derivatives of each power of time, (5, 6)."""
    powers: Array = time ** np.arange(6.0)
    rows = np.zeros((5, 6))
    for order in range(5):
        factors = polyder(np.eye(6), order, axis=0) if order else np.eye(6)
        rows[order] = powers[: 6 - order] @ factors
    return rows
