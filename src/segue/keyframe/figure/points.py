"""Penalties on where named points of the figure are and how fast: what all of them share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure
from segue.keyframe.figure._body_kernels import BodyPull
from segue.keyframe.figure.bodies import FigureBodies, FigureMotion
from segue.keyframe.figure.body_penalty import BodyPenalty
from segue.keyframe.figure.columns import COLUMN_COUNT
from segue.keyframe.path import Samples
from segue.typing import Array

FOOT_POINTS = tuple(f"{side}_{point}" for side in ("left", "right") for point in ("heel", "ball", "toe"))
"""The points of the soles."""


class PointCost(NamedTuple):
    """What points cost a second, (S, P), and its derivatives by their positions and velocities, (S, P, 3)."""

    cost: Array
    by_position: Array
    by_velocity: Array


class PointPenalty(BodyPenalty):
    """A penalty that is a sum over named points of a function of position and velocity.

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

    def add_pull(self, samples: Samples, motion: FigureMotion, pull: BodyPull, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the bodies' motion to others."""
        density, by_position, by_velocity = self.cost(samples.times, *self._traced(motion))
        if density.any():
            weights = factor * samples.weights[:, None, None]
            motion.pull_points(pull, self._links, self._places, weights * by_position, weights * by_velocity)
        return float(samples.weights @ density.sum(axis=1))

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S): each coordinate's lever on the points that cost something."""
        motion = self.body.motion(samples)
        active = self.cost(samples.times, *self._traced(motion))
        strengths = 2.0 * samples.weights[:, None] * self.stiffness(samples.times, active)
        bends = np.zeros((4, COLUMN_COUNT, len(samples.times)))
        if strengths.any():
            bends[self.order] = motion.levers(self._links, self._places, strengths)
        return bends

    def stiffness(self, times: Array, active: PointCost) -> Array:
        """Return how much the square of each point's position or velocity counts, (S, P); 1 where it costs anything."""
        return (active.cost > 0.0).astype(float)

    def _traced(self, motion: FigureMotion) -> tuple[Array, Array]:
        return motion.points(self._links, self._places)


class Barrier(PointPenalty):
    """A penalty on points that must not be somewhere: where they are, the path is badly approximated."""

    def residual(self, samples: Samples) -> Array:
        """Return the penalty before it is integrated, (S,)."""
        density: Array = self.cost(samples.times, *self._traced(self.body.motion(samples))).cost.sum(axis=1)
        return density
