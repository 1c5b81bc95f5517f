"""Squared derivatives of a path, order by order: what acceleration and jerk have in common."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError
from segue.keyframe.path import Samples
from segue.typing import Array


class SquaredDerivative:
    """The integral of the sum over coordinates of scale * (derivative of one order)^2.

    scale: (D,), or one number for all: what coordinates of different units are weighed by.
    """

    name: str
    order: int

    def __init__(self, scale: npt.ArrayLike = 1.0) -> None:
        self._scale: Array = np.asarray(scale, dtype=float)
        if self._scale.ndim > 1 or not np.isfinite(self._scale).all() or (self._scale < 0).any():
            raise ArgumentError(f"the scale of the {self.name} must be one number or a row of them, none negative")

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral and its gradient."""
        derivative = samples[2 + self.order]
        if self._scale.ndim and len(self._scale) != derivative.shape[1]:
            raise ArgumentError(
                f"the scale of the {self.name} has {len(self._scale)} numbers, but the path {derivative.shape[1]}"
            )
        gradient = samples.zeros()
        slope = gradient[2 + self.order]
        slope[:] = 2.0 * self._scale * derivative * samples.weights[:, None]
        return 0.5 * float(np.vdot(slope, derivative)), gradient

    def curvature(self, samples: Samples) -> Array:
        """Return the second derivatives (4, D, S), which are constant."""
        curvature = np.zeros((4, samples.value.shape[1], len(samples.times)))
        curvature[self.order] = 2.0 * np.multiply.outer(
            np.broadcast_to(self._scale, len(curvature[0])), samples.weights
        )
        return curvature
