"""Curves through goals: C2, at rest where a goal is reached, and without slowing down where a goal is only passed.

[Lake1990, section 6.3] divides hard transitions by intermediate goals, and notes that a limb then slows down at each of
them because it does not look ahead. Here the curve from one rest to the next goes through all goals between them, as
quickly as the curve of least jerk does, and without running past any goal. `smoothed`, `smooth_floor` and
`smooth_ceiling` smooth samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.ndimage import maximum_filter1d, minimum_filter1d

from segue.curves import quaternion
from segue.curves.easing import least_jerk
from segue.typing import Array

_SAME_TIME = 1e-3
"""Of goals closer than this in time, in s, the later one counts."""
_MOST_RATE = 2.0


def smooth_share(times: Array, start: float, stop: float) -> Array:
    """Return `least_jerk` of the time from start to stop; a jump at start if both are equal."""
    if stop <= start:
        return np.asarray(times >= start, dtype=float)
    return least_jerk((times - start) / (stop - start))


@dataclass(frozen=True, eq=False)
class Course:
    """A C2 curve through values (K, n) at times (K,) with rates and accelerations there; it rests outside them."""

    times: Array
    values: Array
    rates: Array
    accelerations: Array

    @classmethod
    def through(cls, goals: Iterable[tuple[float, Sequence[float] | Array, bool]]) -> Course:
        """Return the course through goals (time, value (n,), whether it is only passed), in any order."""
        kept: list[tuple[float, Array, bool]] = []
        for time, value, passing in sorted(goals, key=lambda goal: goal[0]):
            if kept and time - kept[-1][0] < _SAME_TIME:
                kept.pop()
            kept.append((float(time), np.asarray(value, dtype=float), passing))
        times = np.array([goal[0] for goal in kept])
        values = np.stack([goal[1] for goal in kept])
        rates = np.zeros_like(values)
        rests = [k for k, goal in enumerate(kept) if not goal[2] or k in (0, len(kept) - 1)]
        for first, last in pairwise(rests):
            if last - first > 1:
                chosen = slice(first, last + 1)
                rates[first + 1 : last] = _passing_rates(times[chosen], values[chosen])
        return cls(times, values, rates, np.zeros_like(values))

    def at(self, times: Array) -> Array:
        """Return values (T, n)."""
        if len(self.times) == 1:
            return np.repeat(self.values, len(times), axis=0)
        k = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, len(self.times) - 2)
        span = (self.times[k + 1] - self.times[k])[:, None]
        s = np.clip((times - self.times[k])[:, None] / span, 0.0, 1.0)
        rise = self.values[k + 1] - self.values[k]
        v0, v1 = span * self.rates[k], span * self.rates[k + 1]
        a0, a1 = span**2 * self.accelerations[k], span**2 * self.accelerations[k + 1]
        third = 10 * rise - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
        fourth = -15 * rise + 8 * v0 + 7 * v1 + 1.5 * a0 - a1
        fifth = 6 * rise - 3 * (v0 + v1) + 0.5 * (a1 - a0)
        value: Array = self.values[k] + s * (v0 + s * (0.5 * a0 + s * (third + s * (fourth + s * fifth))))
        return value


def _passing_rates(times: Array, values: Array) -> Array:
    """Return the rates (K - 2, n) at which goals are passed between two rests.

    They are the rates of the quintic spline that begins and ends at rest, which has the least jerk, limited so that the
    curve never overshoots a goal: 0 where it reverses, and at most twice the smaller mean rate beside the goal.
    """
    zero = np.zeros(values.shape[1])
    ends: Any = [(1, zero), (2, zero)]
    spline = make_interp_spline(times, values, k=5, bc_type=(ends, ends))
    means = np.diff(values, axis=0) / np.diff(times)[:, None]
    before, after = means[:-1], means[1:]
    most = np.where(before * after > 0.0, _MOST_RATE * np.minimum(np.abs(before), np.abs(after)), 0.0)
    rates: Array = np.sign(before) * np.clip(np.sign(before) * spline(times[1:-1], 1), 0.0, most)
    return rates


@dataclass(frozen=True, eq=False)
class TurnCourse:
    """A C2 curve through rotations: a course of rotation vectors from their mean rotation."""

    middle: Array
    vectors: Course

    @classmethod
    def through(cls, goals: Iterable[tuple[float, Array, bool]]) -> TurnCourse:
        """Return the course through goals (time, unit quaternion (4,), whether it is only passed)."""
        listed = list(goals)
        middle = quaternion.mean(np.stack([goal[1] for goal in listed]))
        seen = quaternion.conjugate(middle)
        vectors = [(time, quaternion.log(quaternion.multiply(seen, turn)), passing) for time, turn, passing in listed]
        return cls(middle, Course.through(vectors))

    def at(self, times: Array) -> Array:
        """Return unit quaternions (T, 4)."""
        turns = quaternion.exp(self.vectors.at(times))
        return quaternion.multiply(np.broadcast_to(self.middle, turns.shape), turns)


def smoothed(values: Array, seconds: float, dt: float) -> Array:
    """Smooth values (T, n) over a window of some seconds to either side; dt: s between frames."""
    half = _frames(seconds, dt)
    return np.stack([_mean_around(column, half) for column in values.T], axis=1)


def smooth_floor(values: Array, seconds: float, dt: float) -> Array:
    """Return a smooth curve (T,) that is nowhere above the values: their smoothed running minimum.

    seconds: half the window. dt: s between frames. The mean of a running minimum over the same window never exceeds
    the values.
    """
    half = _frames(seconds, dt)
    return _mean_around(minimum_filter1d(values, 2 * half + 1, mode="nearest"), half)


def smooth_ceiling(values: Array, seconds: float, dt: float) -> Array:
    """Return a smooth curve (T,) that is nowhere below the values: their smoothed running maximum."""
    half = _frames(seconds, dt)
    return _mean_around(maximum_filter1d(values, 2 * half + 1, mode="nearest"), half)


def _frames(seconds: float, dt: float) -> int:
    return max(2, round(seconds / dt))


def _mean_around(values: Array, half: int) -> Array:
    weights = np.hanning(2 * half + 3)[1:-1] ** 2
    return np.convolve(np.pad(values, half, mode="edge"), weights / weights.sum(), mode="valid")
