"""Compiled heading of the root from a few samples.

Shapes: T times, which lead away from a seam.
"""

from __future__ import annotations

import math

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, rotated
from segue.typing import Array

Part = tuple[int, int]
"""A range of samples: the first, and the one after the last."""


@compiled(seconds=1)
def _wrapped(angle: float) -> float:
    """Return an angle within half a turn of zero."""
    return math.atan2(math.sin(angle), math.cos(angle))


@compiled(seconds=1)
def _damped(value: float, usual: float) -> float:
    """Return a value damped towards zero below the usual size, and almost unchanged far above it."""
    return value * value**2 / (value**2 + usual**2)


@compiled(seconds=1)
def _mean(values: Array, part: Part) -> float:
    return float(values[part[0] : part[1]].sum()) / (part[1] - part[0])


@compiled(seconds=1)
def _slope(times: Array, values: Array, part: Part) -> float:
    """Return the slope of the straight line that fits values best."""
    middle, level = _mean(times, part), _mean(values, part)
    rise, run = 0.0, 0.0
    for t in range(part[0], part[1]):
        rise += (times[t] - middle) * (values[t] - level)
        run += (times[t] - middle) ** 2
    return rise / run


@compiled(seconds=1)
def _displacement(places: Array, part: Part, sign: float) -> tuple[float, float]:
    """Return the displacement (x, z) on the floor from the earliest to the latest of some times."""
    last = part[1] - 1
    return sign * (places[last, 0] - places[part[0], 0]), sign * (places[last, 2] - places[part[0], 2])


@compiled(seconds=1)
def _headings(orientations: Array) -> Array:
    """Return the unwrapped headings (T,) of orientations (T, 4)."""
    headings = np.empty(len(orientations))
    for t in range(len(orientations)):
        x, _, z = rotated(get_quat(orientations, t), (0.0, 0.0, 1.0))
        headings[t] = np.arctan2(x, z)
        if t > 0:
            headings[t] = headings[t - 1] + _wrapped(headings[t] - headings[t - 1])
    return headings


@compiled(seconds=3)
def root_heading(
    times: Array,
    places: Array,
    orientations: Array,
    near: Part,
    far: Part,
    last: Part,
    slow: float,
    aside: float,
    sway: float,
    swerve: float,
    tiny: float,
) -> tuple[float, float]:
    """Return heading and turning, as in `RootHeading`, from the root's places (T, 3) and orientations (T, 4).

    near, far, last: the stride next to the seam, a stride further away, and a quarter of a stride next to the seam.
    slow: speed in m/s below which the heading is where the pelvis faces. aside: angle in rad between facing and travel
    above which the figure walks sideways. sway, swerve: usual turning of straight walks in rad/s, and usual deviation
    of a step in rad. tiny: seconds that count as zero.
    """
    faced = _headings(orientations)
    sign = 1.0 if times[-1] > times[0] else -1.0
    span = abs(times[near[1] - 1] - times[near[0]])
    if span <= tiny:
        return faced[0], 0.0
    x, z = _displacement(places, near, sign)
    if np.hypot(x, z) < slow * span:
        return faced[0], _slope(times, faced, near)
    sideways = abs(_wrapped(np.arctan2(x, z) - _mean(faced, near))) > aside
    headings = np.empty(3)
    for k, part in enumerate((near, far, last)):
        x, z = _displacement(places, part, sign)
        headings[k] = _mean(faced, part) if sideways else np.arctan2(x, z)
    at_near, at_far, at_last = _mean(times, near), _mean(times, far), _mean(times, last)
    rate = _damped(_wrapped(headings[0] - headings[1]) / (at_near - at_far), sway)
    heading = headings[0] + rate * (at_last - at_near)
    x, z = _displacement(places, last, sign)
    if np.hypot(x, z) > slow * abs(times[last[1] - 1] - times[last[0]]):
        heading += _damped(_wrapped(headings[2] - heading), swerve)
    return heading + rate * (times[0] - at_last), rate
