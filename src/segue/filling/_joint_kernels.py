"""Compiled joint values of the figure: of its states, in charts of its ball joints, and along splines back to states.

Shapes: T times, n joint values, B ball joints, H hinges. balls (B, 3), hinges (H,): indices of their joint values.
"""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves.chart_kernels import chart_coordinates, chart_orientations, chart_rates, chart_turning
from segue.motion._state_kernels import Parts
from segue.typing import Array, Ints


@compiled(seconds=2)
def joint_values(reference: Array, leading: Ints, parts: Parts, balls: Ints, hinges: Ints) -> Array:
    """Return joint values and their first two derivatives, (3, T, n), of a state."""
    count = len(parts[0])
    angles = np.empty((3, count, len(balls), 3))
    chart_coordinates(reference, leading, parts[3], angles[0])
    chart_rates(leading, parts[3], angles[0], parts[4], parts[5], angles[1], angles[2])
    out = np.empty((3, count, 3 + 3 * len(balls) + len(hinges)))
    for order, root, turns in ((0, parts[0], parts[6]), (1, parts[1], parts[7]), (2, parts[2], parts[8])):
        for t in range(count):
            for i in range(3):
                out[order, t, i] = root[t, i]
            for b in range(len(balls)):
                for i in range(3):
                    out[order, t, balls[b, i]] = angles[order, t, b, i]
            for h in range(len(hinges)):
                out[order, t, hinges[h]] = turns[t, h]
    return out


@compiled(seconds=1)
def _evaluate(pieces: Array, duration: float, times: Array, out: Array) -> None:
    """Write value and two derivatives (3, T, n) of piecewise cubics (pieces, 4, n)."""
    count = pieces.shape[0]
    per = count / duration
    for t in range(len(times)):
        at = min(max(times[t] * per, 0.0), float(count))
        k = min(int(at), count - 1)
        u = at - k
        for i in range(pieces.shape[2]):
            a, b, c, d = pieces[k, 0, i], pieces[k, 1, i], pieces[k, 2, i], pieces[k, 3, i]
            out[0, t, i] = a + u * (b + u * (c + u * d))
            out[1, t, i] = (b + u * (2.0 * c + 3.0 * u * d)) * per
            out[2, t, i] = (2.0 * c + 6.0 * u * d) * per * per


@compiled(seconds=3)
def spline_state(
    pieces: Array, duration: float, times: Array, reference: Array, leading: Ints, balls: Ints, hinges: Ints
) -> Parts:
    """Return the state along piecewise cubics (pieces, 4, n) on [0, duration], at times that are held within it."""
    count = len(times)
    values = np.empty((3, count, pieces.shape[2]))
    _evaluate(pieces, duration, times, values)
    root, turns = np.empty((3, count, 3)), np.empty((3, count, len(hinges)))
    angles = np.empty((3, count, len(balls), 3))
    for order in range(3):
        for t in range(count):
            for i in range(3):
                root[order, t, i] = values[order, t, i]
            for b in range(len(balls)):
                for i in range(3):
                    angles[order, t, b, i] = values[order, t, balls[b, i]]
            for h in range(len(hinges)):
                turns[order, t, h] = values[order, t, hinges[h]]
    orientations, turning = np.empty((count, len(balls), 4)), np.empty((2, count, len(balls), 3))
    chart_orientations(reference, leading, angles[0], orientations)
    chart_turning(leading, orientations, angles[0], angles[1], angles[2], turning[0], turning[1])
    return root[0], root[1], root[2], orientations, turning[0], turning[1], turns[0], turns[1], turns[2]
