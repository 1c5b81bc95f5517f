"""Points of the figure must not be inside a box: a step, a table, a wall."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.figure import Figure
from segue.checks import number, shown
from segue.errors import ArgumentError
from segue.motion.box import Box
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.terms.body import FOOT_POINTS, Barrier, PointCost
from segue.typing import Array


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
