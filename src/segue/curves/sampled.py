"""Sampled signals: derivatives that noise does not drown, filters, smooth bounds, runs of flags, and quadrature."""

from __future__ import annotations

from math import perm
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from segue import checks
from segue.compiled import compiled
from segue.typing import Array, Flags


@compiled(seconds=1)
def filter_rows(values: Array, numerator: Array, denominator: Array) -> Array:
    """Return values (T, C) through a filter of second order that has seen the first row for ever.

    numerator: (3,), denominator: (2,) without its leading 1, of the transfer function in z; the gain at rest is 1.
    """
    rows, columns = values.shape
    out = np.empty((rows, columns))
    for c in range(columns):
        late = (numerator[2] - denominator[1]) * values[0, c]
        soon = (numerator[1] - denominator[0]) * values[0, c] + late
        for t in range(rows):
            x = values[t, c]
            y = numerator[0] * x + soon
            soon = numerator[1] * x - denominator[0] * y + late
            late = numerator[2] * x - denominator[1] * y
            out[t, c] = y
    return out


@compiled(seconds=1)
def median_rows(values: Array, frames: int) -> Array:
    """Return the medians (T - frames + 1, C) of each run of an odd number of frames of values (T, C).

    NaN counts as infinite.
    """
    rows, columns = values.shape
    out = np.empty((rows - frames + 1, columns))
    window = np.empty(frames)  # in order
    for c in range(columns):
        for t in range(rows):
            # the value that leaves makes room for the one that comes
            free = min(t, frames - 1)
            if t >= frames:
                old = values[t - frames, c] if values[t - frames, c] == values[t - frames, c] else np.inf
                free, above = 0, frames
                while above - free > 1:
                    middle = (free + above) // 2
                    if window[middle] <= old:
                        free = middle
                    else:
                        above = middle
            new = values[t, c] if values[t, c] == values[t, c] else np.inf
            last = min(t, frames - 1)
            while free > 0 and window[free - 1] > new:
                window[free] = window[free - 1]
                free -= 1
            while free < last and window[free + 1] < new:
                window[free] = window[free + 1]
                free += 1
            window[free] = new
            if t >= frames - 1:
                out[t - frames + 1, c] = window[frames // 2]
    return out


_SPAN = 0.15  # s over which a polynomial is fitted: passes up to about 8 Hz, which holds what a body does on purpose
_DEGREE = 3
_CUTOFF = 8.0  # Hz


def window_frames(dt: float, frames: int, span: float = _SPAN) -> int:
    """Return how many frames, an odd number, a polynomial is fitted to; 0 where there are too few to fit one."""
    wanted = max(2 * round(0.5 * span / dt) + 1, _DEGREE + 2)
    most = frames - 1 + frames % 2
    return min(wanted, most) if most > _DEGREE else 0


def differentiated(values: Array, dt: float, order: int, span: float = _SPAN) -> Array:
    """Return the derivative of the given order of (T, ...) values: of the cubic that fits `span` seconds best.

    The Savitzky-Golay filter [SavitzkyGolay1964]. Its span, not the frame rate, decides what counts as noise, so that
    clips of any rate are comparable. Zeros where there are too few frames.
    """
    window = window_frames(dt, len(values), span)
    if not window:
        return np.zeros_like(values)
    half = window // 2
    places = np.arange(-half, half + 1)
    # row by row the coefficients of the cubic, powers rising, that fits a window of values best
    fit = np.linalg.pinv(np.vander(places, _DEGREE + 1, increasing=True).astype(float))
    slopes = np.array([[perm(k, order) * float(at) ** max(k - order, 0) for k in range(_DEGREE + 1)] for at in places])
    weights = slopes @ fit / dt**order  # row by row, for each place in a window
    flat = values.reshape(len(values), -1)
    # one fit for each window; frames near the ends lie off the middle of the first or last window
    inner = (
        np.array([np.correlate(column, weights[half], mode="valid") for column in flat.T]).reshape(flat.shape[1], -1).T
    )
    found = np.concatenate([weights[:half] @ flat[:window], inner, weights[half + 1 :] @ flat[-window:]])
    return found.reshape(values.shape)


def low_passed(values: Array, dt: float) -> Array:
    """Return (T, ...) values without what is faster than 8 Hz: a Butterworth filter of order 2, run both ways.

    The usual filter before joint moments are computed from captured motion [Winter1991], with room for more than gait.
    Values at rates too low to hold anything faster are returned as they are.
    """
    if len(values) < 4 or _CUTOFF * dt >= 0.45:
        return values.copy()
    k = np.tan(np.pi * _CUTOFF * dt)
    scale = 1.0 + np.sqrt(2.0) * k + k * k
    numerator = k * k / scale * np.array([1.0, 2.0, 1.0])
    denominator = np.array([2.0 * (k * k - 1.0), 1.0 - np.sqrt(2.0) * k + k * k]) / scale
    ends = min(len(values) - 1, round(0.5 / dt))
    flat = values.reshape(len(values), -1)
    # turned about its ends, so that the filter is at rest neither there nor in a step
    before, after = 2.0 * flat[:1] - flat[ends:0:-1], 2.0 * flat[-1:] - flat[-2 : -ends - 2 : -1]
    once = filter_rows(np.concatenate([before, flat, after]), numerator, denominator)
    twice = filter_rows(np.ascontiguousarray(once[::-1]), numerator, denominator)
    found: Array = twice[::-1][ends : ends + len(flat)].reshape(values.shape)
    return found


def median_filtered(values: Array, frames: int, ends: Literal["reflect", "symmetric"]) -> Array:
    """Return (T, ...) values as medians over an odd number of frames; the signal is mirrored at its ends.

    ends: "reflect" mirrors it about the last frame, "symmetric" about the end of it.
    """
    half = frames // 2
    padded = np.pad(values, [(half, half)] + [(0, 0)] * (values.ndim - 1), mode=ends)
    found: Array = median_rows(padded.reshape(len(padded), -1), frames).reshape(values.shape)
    return found


def runs(flags: Flags) -> list[tuple[int, int]]:
    """Return the first index, and the last plus one, of each run of true flags (T,)."""
    padded = np.zeros(len(flags) + 2, bool)
    padded[1:-1] = flags
    edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def trimmed(flags: Flags, frames: int) -> Flags:
    """Return the runs of true flags (T,) without so many frames at either end, ends of the signal excepted."""
    kept = np.zeros_like(flags)
    for first, stop in runs(flags):
        start = first + (frames if first > 0 else 0)
        kept[start : max(start, stop - (frames if stop < len(flags) else 0))] = True
    return kept


def smooth_floor(values: Array, seconds: float, dt: float) -> Array:
    """Return a smooth curve (T,) that is nowhere above the values: their smoothed running minimum.

    seconds: half the window. dt: s between frames. The mean of a running minimum over the same window never exceeds
    the values.
    """
    from scipy.ndimage import minimum_filter1d  # slow to import, and most commands smooth nothing

    half = _frames(seconds, dt)
    return _mean_around(minimum_filter1d(values, 2 * half + 1, mode="nearest"), half)


def smooth_ceiling(values: Array, seconds: float, dt: float) -> Array:
    """Return a smooth curve (T,) that is nowhere below the values: their smoothed running maximum."""
    return -smooth_floor(-values, seconds, dt)


def _frames(seconds: float, dt: float) -> int:
    return max(2, round(seconds / dt))


def _mean_around(values: Array, half: int) -> Array:
    weights = np.hanning(2 * half + 3)[1:-1] ** 2
    return np.convolve(np.pad(values, half, mode="edge"), weights / weights.sum(), mode="valid")


class Quadrature(NamedTuple):
    """Sample times (T,), increasing, and weights (T,) whose sum is the length of the interval, both in s."""

    times: Array
    weights: Array


def uniform(start: float, stop: float, count: int) -> Quadrature:
    """Return evenly spaced samples from start to stop, both included, with the weights of the trapezoidal rule."""
    checks.integer("the number of samples", count, least=2)
    checks.times("the ends of an interval", (start, stop))
    weights = np.full(count, (stop - start) / (count - 1))
    weights[[0, -1]] /= 2
    return Quadrature(np.linspace(start, stop, count), weights)


def gauss_legendre(breaks: npt.ArrayLike, points: int = 3) -> Quadrature:
    """Return Gauss-Legendre points on each piece between breaks: exact for polynomials of degree 2 points - 1.

    For an integral over a spline motion the breaks are those of the spline, between which everything is smooth.
    """
    edges = checks.times("the breaks of a quadrature", breaks, least=2)
    checks.integer("the number of points in a piece", points, least=1)
    nodes, weights = np.polynomial.legendre.leggauss(points)
    half = np.diff(edges)[:, None] / 2
    middle = (edges[:-1] + edges[1:])[:, None] / 2
    return Quadrature((middle + half * nodes).ravel(), (half * weights).ravel())
