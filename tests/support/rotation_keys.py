"""Seven hard rotations to interpolate, and how to measure any path through them.

The body tumbles about an axis that wanders, by up to 150 degrees a step, and slows down: the last step takes three
times as long as the first. A spline in R^4 cuts through the sphere on wide steps, and its speed is far from even.
These keys were picked, from about 170 random sets, as ones on which there is much to gain: `random_keys` are not.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from segue.curves import quaternion
from segue.typing import Array

STEPS_DEG = (150.0, 120.0, 150.0, 90.0, 150.0, 135.0)
AXES = (
    (0.26, -0.97, 0.0),
    (0.05, -0.60, 0.80),
    (-0.19, -0.87, 0.45),
    (-0.54, -0.74, 0.40),
    (-0.40, -0.44, 0.80),
    (-0.49, -0.38, 0.78),
)
TIMES = np.array([0.0, 0.57, 1.47, 2.23, 3.07, 4.30, 5.98])


def keys() -> tuple[Array, Array]:
    """Return times (7,), s, and unit quaternions (7, 4)."""
    turned = [quaternion.identity()]
    for degrees, axis in zip(STEPS_DEG, AXES, strict=True):
        unit = np.array(axis) / np.linalg.norm(axis)
        turned.append(quaternion.multiply(turned[-1], quaternion.exp(np.radians(degrees) * unit)))
    return TIMES.copy(), np.array(turned)


def random_keys(seed: int) -> tuple[Array, Array]:
    """Return times (7,) and unit quaternions (7, 4), 60 to 150 degrees apart about any axes, that nobody has picked."""
    random = np.random.default_rng(50000 + seed)
    turned = [quaternion.identity()]
    for angle in np.radians(random.uniform(60.0, 150.0, 6)):
        axis = random.normal(size=3)
        turned.append(quaternion.multiply(turned[-1], quaternion.exp(angle * axis / np.linalg.norm(axis))))
    return np.append(0.0, np.cumsum(random.uniform(0.3, 1.5, 6))), np.array(turned)


def measured_energy(path: Callable[[Array], Array], times: Array, pieces: int = 60, step: float = 2e-4) -> float:
    """Return the integral of squared covariant acceleration of a path that gives unit quaternions (T, 4) at times.

    It is taken by differences between the keyframes, at which the acceleration of some paths jumps.
    """
    edges = np.concatenate([np.linspace(a, b, pieces + 1)[:-1] for a, b in pairwise(times)])
    widths = np.diff(np.append(edges, times[-1]))
    middles = edges + 0.5 * widths
    # one call, so that the signs of neighbours can be told
    around = np.concatenate([[t - step, t, t + step] for t in middles])
    q = quaternion.make_continuous(path(around)).reshape(-1, 3, 4)
    second = (q[:, 0] - 2.0 * q[:, 1] + q[:, 2]) / step**2
    across = second - q[:, 1] * (second * q[:, 1]).sum(axis=1, keepdims=True)
    return float(widths @ (across**2).sum(axis=1))
