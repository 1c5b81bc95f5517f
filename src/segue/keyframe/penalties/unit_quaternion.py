"""Unit length of quaternions, as a soft constraint, in both forms that the paper has."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from segue.errors import ArgumentError
from segue.keyframe.path import Samples
from segue.keyframe.penalties.covariant_acceleration import quaternion_rows
from segue.typing import Array

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
        try:
            self.departure = Departure(departure)
        except ValueError:
            raise ArgumentError(f"the departure is {departure!r}: it can be square or absolute") from None

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
