"""Covariant acceleration of quaternions: how much a rotation's angular velocity changes, which is a quarter of it.

With b = p.p, w = p'' - 2 k (p.p'/b) p' and P the projection that takes away what is along p, the covariant acceleration
is r = P w / |p|^k. With k = 1 it is that of the unit quaternion p / |p| for any length. With k = 0 it is that of
[Ramamoorthi1997] equation 9, which means the same if the length is 1. Shapes: S samples, last.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from segue.checks import choice
from segue.compiled import compiled
from segue.errors import ArgumentError
from segue.spacetime.path import Samples
from segue.typing import Array


@compiled(seconds=3, fast_math=True)
def covariant_energy(
    p: Array, v: Array, a: Array, weights: Array, k: float, by_p: Array, by_v: Array, by_a: Array
) -> float:
    """Return the integral of |r|^2 and write its gradient; p, v, a: (4, S), value, velocity and acceleration."""
    total = 0.0
    for s in range(p.shape[1]):
        p0, p1, p2, p3 = p[0, s], p[1, s], p[2, s], p[3, s]
        v0, v1, v2, v3 = v[0, s], v[1, s], v[2, s], v[3, s]
        inverse = 1.0 / (p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
        stretch = 2.0 * k * (p0 * v0 + p1 * v1 + p2 * v2 + p3 * v3) * inverse
        w0, w1 = a[0, s] - stretch * v0, a[1, s] - stretch * v1
        w2, w3 = a[2, s] - stretch * v2, a[3, s] - stretch * v3
        radial = (p0 * w0 + p1 * w1 + p2 * w2 + p3 * w3) * inverse
        r0, r1, r2, r3 = w0 - radial * p0, w1 - radial * p1, w2 - radial * p2, w3 - radial * p3
        scale = weights[s] * (1.0 + k * (inverse - 1.0))
        energy = scale * (r0 * r0 + r1 * r1 + r2 * r2 + r3 * r3)
        total += energy
        twice = 2.0 * scale
        # how the energy changes with w along the velocity
        along = twice * (r0 * v0 + r1 * v1 + r2 * v2 + r3 * v3)
        by_stretch = 2.0 * k * along * inverse
        out = 2.0 * stretch * along * inverse - 2.0 * k * energy * inverse
        by_a[0, s], by_a[1, s], by_a[2, s], by_a[3, s] = twice * r0, twice * r1, twice * r2, twice * r3
        turn = twice * stretch
        by_v[0, s], by_v[1, s] = -turn * r0 - by_stretch * p0, -turn * r1 - by_stretch * p1
        by_v[2, s], by_v[3, s] = -turn * r2 - by_stretch * p2, -turn * r3 - by_stretch * p3
        push = twice * radial
        by_p[0, s] = out * p0 - push * r0 - by_stretch * v0
        by_p[1, s] = out * p1 - push * r1 - by_stretch * v1
        by_p[2, s] = out * p2 - push * r2 - by_stretch * v2
        by_p[3, s] = out * p3 - push * r3 - by_stretch * v3
    return total


@compiled(seconds=4, fast_math=True)
def covariant_curvature(p: Array, v: Array, a: Array, weights: Array, k: float, curvature: Array) -> None:
    """Write 2 J^T J, with J the derivative of r by value, velocity and acceleration, to curvature (12, 12, S)."""
    jacobian = np.empty((4, 12))
    for s in range(p.shape[1]):
        b, e = 0.0, 0.0
        for i in range(4):
            b += p[i, s] * p[i, s]
            e += p[i, s] * v[i, s]
        stretch = 2.0 * k * e / b
        radial, swing = 0.0, 0.0
        for i in range(4):
            w = a[i, s] - stretch * v[i, s]
            radial += p[i, s] * w / b
        size = 1.0 + k * (1.0 / np.sqrt(b) - 1.0)
        for i in range(4):
            r = a[i, s] - stretch * v[i, s] - radial * p[i, s]
            # the velocity without what is along p
            swing = v[i, s] - p[i, s] * e / b
            for j in range(4):
                same = 1.0 if i == j else 0.0
                across = same - p[i, s] * p[j, s] / b
                w = a[j, s] - stretch * v[j, s]
                jacobian[i, 8 + j] = size * across
                jacobian[i, 4 + j] = -size * (stretch * across + 2.0 * k * swing * p[j, s] / b)
                jacobian[i, j] = size * (
                    -radial * same
                    - p[i, s] * (w - 2.0 * radial * p[j, s]) / b
                    - 2.0 * k * swing * (v[j, s] - 2.0 * (e / b) * p[j, s]) / b
                    - k * r * p[j, s] / b
                )
        for i in range(12):
            for j in range(i + 1):
                total = 0.0
                for c in range(4):
                    total += jacobian[c, i] * jacobian[c, j]
                total *= 2.0 * weights[s]
                curvature[i, j, s] = total
                curvature[j, i, s] = total


_ORDERS = 5
_BINOMIAL = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], float)


@compiled(seconds=1, inline=True)
def _product(path: Array, ahead: int, order: int, s: int) -> float:
    """Return a derivative of the product of a path with its own derivative of order `ahead`, at one sample."""
    total = 0.0
    for i in range(order + 1):
        for c in range(4):
            total += _BINOMIAL[order, i] * path[i, c, s] * path[order - i + ahead, c, s]
    return total


@compiled(seconds=2)
def write_sides(q: Array, sides: Array) -> None:
    """Write X + d^2 Y / dt^2 of [Ramamoorthi1997] equations 10 and 11, (4, S)."""
    a, b, ratio = np.empty(3), np.empty(3), np.empty(3)
    for s in range(q.shape[2]):
        for k in range(3):
            a[k], b[k] = _product(q, 2, k, s), _product(q, 0, k, s)
            ratio[k] = a[k]
            for i in range(k):
                ratio[k] -= _BINOMIAL[k, i] * ratio[i] * b[k - i]
            ratio[k] /= b[0]
        for c in range(4):
            pull = q[0, c, s] * ratio[0] ** 2 - q[2, c, s] * ratio[0]
            carried = q[2, c, s] * ratio[0] + 2.0 * q[1, c, s] * ratio[1] + q[0, c, s] * ratio[2]
            sides[c, s] = pull + q[4, c, s] - carried


@compiled(seconds=2)
def write_unit(p: Array, unit: Array) -> None:
    """Write p / |p| and its derivatives, given those of p.

    With b = p.p and r = 1 / |p|, the derivatives of r follow from 2 b r' = -b' r, differentiated again and again.
    """
    b, r = np.empty(_ORDERS), np.empty(_ORDERS)
    for s in range(p.shape[2]):
        for k in range(_ORDERS):
            b[k] = _product(p, 0, k, s)
        r[0] = b[0] ** -0.5
        for k in range(_ORDERS - 1):
            total = 0.0
            for i in range(k + 1):
                total += _BINOMIAL[k, i] * b[i + 1] * r[k - i]
            for i in range(1, k + 1):
                total += 2.0 * _BINOMIAL[k, i] * b[i] * r[k - i + 1]
            r[k + 1] = -total / (2.0 * b[0])
        for k in range(_ORDERS):
            for c in range(4):
                total = 0.0
                for i in range(k + 1):
                    total += _BINOMIAL[k, i] * p[i, c, s] * r[k - i]
                unit[k, c, s] = total


class CovariantAcceleration:
    """The integral of the squared covariant acceleration of a quaternion path, f2 of equation 9 in [Ramamoorthi1997].

    It is the acceleration without what is along the quaternion, and for unit quaternions half the angular acceleration.
    normalised: whether that of the unit quaternion p / |p| is meant, whatever the length of the path p in R^4; else
    that of the path itself, whose length another term has to keep (`UnitQuaternion`).
    """

    name = "covariant acceleration"

    def __init__(self, *, normalised: bool = False) -> None:
        self.normalised = normalised

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral and its gradient."""
        gradient = samples.zeros()
        value = covariant_energy(
            *quaternion_rows(self.name, samples),
            samples.weights,
            float(self.normalised),
            gradient.value.T,
            gradient.velocity.T,
            gradient.acceleration.T,
        )
        return float(value), gradient

    def curvature(self, samples: Samples) -> Array:
        """Return the second derivatives (3, 4, 3, 4, S), by Gauss and Newton."""
        curvature = np.empty((12, 12, len(samples.times)))
        rows = quaternion_rows(self.name, samples)
        covariant_curvature(*rows, samples.weights, float(self.normalised), curvature)
        return curvature.reshape(3, 4, 3, 4, -1)


