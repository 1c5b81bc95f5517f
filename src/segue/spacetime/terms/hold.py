"""Named points must follow given paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segue.body.figure import Figure
from segue.errors import ArgumentError
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.terms.body import PointCost, PointTerm
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class Hold:
    """A named point of the figure that is to follow a path at some of the samples.

    point: name as in `Figure.points`. weights: (S,), 0 where the point is free, 1 where it is held; or (S, 3), by
    direction. path: (S, 3) in m.
    """

    point: str
    weights: Array
    path: Array


class Holds(PointTerm):
    """The weighted squared distance of points from where they are held, m^2 s; holds: at the samples of the path."""

    name = "hold"

    def __init__(self, body: FigureBodies | Figure, holds: Sequence[Hold]) -> None:
        super().__init__(body, tuple(hold.point for hold in holds))
        self.paths: Array = np.stack([hold.path for hold in holds], axis=1)
        weights = [np.broadcast_to(hold.weights.T, hold.path.T.shape).T for hold in holds]
        self.weights: Array = np.stack(weights, axis=1)

    def cost(self, times: Array, positions: Array, velocities: Array) -> PointCost:
        """Return the weighted squares of distances."""
        if self.paths.shape != positions.shape:
            raise ArgumentError(
                f"holds at {len(self.paths)} samples are given for a path with {len(positions)}: give one for each"
            )
        apart = positions - self.paths
        pull = self.weights * apart
        return PointCost((pull * apart).sum(axis=2), 2.0 * pull, np.zeros_like(positions))

    def stiffness(self, times: Array, active: PointCost) -> Array:
        """Return how firmly points are held, (S, P), on average over directions."""
        firm: Array = self.weights.mean(axis=2)
        return firm
