"""Terms on how the figure's bodies move: what all of them share, and several of them as one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.errors import ArgumentError
from segue.spacetime.figure_motion import FigureBodies, FigureMotion, MotionGrad, bodies_of
from segue.spacetime.path import Samples
from segue.spacetime.terms.term import HasResidual, Weighted
from segue.typing import Array


def check_of_figure(name: str, samples: Samples) -> None:
    """Raise ArgumentError where samples that a term is given are not of a path of the figure."""
    if samples.value.shape[1] != HUMAN.column_count:
        raise ArgumentError(
            f"the term '{name}' is for paths of the figure, which have {HUMAN.column_count} coordinates, "
            f"not {samples.value.shape[1]}"
        )


class BodyTerm(ABC):
    """A term that is a function of how the bodies of a figure move in the world."""

    name: str

    def __init__(self, body: FigureBodies | Figure) -> None:
        self.body = bodies_of(body)

    @abstractmethod
    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: MotionGrad, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the figure's motion to others."""

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by the path at the samples."""
        check_of_figure(self.name, samples)
        motion = self.body.motion(samples)
        grad = motion.zero_gradient()
        value = self.add_gradient(samples, motion, grad, 1.0)
        return value, motion.gradient(grad, samples) if value > 0.0 else samples.zeros()

    @abstractmethod
    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives of the integral, (4, 51, S), of each coordinate alone."""


class CombinedBodyTerm(BodyTerm):
    """Several terms of one figure, weighted, as one: the way back from bodies to coordinates is gone once."""

    name = "figure"

    def __init__(self, body: FigureBodies, parts: Sequence[Weighted]) -> None:
        super().__init__(body)
        self.parts: list[tuple[BodyTerm, float]] = []
        for part in parts:
            if not isinstance(part.term, BodyTerm) or part.term.body is not body:
                raise ArgumentError(f"the term '{part.term.name}' is not of this figure: take it alone")
            self.parts.append((part.term, part.weight))

    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: MotionGrad, factor: float) -> float:
        """Return the sum of the integrals, and add to the derivatives."""
        return sum(weight * part.add_gradient(samples, motion, grad, factor * weight) for part, weight in self.parts)

    def curvature(self, samples: Samples) -> Array:
        """Return the sum of what the parts have."""
        curvature = np.zeros((4, HUMAN.column_count, len(samples.times)))
        for part, weight in self.parts:
            curvature += weight * part.curvature(samples)
        return curvature

    def residual(self, samples: Samples) -> Array:
        """Return what the parts that are measured locally are before they are integrated, (S,)."""
        density = np.zeros(len(samples.times))
        for part, weight in self.parts:
            if isinstance(part, HasResidual):
                density += weight * part.residual(samples)
        return density


FOOT_POINTS = tuple(f"{side}_{point}" for side in ("left", "right") for point in ("heel", "ball", "toe_tip"))
"""The points of the soles."""


class PointCost(NamedTuple):
    """The cost of points per second, (S, P), and its derivatives by their positions and velocities, (S, P, 3)."""

    cost: Array
    by_position: Array
    by_velocity: Array


class PointTerm(BodyTerm):
    """A term that is a sum over named points of a function of position and velocity.

    order: of which derivative it is a square, 0 for positions and 1 for velocities.
    """

    order = 0

    def __init__(self, body: FigureBodies | Figure, points: Sequence[str]) -> None:
        super().__init__(body)
        self.points = tuple(points)
        self._links, self._places = self.body.places(self.points)

    @abstractmethod
    def cost(self, times: Array, positions: Array, velocities: Array) -> PointCost:
        """Return what points at positions (S, P, 3), m, with velocities (S, P, 3), cost at times (S,)."""

    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: MotionGrad, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the figure's motion to others."""
        density, by_position, by_velocity = self.cost(samples.times, *self._traced(motion))
        if density.any():
            weights = factor * samples.weights[:, None, None]
            motion.backprop_points(grad, self._links, self._places, weights * by_position, weights * by_velocity)
        return float(samples.weights @ density.sum(axis=1))

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S): each coordinate's lever on the points that cost something."""
        motion = self.body.motion(samples)
        active = self.cost(samples.times, *self._traced(motion))
        strengths = 2.0 * samples.weights[:, None] * self.stiffness(samples.times, active)
        curvature = np.zeros((4, HUMAN.column_count, len(samples.times)))
        if strengths.any():
            curvature[self.order] = motion.lever_arms_squared(self._links, self._places, strengths)
        return curvature

    def stiffness(self, times: Array, active: PointCost) -> Array:
        """Return how much the square of each point's position or velocity counts, (S, P); 1 where it costs anything."""
        return (active.cost > 0.0).astype(float)

    def _traced(self, motion: FigureMotion) -> tuple[Array, Array]:
        return motion.points(self._links, self._places)


class Barrier(PointTerm):
    """A term on points that must not be somewhere: where they are, the path is badly approximated."""

    def residual(self, samples: Samples) -> Array:
        """Return the term before it is integrated, (S,)."""
        density: Array = self.cost(samples.times, *self._traced(self.body.motion(samples))).cost.sum(axis=1)
        return density
