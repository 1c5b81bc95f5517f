"""Seven hard rotations to interpolate, and how to measure any path through them.

The body tumbles: the axis drifts, steps are up to 150 degrees, times are as uneven as the steps. A spline in R^4 cuts
through the sphere on the wide steps, and its speed there is far from even.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from segue.curves import quaternion
from segue.curves.quaternion import Array

STEPS_DEG = (45.0, 150.0, 60.0, 40.0, 150.0, 70.0)
AXES = (
    (-0.52, -0.84, -0.16),
    (-0.56, -0.82, -0.07),
    (-0.47, -0.88, -0.03),
    (-0.55, -0.83, -0.01),
    (-0.57, -0.82, 0.06),
    (-0.53, -0.84, 0.12),
)
TIMES = np.array([0.0, 0.31, 1.37, 1.79, 2.06, 3.10, 3.55])


def keys() -> tuple[Array, Array]:
    """Return times (7,), s, and unit quaternions (7, 4)."""
    turned = [quaternion.identity()]
    for degrees, axis in zip(STEPS_DEG, AXES, strict=True):
        unit = np.array(axis) / np.linalg.norm(axis)
        turned.append(quaternion.multiply(turned[-1], quaternion.exp(np.radians(degrees) * unit)))
    return TIMES.copy(), np.array(turned)


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
