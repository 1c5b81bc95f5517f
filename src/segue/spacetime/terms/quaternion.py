"""Covariant acceleration of quaternions: how much a rotation's angular velocity changes, which is a quarter of it."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from segue.checks import choice
from segue.errors import ArgumentError
from segue.spacetime._rotation_kernels import covariant_curvature, covariant_energy
from segue.spacetime.path import Samples
from segue.typing import Array


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
