"""Points of the figure must not be inside a box: a step, a table, a wall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segue.body.figure import Figure
from segue.errors import ArgumentError
from segue.keyframe.figure.bodies import FigureBodies
from segue.keyframe.figure.points import FOOT_POINTS, Barrier, PointCost
from segue.keyframe.given import LARGEST, number, numbers, shown
from segue.typing import Array

_ABOVE = 0.2
"""Part of the clearance that a box has above: feet come near its sides in passing, but they stand on its top."""


@dataclass(frozen=True)
class Box:
    """A box that stands upright: centre (3,) and size (3,) in m, turned about the vertical by heading rad."""

    centre: tuple[float, float, float]
    size: tuple[float, float, float]
    heading: float = 0.0

    def __post_init__(self) -> None:
        for name in ("centre", "size"):
            given = numbers(f"the {name} of a box", getattr(self, name), "three numbers of metres are")
            if given.shape != (3,) or np.abs(given).max() > LARGEST:
                raise ArgumentError(
                    f"the {name} of a box is {shown(getattr(self, name))}: three numbers of metres are needed, up to "
                    f"{LARGEST:,.0f}"
                )
            object.__setattr__(self, name, tuple(given.tolist()))
        object.__setattr__(self, "heading", number("the heading of a box", self.heading, "an angle in radians"))
        if min(self.size) <= 0:
            raise ArgumentError(f"the size of a box is {list(self.size)}: all three numbers must be positive")

    @classmethod
    def step(cls, height: float, near: float, far: float, width: float = 2.0, x: float = 0.0) -> Box:
        """Return a step on the floor that begins at z = near and ends at z = far, m, its middle at x."""
        height, near, far, width, x = (
            number("a measure of a step", m, "metres") for m in (height, near, far, width, x)
        )
        if not near < far:
            raise ArgumentError(f"the step begins at z = {near:g} m and ends at {far:g} m: it must end farther on")
        return cls((x, height / 2, (near + far) / 2), (width, height, far - near))

    def axes(self) -> Array:
        """Return its axes in the world as rows, (3, 3): across, up and along its heading."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])

    def depth(self, points: Array, clearance: float = 0.0) -> tuple[Array, Array]:
        """Return how deep points (..., 3) are inside, (...), 0 outside, and the ways out (..., 3) of unit length.

        clearance: m by which the box is taken to be larger. Nobody leaves a box that stands on the floor downwards.
        """
        axes = self.axes()
        inner = (points - np.array(self.centre)) @ axes.T
        # what stands on the box is not to hover above it
        half = np.array(self.size) / 2 + clearance * np.array([1.0, _ABOVE, 1.0])
        # to the faces -x, +x, -y, +y, -z, +z
        distance = np.stack([half + inner, half - inner], axis=-1)
        if self.centre[1] - self.size[1] / 2 <= 0.0:
            distance[..., 1, 0] = np.where(distance[..., 1, 0] > 0, np.inf, distance[..., 1, 0])
        flat = distance.reshape(*inner.shape[:-1], 6)
        nearest = flat.argmin(axis=-1)
        depth = np.maximum(np.take_along_axis(flat, nearest[..., None], axis=-1)[..., 0], 0.0)
        ways = np.concatenate([np.stack([-axis, axis]) for axis in axes])
        return depth, ways[nearest]


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
        self.clearance = number(f"the clearance of {name}", clearance, "a distance of 0 m or more", least=0.0)
        self.box, self.name = box, name

    def cost(self, times: Array, positions: Array, velocities: Array) -> PointCost:
        """Return the squared depths."""
        depth, ways = self.box.depth(positions, self.clearance)
        return PointCost(depth**2, -2.0 * depth[:, :, None] * ways, np.zeros_like(positions))
