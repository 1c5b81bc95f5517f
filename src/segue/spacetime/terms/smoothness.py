"""Squared derivatives of a path, order by order: what acceleration and jerk have in common."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.checks import array
from segue.errors import ArgumentError
from segue.spacetime.path import Samples
from segue.typing import Array


class SquaredDerivative:
    """The integral of the sum over coordinates of scale * (derivative of one order)^2.

    scale: (D,), or one number for all: what coordinates of different units are weighed by. about: (S, D), the
    derivative of a path at the samples that the other one is measured from; 0 where not given.
    """

    name: str
    order: int

    def __init__(self, scale: npt.ArrayLike = 1.0, about: Array | None = None) -> None:
        needed = "one number or a row of numbers is needed, none negative"
        self._scale = array(f"the scale of the {self.name}", scale, least=0.0, needed=needed)
        if self._scale.ndim > 1:
            raise ArgumentError(f"the scale of the {self.name} has shape {self._scale.shape}: {needed}")
        self._about = about

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral and its gradient."""
        derivative = samples[2 + self.order]
        if self._scale.ndim and len(self._scale) != derivative.shape[1]:
            raise ArgumentError(
                f"the scale of the {self.name} has {len(self._scale)} numbers, but the path {derivative.shape[1]}"
            )
        if self._about is not None:
            derivative = derivative - self._about
        gradient = samples.zeros()
        slope = gradient[2 + self.order]
        slope[:] = 2.0 * self._scale * derivative * samples.weights[:, None]
        # not vdot, whose threads wait for each other on a busy machine
        return 0.5 * float((slope * derivative).sum()), gradient

    def curvature(self, samples: Samples) -> Array:
        """Return the second derivatives (4, D, S), which are constant."""
        curvature = np.zeros((4, samples.value.shape[1], len(samples.times)))
        curvature[self.order] = 2.0 * np.multiply.outer(
            np.broadcast_to(self._scale, len(curvature[0])), samples.weights
        )
        return curvature


class Distance(SquaredDerivative):
    """The integral of the squared distance from another path; see `SquaredDerivative`."""

    name = "distance"
    order = 0


class Velocity(SquaredDerivative):
    """The integral of squared velocity; see `SquaredDerivative` for its scale."""

    name = "velocity"
    order = 1


class Acceleration(SquaredDerivative):
    """The integral of squared acceleration; see `SquaredDerivative` for its scale."""

    name = "acceleration"
    order = 2


class Jerk(SquaredDerivative):
    """The integral of squared jerk; see `SquaredDerivative` for its scale.

    A cubic's jerk jumps at its knots: between frames that are far apart this is a rough measure, and it gains more
    than others from subdivision.
    """

    name = "jerk"
    order = 3
