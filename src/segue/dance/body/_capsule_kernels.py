"""Measure gaps between capsules, frame by frame."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.curves.quaternion_kernels import Vector
from segue.typing import Array


@compiled(seconds=1, inline=True)
def _clamped(value: float) -> float:
    return max(0.0, min(1.0, value))


@compiled(seconds=1, inline=True)
def nearest_shares(w: Vector, u: Vector, v: Vector) -> tuple[float, float]:
    """Return the shares along two segments u and v at which they are nearest to each other [Ericson2005].

    w: from the start of the second segment to the start of the first.
    """
    uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
    vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    uw = u[0] * w[0] + u[1] * w[1] + u[2] * w[2]
    vw = v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
    across = uu * vv - uv * uv
    s = _clamped((uv * vw - vv * uw) / across) if across > 1e-12 else 0.0
    t = (uv * s + vw) / max(vv, 1e-12)
    if t < 0.0 or t > 1.0:
        t = _clamped(t)
        s = _clamped((uv * t - uw) / max(uu, 1e-12))
    return s, t


@compiled(seconds=1, inline=True)
def _line_distance(a: Vector, u: Vector, b: Vector, v: Vector) -> float:
    """Return the distance between the segment from a along u and the segment from b along v."""
    w = (a[0] - b[0], a[1] - b[1], a[2] - b[2])
    s, t = nearest_shares(w, u, v)
    x = w[0] + s * u[0] - t * v[0]
    y = w[1] + s * u[1] - t * v[1]
    z = w[2] + s * u[2] - t * v[2]
    distance: float = np.sqrt(x * x + y * y + z * z)
    return distance


@compiled(seconds=3)
def least_gaps(
    starts: Array,
    stops: Array,
    radii: Array,
    other_starts: Array,
    other_stops: Array,
    other_radii: Array,
    pairs: npt.NDArray[np.int64],
) -> Array:
    """Return the least gap (T,) in m between pairs (P, 2) of capsules; negative where two overlap.

    starts, stops: (T, C, 3) of the first of each pair; radii: (C,); likewise of the others.
    """
    frames = starts.shape[0]
    gaps = np.full(frames, np.inf)
    for t in range(frames):
        for p in range(pairs.shape[0]):
            i, j = pairs[p, 0], pairs[p, 1]
            a = (starts[t, i, 0], starts[t, i, 1], starts[t, i, 2])
            u = (stops[t, i, 0] - a[0], stops[t, i, 1] - a[1], stops[t, i, 2] - a[2])
            b = (other_starts[t, j, 0], other_starts[t, j, 1], other_starts[t, j, 2])
            v = (other_stops[t, j, 0] - b[0], other_stops[t, j, 1] - b[1], other_stops[t, j, 2] - b[2])
            gaps[t] = min(gaps[t], _line_distance(a, u, b, v) - radii[i] - other_radii[j])
    return gaps