def quaternion_rows(name: str, samples: Samples) -> tuple[Array, Array, Array]:
    """Return value, velocity and acceleration, (4, S) each, of a path that must be one quaternion."""
    if samples.value.shape[1] != 4:
        raise ArgumentError(
            f"the term '{name}' is for one quaternion, 4 coordinates, but the path has {samples.value.shape[1]}"
        )
    value, velocity, acceleration = (np.ascontiguousarray(part.T) for part in samples[2:5])
    return value, velocity, acceleration


_ROUNDED = 1e-3
"""How far from unit length the absolute value is rounded off: a descent needs a slope at the bottom."""


class Departure(StrEnum):
    """How a departure from unit length is measured: (1 - q.q)^2 or |1 - q.q|."""

    SQUARE = "square"
    ABSOLUTE = "absolute"


class UnitQuaternion:
    """The integral of how far a quaternion path is from unit length, f1 of equation 9 in [Ramamoorthi1997].

    departure: "square", or "absolute", whose corner at zero is rounded off within 0.001.
    """

    name = "unit quaternion"

    def __init__(self, departure: Departure | str = Departure.SQUARE) -> None:
        self.departure = choice("the departure", departure, Departure)

    def slope(self, excess: Array) -> Array:
        """Return how the departure changes with q.q, where that is 1 + excess."""
        if self.departure is Departure.SQUARE:
            return 2.0 * excess
        slope: Array = excess / np.sqrt(excess * excess + _ROUNDED**2)
        return slope

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral and its gradient."""
        path = quaternion_rows(self.name, samples)[0]
        excess = (path * path).sum(axis=0) - 1.0
        if self.departure is Departure.SQUARE:
            density = excess * excess
        else:
            density = np.sqrt(excess * excess + _ROUNDED**2) - _ROUNDED
        gradient = samples.zeros()
        gradient.value.T[:] = 2.0 * samples.weights * self.slope(excess) * path
        return float(samples.weights @ density), gradient

    def curvature(self, samples: Samples) -> Array:
        """Return the second derivatives (1, 4, 1, 4, S) along the quaternion; what is across it is left away."""
        path = quaternion_rows(self.name, samples)[0]
        bend = 2.0 * samples.weights
        if self.departure is Departure.ABSOLUTE:
            excess = (path * path).sum(axis=0) - 1.0
            bend = samples.weights / np.sqrt(excess * excess + _ROUNDED**2)
        curvature: Array = 4.0 * bend * path[:, None] * path
        return curvature[None, :, None]
