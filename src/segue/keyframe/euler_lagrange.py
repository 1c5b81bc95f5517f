"""The Euler-Lagrange residual of quaternion paths: how far a path is from being the best, time by time.

Equations are those of [Ramamoorthi1997].
"""

from __future__ import annotations

from itertools import pairwise
from math import comb

import numpy as np

from segue.curves.quaternion import Array
from segue.keyframe.path import DynamicSpline, Sampling
from segue.keyframe.penalties.unit_quaternion import UnitQuaternion

__all__ = ["exact_residual", "soft_residual"]

_ORDERS = 5


def soft_residual(path: DynamicSpline, sampling: Sampling, unit: UnitQuaternion, weight: float) -> Array:
    """Return (S,): the length of the left side of equation 10 for a path in R^4; beta is the weight of unit length."""
    derivatives = _derivatives(path, sampling)
    excess = (derivatives[0] ** 2).sum(axis=1, keepdims=True) - 1.0
    sides = _covariant_sides(derivatives) + weight * unit.slope(excess) * derivatives[0]
    length: Array = np.linalg.norm(sides, axis=1)
    return length


def exact_residual(path: DynamicSpline, sampling: Sampling) -> Array:
    """Return (S,): the length of the left side of equation 10 for the unit quaternion p / |p|, of a path p in R^4.

    What is along the quaternion is left out: it would change the length, which cannot be.
    """
    unit = _normalised(_derivatives(path, sampling))
    sides = _covariant_sides(unit)
    sides -= unit[0] * (unit[0] * sides).sum(axis=1, keepdims=True)
    length: Array = np.linalg.norm(sides, axis=1)
    return length


def _derivatives(path: DynamicSpline, sampling: Sampling) -> Array:
    """Return the path (5, S, 4) from its value to its fourth derivative.

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
    return np.stack([*samples[2:], slopes[piece]])


def _covariant_sides(q: Array) -> Array:
    """Return X + d^2 Y / dt^2 of equations 10 and 11, (S, 4), for derivatives q (5, S, 4)."""
    a, b = _dot_derivatives(q[:3], q[2:])[:3], _dot_derivatives(q[:3], q[:3])
    ratio = _quotient_derivatives(a, b)
    pull = q[0] * ratio[0] ** 2 - q[2] * ratio[0]
    sides: Array = pull + q[4] - (q[2] * ratio[0] + 2.0 * q[1] * ratio[1] + q[0] * ratio[2])
    return sides


def _dot_derivatives(p: Array, q: Array) -> Array:
    """Return p.q and its derivatives, (n, S, 1), from those of p and q, (n, S, D) each."""
    rows = [sum(comb(k, i) * (p[i] * q[k - i]).sum(axis=1, keepdims=True) for i in range(k + 1)) for k in range(len(p))]
    return np.stack(rows)


def _quotient_derivatives(a: Array, b: Array) -> Array:
    """Return a / b and its derivatives, of as many orders as a and b have."""
    ratio = np.empty_like(a)
    for k in range(len(a)):
        known = sum(comb(k, i) * ratio[i] * b[k - i] for i in range(k))
        ratio[k] = (a[k] - known) / b[0]
    return ratio


def _normalised(p: Array) -> Array:
    """Return q = p / |p| and its derivatives, (5, S, 4), from those of p.

    With s = 1 / |p|, the derivatives of s follow from 2 b s' = -b' s, b = p.p, differentiated again and again.
    """
    b = _dot_derivatives(p, p)
    s = np.empty_like(b)
    s[0] = b[0] ** -0.5
    for k in range(_ORDERS - 1):
        total = sum(comb(k, i) * (b[i + 1] * s[k - i]) for i in range(k + 1))
        total = total + 2.0 * sum(comb(k, i) * b[i] * s[k - i + 1] for i in range(1, k + 1))
        s[k + 1] = -total / (2.0 * b[0])
    unit = [sum(comb(k, i) * p[i] * s[k - i] for i in range(k + 1)) for k in range(_ORDERS)]
    return np.stack(unit)
