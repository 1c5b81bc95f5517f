"""Measure the clearance of a swinging foot from other feet along its path."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array


@compiled(seconds=1)
def _gap(x: float, z: float, heading: float, other: Array, sole: Array) -> float:
    """Return the gap between two soles, see `gap_between`; sole: half length, half width, middle before the ankle."""
    half, wide, middle = sole[0], sole[1], sole[2]
    sine, cosine = np.sin(heading), np.cos(heading)
    other_sine, other_cosine = np.sin(other[2]), np.cos(other[2])
    x = other[0] - x + middle * (other_sine - sine)
    z = other[1] - z + middle * (other_cosine - cosine)
    along, across = abs(cosine * other_cosine + sine * other_sine), abs(sine * other_cosine - cosine * other_sine)
    ends = half + half * along + wide * across
    sides = wide + wide * along + half * across
    gap: float = max(
        max(abs(x * sine + z * cosine) - ends, abs(x * cosine - z * sine) - sides),
        max(abs(x * other_sine + z * other_cosine) - ends, abs(x * other_cosine - z * other_sine) - sides),
    )
    return gap


@compiled(seconds=2)
def nearest_pass(way: Array, start: float, end: float, others: Array, soles: Array, reach: float, far: float) -> float:
    """Return the least gap between a foot and others along a path, at most `far`; ankles beyond reach do not count.

    way: (P, 2) points of the path, passed at even speed while the heading turns evenly from start to end. others:
    (O, S, 3) the other feet at even shares of the path, without its ends. soles: (O, 3) as in `_gap`.
    """
    points, samples = way.shape[0], others.shape[1]
    total = 0.0
    for k in range(points - 1):
        total += np.hypot(way[k + 1, 0] - way[k, 0], way[k + 1, 1] - way[k, 1])
    nearest = far
    for s in range(samples):
        share = (s + 1) / (samples + 1)
        left = share * total
        x, z = way[points - 1, 0], way[points - 1, 1]
        for k in range(points - 1):
            length = np.hypot(way[k + 1, 0] - way[k, 0], way[k + 1, 1] - way[k, 1])
            if left <= length and length > 0.0:
                part = left / length
                x = way[k, 0] + part * (way[k + 1, 0] - way[k, 0])
                z = way[k, 1] + part * (way[k + 1, 1] - way[k, 1])
                break
            left -= length
        heading = start + share * (end - start)
        for o in range(others.shape[0]):
            if np.hypot(others[o, s, 0] - x, others[o, s, 1] - z) < reach:
                nearest = min(nearest, _gap(x, z, heading, others[o, s], soles[o]))
    return nearest
