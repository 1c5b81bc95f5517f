"""Feet that stand must not slide, and slow feet near the ground must come to rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segue.body.figure import Figure
from segue.checks import number
from segue.errors import ArgumentError
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


@dataclass(frozen=True)
class Plant:
    """A named point that stands from start to stop, s; strength: how surely, 1 where it is certain."""

    point: str
    start: float
    stop: float
    strength: float = 1.0

    def __post_init__(self) -> None:
        for name, least, unit in (
            ("start", -math.inf, "seconds"),
            ("stop", -math.inf, "seconds"),
            ("strength", 0.0, ""),
        ):
            what = f"the {name} of a point that stands"
            object.__setattr__(self, name, number(what, getattr(self, name), least=least, unit=unit))
        if not self.start < self.stop:
            raise ArgumentError(
                f"{self.point} should stand from {self.start:g} to {self.stop:g} s: it must stand for some time"
            )


class Skid(PointTerm):
    """The squared speed of points while they stand, (m/s)^2 s."""

    name = "skid"
    order = 1

    def __init__(self, body: FigureBodies | Figure, plants: Sequence[Plant]) -> None:
        super().__init__(body, tuple(dict.fromkeys(plant.point for plant in plants)))
        self.plants = tuple(plants)

    def cost(self, times: Array, positions: Array, velocities: Array) -> PointCost:
        """Return the squared speeds of points that stand."""
        standing = standing_strengths(self.plants, self.points, times)
        by_velocity = 2.0 * standing[:, :, None] * velocities
        return PointCost(standing * (velocities**2).sum(axis=2), np.zeros_like(positions), by_velocity)

    def stiffness(self, times: Array, active: PointCost) -> Array:
        """Return how surely each point stands, (S, P)."""
        return standing_strengths(self.plants, self.points, times)


def standing_strengths(plants: Sequence[Plant], points: Sequence[str], times: Array) -> Array:
    """Return how surely each point stands at each time, (S, P); 0 where it does not."""
    standing = np.zeros((len(times), len(points)))
    firsts = np.searchsorted(times, [plant.start for plant in plants], side="left")
    lasts = np.searchsorted(times, [plant.stop for plant in plants], side="right")
    for plant, first, last in zip(plants, firsts.tolist(), lasts.tolist(), strict=True):
        standing[first:last, points.index(plant.point)] = plant.strength
    return standing
