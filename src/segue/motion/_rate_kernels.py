"""Compiled rates at the edge of sampled values: the exact derivative, or that of a robust fit where samples jitter.

Rows lead away from the edge: row 0 is at the edge, row k lies k steps further in.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled, copy_into
from segue.curves.quaternion_kernels import Vector, get_quat, turn_after, turn_back, turn_log
from segue.typing import Array

FEWEST = 6
"""The least number of rows for a fit, enough to distinguish jitter from quick movements."""

_ROUNDS = 4
_CUT = 6.0  # times the median residual, scaled to a deviation, beyond which a row does not count
_DEVIATION = 1.4826  # of a normal distribution, as a multiple of its median
_FIRST = 5  # rows whose slopes show the rate where the others belong to another movement
_NEAREST = 5  # second differences next to the edge that show jitter there
_EXPLAINED = 1.5  # difference that jitter explains, as a multiple of the jitter; twice as much is not explained
_OUTER, _INNER = (
    11 / 6,
    3.0,
)  # how much an end derivative changes with the first row and the second, by the cubic through four


_WINDOW = 0.1  # s next to an edge that are fitted
_MOST = 30


def frames_to_fit(fps: float) -> int:
    """Return how many frames next to an edge are fitted, the frame at the edge included."""
    return int(min(max(_WINDOW * fps, FEWEST), _MOST)) + 1


@compiled(seconds=1)
def parent_vectors(turns: Array) -> Array:
    """Return rotation vectors (N, 3 J), in the parent's frame, that lead from the first rotations (N, J, 4) to each."""
    count, joints = turns.shape[0], turns.shape[1]
    out = np.empty((count, 3 * joints))
    for j in range(joints):
        back = turn_back(get_quat(turns[0], j))
        for k in range(count):
            out[k, 3 * j], out[k, 3 * j + 1], out[k, 3 * j + 2] = turn_log(turn_after(get_quat(turns[k], j), back))
    return out


@compiled(seconds=1)
def body_vectors(turns: Array) -> Array:
    """Return the same vectors as `parent_vectors` in the frame of the rotation at the edge."""
    count, joints = turns.shape[0], turns.shape[1]
    out = np.empty((count, 3 * joints))
    for j in range(joints):
        back = turn_back(get_quat(turns[0], j))
        for k in range(count):
            out[k, 3 * j], out[k, 3 * j + 1], out[k, 3 * j + 2] = turn_log(turn_after(back, get_quat(turns[k], j)))
    return out


@compiled(seconds=1)
def _parabola(values: Array, weights: Array) -> Vector:
    """Return the coefficients, lowest power first, of the parabola over [0, 1] nearest to values (N,)."""
    moments, sums = np.zeros(5), np.zeros(3)
    last = len(values) - 1
    for k in range(len(values)):
        u, power = k / last, weights[k]
        for i in range(5):
            moments[i] += power
            if i < 3:
                sums[i] += power * values[k]
            power *= u
    a, b, c, d, e = moments[0], moments[1], moments[2], moments[3], moments[4]
    x, y, z = sums[0], sums[1], sums[2]
    # the inverse of the symmetric matrix of moments
    p, q, r = c * e - d * d, c * d - b * e, b * d - c * c
    s, t, u = a * e - c * c, b * c - a * d, a * c - b * b
    scale = 1.0 / (a * p + b * q + c * r)
    return scale * (p * x + q * y + r * z), scale * (q * x + s * y + t * z), scale * (r * x + t * y + u * z)


@compiled(seconds=1)
def _fitted_rate(values: Array) -> float:
    """Return the rate, per row, at the first of values (N,) along a parabola fitted robustly against outliers.

    The first two rows count only as far as the others lead up to them: an outlier there would pull the fit along.
    """
    count = len(values)
    weights, off = np.ones(count), np.empty(count)
    weights[0], weights[1] = 0.0, 0.0
    a, b, c = _parabola(values, weights)
    for _ in range(_ROUNDS):
        for k in range(count):
            u = k / (count - 1)
            off[k] = abs(values[k] - (a + u * (b + u * c)))
        cut = _CUT * _DEVIATION * np.median(off) + 1e-12
        used = 0
        for k in range(count):
            share = min(off[k] / cut, 1.0)
            weights[k] = (1.0 - share * share) ** 2
            used += weights[k] > 0.1
        if used < 4:
            break
        a, b, c = _parabola(values, weights)
    rate: float = b / (count - 1)
    return rate


