"""Points of the figure must not be below the ground, or inside a box: a step, a table, a wall."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure
from segue.checks import array, number, shown
from segue.errors import ArgumentError
from segue.motion.box import Box
from segue.motion.ground import Ground
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.terms.body import FOOT_POINTS, Barrier, PointCost
from segue.typing import Array

_UP = np.array([0.0, 1.0, 0.0])


class Floor(Barrier):
    """How deep points are below the ground, squared: m^2 s.

    [Ramamoorthi1997], equation 12, adds up the depths themselves; their squares have the same zeros and a gradient that
    does not jump there. height: m above the ground, the least that points may have: one number, one for each point,
    where keyframes already have some lower, or (S, P) for each sample and point. ground: level at 0 where None.
    """

    name = "floor"

    def __init__(
        self,
        body: FigureBodies | Figure,
        points: Sequence[str] = FOOT_POINTS,
        *,
        height: npt.ArrayLike = 0.0,
        ground: Ground | None = None,
    ) -> None:
        super().__init__(body, points)
        heights = array(
            "the height of the floor", height, needed="one number of metres, or one for each point, is needed"
        )
        if heights.ndim > 2 or (heights.ndim and heights.shape[-1] != len(self.points)):
            raise ArgumentError(f"the floor has heights {heights.shape}: one, or {len(self.points)}, are needed")
        self.height = heights if heights.ndim == 2 else np.broadcast_to(heights, len(self.points))
        self.ground = ground

    def cost(self, times: Array, positions: Array, velocities: Array) -> PointCost:
        """Return the squared depths."""
        if self.ground is None:
            depth, ways = np.maximum(self.height - positions[:, :, 1], 0.0), _UP
        else:
            depth, ways = self.ground.depth(positions - self.height[..., None] * _UP)
        by_position = -2.0 * depth[:, :, None] * ways
        return PointCost(depth**2, by_position, np.zeros_like(positions))


class Obstacle(Barrier):
    """How deep points are inside a box, squared: m^2 s.

    clearance: m around the box in which points are felt already; a soft constraint is violated a little, and by this
    the little lies outside.
    """

    def __init__(
        self,
        body: FigureBodies | Figure,
        box: Box,
        points: Sequence[str] = FOOT_POINTS,
        *,
        clearance: float = 0.0,
        name: str = "box",
    ) -> None:
        super().__init__(body, points)
        if not isinstance(box, Box):
            raise ArgumentError(f"{name} is {shown(box)}: a Box is needed")
        self.clearance = number(f"the clearance of {name}", clearance, least=0.0, unit="metres")
        self.box, self.name = box, name

    def cost(self, times: Array, positions: Array, velocities: Array) -> PointCost:
        """Return the squared depths."""
        depth, ways = self.box.depth(positions, self.clearance)
        return PointCost(depth**2, -2.0 * depth[:, :, None] * ways, np.zeros_like(positions))
