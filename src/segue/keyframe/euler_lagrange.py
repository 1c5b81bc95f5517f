"""The Euler-Lagrange residual of quaternion paths: how far a path is from being the best, time by time.

Equations are those of [Ramamoorthi1997].
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from segue.keyframe._euler_lagrange_kernels import write_sides, write_unit
from segue.keyframe.path import DynamicSpline, Sampling
from segue.keyframe.penalties.unit_quaternion import UnitQuaternion
from segue.typing import Array


def soft_residual(path: DynamicSpline, sampling: Sampling, unit: UnitQuaternion, weight: float) -> Array:
    """Return (S,): the length of the left side of equation 10 for a path in R^4; beta is the weight of unit length."""
    derivatives = _derivatives(path, sampling)
    excess = (derivatives[0] ** 2).sum(axis=0) - 1.0
    sides = np.empty_like(derivatives[0])
    write_sides(derivatives, sides)
    length: Array = np.linalg.norm(sides + weight * unit.slope(excess) * derivatives[0], axis=0)
    return length


def exact_residual(path: DynamicSpline, sampling: Sampling) -> Array:
    """Return (S,): the length of the left side of equation 10 for the unit quaternion p / |p|, of a path p in R^4.

    What is along the quaternion is left out: it would change the length, which cannot be.
    """
    derivatives = _derivatives(path, sampling)
    unit, sides = np.empty_like(derivatives), np.empty_like(derivatives[0])
    write_unit(derivatives, unit)
    write_sides(unit, sides)
    length: Array = np.linalg.norm(sides - unit[0] * (unit[0] * sides).sum(axis=0), axis=0)
    return length


def _derivatives(path: DynamicSpline, sampling: Sampling) -> Array:
    """Return the path (5, 4, S) from its value to its fourth derivative.

    That of a cubic is zero between knots and infinite at them: in its place stands the slope of the jerk over the
    pieces before and after, to which both come down in the mean. At a keyframe the jerk may jump even on the best
    path: slopes are taken between keyframes only.
    """
    samples = path.samples(sampling)
    middles = 0.5 * (path.times[:-1] + path.times[1:])
    jerks, slopes = path.at(middles, 3), np.zeros((len(middles), path.dimension))
    keys = np.flatnonzero(~path.free.any(axis=1))
    for start, stop in pairwise([0, *keys[(keys > 0) & (keys < len(middles))], len(middles)]):
        if stop - start > 1:
            slopes[start:stop] = np.gradient(jerks[start:stop], middles[start:stop], axis=0)
    piece = np.clip(np.searchsorted(path.times, samples.times, "right") - 1, 0, len(middles) - 1)
    return np.stack([*(part.T for part in samples[2:]), slopes[piece].T])
