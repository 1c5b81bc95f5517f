"""Feet that stand must not slide."""

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
