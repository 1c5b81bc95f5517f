"""Covariant acceleration of quaternions: how much a rotation's angular velocity changes, which is a quarter of it."""

from __future__ import annotations

import numpy as np

from segue.errors import ArgumentError
from segue.keyframe.path import Samples
from segue.keyframe.penalties._covariant_kernels import covariant_curvature, covariant_energy
from segue.typing import Array


class CovariantAcceleration:
    """The integral of the squared covariant acceleration of a quaternion path, f2 of equation 9 in [Ramamoorthi1997].

    It is the acceleration without what is along the quaternion, and for unit quaternions half the angular acceleration.
    normalised: whether that of the unit quaternion p / |p| is meant, whatever the length of the path p in R^4; else
    that of the path itself, whose length another penalty has to keep (`UnitQuaternion`).
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
            f"the penalty '{name}' is for one quaternion, 4 coordinates, but the path has {samples.value.shape[1]}"
        )
    value, velocity, acceleration = (np.ascontiguousarray(part.T) for part in samples[2:5])
    return value, velocity, acceleration
