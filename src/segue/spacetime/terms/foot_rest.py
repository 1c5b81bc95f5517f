"""Slow feet near the ground must come to rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.figure import Figure
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.terms.body import PointCost, PointTerm
from segue.typing import Array


class FootRest(PointTerm):
    """The robust cost of the speed of points, v^2 / (1 + (v / scale)^2) after [Geman1987]: (m/s)^2 s.

    A slow point is drawn to rest, a fast one is left alone. counted: (S, P), how much each point counts, 1
    where not given. near: (S, P), the same times what is left of it at the height of a point, such as
    exp(-height / 0.4 m) along the path that a descent begins with. drag: a part that fades within `clearance`, m, above
    the ground and feels the height, so that a foot which moves is lifted. ground: (S, P) m, how high the ground is.
    """

    name = "foot rest"
    order = 1

    def __init__(
        self,
        body: FigureBodies | Figure,
        points: Sequence[str],
        near: Array,
        ground: Array,
        *,
        counted: Array | float = 1.0,
        speed: float = 0.3,
        drag: float = 0.05,
        clearance: float = 0.03,
    ) -> None:
        super().__init__(body, points)
        self.near, self.ground, self.counted = near, ground, counted
        self.speed, self.drag, self.clearance = speed, drag, clearance

    def cost(self, times: Array, positions: Array, velocities: Array) -> PointCost:
        """Return the robust squares of speeds."""
        above = positions[:, :, 1] - self.ground
        size = 1.0 + (velocities**2).sum(axis=2) / self.speed**2
        robust = self.speed**2 * (1.0 - 1.0 / size)
        drag = self.counted * self.drag * np.exp(-np.maximum(above, 0.0) / self.clearance)
        near = self.near + drag
        by_position = np.zeros_like(positions)
        by_position[:, :, 1] = np.where(above > 0.0, -drag * robust / self.clearance, 0.0)
        return PointCost(near * robust, by_position, 2.0 * (near / size**2)[:, :, None] * velocities)

    def stiffness(self, times: Array, active: PointCost) -> Array:
        """Return what counts of the speed of each point, (S, P)."""
        return self.near
