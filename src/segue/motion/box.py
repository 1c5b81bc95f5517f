"""Boxes that stand upright: steps, tables, walls."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from segue.checks import array, number, shown
from segue.errors import ArgumentError
from segue.typing import Array

LARGEST = 1e6
"""Metres from the origin that coordinates of the ground may have."""

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
            object.__setattr__(self, name, _triple(f"the {name} of a box", getattr(self, name)))
        object.__setattr__(
            self, "heading", number("the heading of a box", self.heading, needed="an angle in radians is needed")
        )
        if min(self.size) <= 0:
            raise ArgumentError(f"the size of a box is {list(self.size)}: all three numbers must be positive")

    @classmethod
    def step(cls, height: float, near: float, far: float, width: float = 2.0, x: float = 0.0) -> Box:
        """Return a step on the floor that begins at z = near and ends at z = far, m, its middle at x."""
        height, near, far, width, x = (metres("a measure of a step", m) for m in (height, near, far, width, x))
        if not near < far:
            raise ArgumentError(f"the step begins at z = {near:g} m and ends at {far:g} m: it must end farther on")
        return cls((x, height / 2, (near + far) / 2), (width, height, far - near))

    def axes(self) -> Array:
        """Return its axes in the world as rows, (3, 3): across, up and along its heading."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])

    @property
    def corners(self) -> Array:
        """Its corners, (2, 2, 2, 3) in m: from low to high across, up and along."""
        signs = np.stack(np.meshgrid([-0.5, 0.5], [-0.5, 0.5], [-0.5, 0.5], indexing="ij"), axis=-1)
        corners: Array = np.array(self.centre) + (signs * np.array(self.size)) @ self.axes()
        return corners

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


def metres(name: str, value: object) -> float:
    """Return a number of metres, at most a million away from the origin."""
    return number(
        name, value, least=-LARGEST, most=LARGEST, needed=f"a number of metres is needed, up to {LARGEST:,.0f}"
    )


def _triple(name: str, value: object) -> tuple[float, float, float]:
    needed = f"three numbers of metres are needed, up to {LARGEST:,.0f}"
    x, y, z = array(name, value, (3,), needed=needed).tolist()
    if max(abs(x), abs(y), abs(z)) > LARGEST:
        raise ArgumentError(f"{name} is {shown(value)}: {needed}")
    return x, y, z
