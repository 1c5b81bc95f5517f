"""Compiled residuals across a stretch of time that brings none: from one edge's value and rate to the other's.

Shapes: T times, J joints.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion_kernels import Quat, Vector, get_quat, turn_after, turn_back, turn_exp, turn_log
from segue.typing import Array

Edge = tuple[Array, Array, Array]
"""Turns (3, J, 4), seat (3, 3) and positions (3, J, 3), at the edge and one and two moments further out."""


@compiled(seconds=1)
def _coasting(since: float, settling: float) -> float:
    """Return how far something that moves at rate 1 at time 0 gets before (or came after) it rests at its old place.

    The cubic that is 0 with slope 1 at 0, and 0 with slope 0 from `settling` seconds away on either side.
    """
    away = abs(since) / settling
    return since * (1.0 - away) ** 2 if away < 1.0 else 0.0


@compiled(seconds=1)
def _rest(rate: Vector, settling: float, excursion: float) -> float:
    """Return the seconds in which a turn at a rate comes to rest: its cubic goes as far as 4/27 of them at most."""
    speed = np.sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2])
    return min(settling, 6.75 * excursion / speed) if speed > 0.0 else settling


@compiled(seconds=1)
def _between(a: Quat, b: Quat) -> Vector:
    """Return the rotation vector, in a's frame, that leads from a to b."""
    x, y, z = turn_log(turn_after(turn_back(a), b))
    return x, y, z


@compiled(seconds=1)
def _turn_rate(turns: Array, j: int, outwards: float) -> Vector:
    """Return a joint's rate at an edge, in its own frame; outwards: seconds from a row to the next, either way."""
    here = get_quat(turns[0], j)
    near, far = _between(here, get_quat(turns[1], j)), _between(here, get_quat(turns[2], j))
    scale = 0.5 / outwards
    return scale * (4.0 * near[0] - far[0]), scale * (4.0 * near[1] - far[1]), scale * (4.0 * near[2] - far[2])


@compiled(seconds=1)
def _advanced(q: Quat, rate: Vector, seconds: float) -> Quat:
    """Return q after turning at a rate, in its own frame, for so many seconds."""
    w, x, y, z = turn_after(q, turn_exp(seconds * rate[0], seconds * rate[1], seconds * rate[2]))
    return w, x, y, z


@compiled(seconds=1)
def _bridge_vectors(before: Array, after: Array, weights: Array, moment: float, out: Array) -> None:
    """Write vectors (N,) between two edges (3, N); weights: the share of the way, and the coasting from either edge."""
    leaving, arriving = -0.5 * weights[1] / moment, 0.5 * weights[2] / moment
    for i in range(len(out)):
        first, last = before[0, i], after[0, i]
        out[i] = first + weights[0] * (last - first)
        out[i] += leaving * (4.0 * before[1, i] - 3.0 * first - before[2, i])
        out[i] += arriving * (4.0 * after[1, i] - 3.0 * last - after[2, i])


@compiled(seconds=3)
def bridge_residual(
    times: Array, start: float, stop: float, before: Edge, after: Edge, moment: float, settling: float, excursion: float
) -> Edge:
    """Return turns (T, J, 4), seat (T, 3) and positions (T, J, 3) between two edges.

    moment: seconds between the rows of an edge. settling: seconds in which what was changing comes to rest;
    a turn does so sooner where it would go further than `excursion` rad.
    """
    count, joints = len(times), before[0].shape[1]
    turns, seat, positions = np.empty((count, joints, 4)), np.empty((count, 3)), np.empty((count, joints * 3))
    weights = np.empty((count, 3))
    beside = before[2].reshape((3, joints * 3)), after[2].reshape((3, joints * 3))
    for t in range(count):
        u = min(max((times[t] - start) / (stop - start), 0.0), 1.0)
        weights[t, 0] = u * u * (3.0 - 2.0 * u)
        weights[t, 1] = _coasting(times[t] - start, settling)
        weights[t, 2] = _coasting(times[t] - stop, settling)
        _bridge_vectors(before[1], after[1], weights[t], moment, seat[t])
        _bridge_vectors(beside[0], beside[1], weights[t], moment, positions[t])
    for j in range(joints):
        first, last = get_quat(before[0][0], j), get_quat(after[0][0], j)
        way = _between(first, last)
        leaving, arriving = _turn_rate(before[0], j, -moment), _turn_rate(after[0], j, moment)
        rest_first, rest_last = _rest(leaving, settling, excursion), _rest(arriving, settling, excursion)
        for t in range(count):
            q = _advanced(first, way, weights[t, 0])
            if times[t] - start < rest_first:
                q = _advanced(q, leaving, _coasting(times[t] - start, rest_first))
            if stop - times[t] < rest_last:
                q = _advanced(q, arriving, _coasting(times[t] - stop, rest_last))
            turns[t, j, 0], turns[t, j, 1], turns[t, j, 2], turns[t, j, 3] = q
    return turns, seat, positions.reshape((count, joints, 3))