@compiled(seconds=1)
def _median_rate(values: Array) -> float:
    """Return the rate, per row, as the median of the slopes between any two of the first values [Sen1968]."""
    count = min(_FIRST, len(values))
    slopes = np.empty(count * (count - 1) // 2)
    found = 0
    for i in range(count):
        for j in range(i):
            slopes[found] = (values[i] - values[j]) / (i - j)
            found += 1
    rate: float = np.median(slopes)
    return rate


@compiled(seconds=1)
def _jitter(values: Array, suspect: bool) -> float:
    """Return the change per row that jitter of values (N,) can cause in their derivative at the first.

    Jitter makes second differences alternate in sign; a movement that starts or stops at once does not. The first row
    has neighbours on one side only: it jitters if it is further off than the next rows are, or, where it is not
    suspect, than twice that.
    """
    before = values[2] - 2.0 * values[1] + values[0]
    first, next_most, most = abs(before), 0.0, 0.0
    for k in range(1, min(_NEAREST, len(values) - 2)):
        bend = values[k + 2] - 2.0 * values[k + 1] + values[k]
        if bend * before < 0.0:
            most = max(most, min(abs(bend), abs(before)))
        if k < 3:
            next_most = max(next_most, abs(bend))
        before = bend
    jitter: float = max(_INNER * most, _OUTER * (first - (1.0 if suspect else 2.0) * next_most))
    return jitter


@compiled(seconds=3)
def steady_rates(
    rows: Array, exact: Array, step: float, width: int, least: float, noise: float, suspect: bool
) -> tuple[Array, Array]:
    """Return rates (C,) at the edge without the effect of jitter, and the change of each vector (C / width,).

    rows: (N, C) values at steps of `step` seconds, negative where they lead back in time; `width` columns a vector.
    exact: (C,) the rates of the curve through all rows. They stay where the jitter of the rows can change them by less
    than `noise`, and where the fit differs from them by less than `least`, or by far more than jitter explains.
    suspect: whether the first row is likely to be off.
    Otherwise the rates are those of the fit: of a parabola through all rows, or the median slope of the first ones,
    whichever is the slower. The two agree unless the movement changes within the window.
    """
    rates = exact.copy()
    changed = np.zeros(len(exact) // width)
    if len(rows) < FEWEST:
        return rates, changed
    fitted, median = np.empty(width), np.empty(width)
    for vector in range(len(changed)):
        jitter = 0.0
        for i in range(width):
            jitter += (_jitter(np.copy(rows[:, vector * width + i]), suspect) / step) ** 2
        jitter = np.sqrt(jitter)
        if jitter <= noise:
            continue
        fast, slow = 0.0, 0.0
        for i in range(width):
            column = np.copy(rows[:, vector * width + i])
            fitted[i], median[i] = _fitted_rate(column) / step, _median_rate(column) / step
            fast += fitted[i] ** 2
            slow += median[i] ** 2
        if slow < fast:
            copy_into(fitted, median)
        apart = 0.0
        for i in range(width):
            apart += (fitted[i] - exact[vector * width + i]) ** 2
        apart = np.sqrt(apart)
        if apart <= least:
            continue
        share = min(apart / least - 1.0, 1.0) * min(jitter / noise - 1.0, 1.0)
        share *= min(max(2.0 - apart / (_EXPLAINED * jitter), 0.0), 1.0)
        for i in range(width):
            rates[vector * width + i] += share * (fitted[i] - exact[vector * width + i])
        changed[vector] = share * apart
    return rates, changed
