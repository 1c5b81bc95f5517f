"""Cameras: viewpoint of a picture, and the rays of its pixels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError
from segue.typing import Array

MARGINS = (0.04, 0.12, 0.08)
"""The margin of pictures above, at either side and below what they show: room for shadows to end in."""


class Rays(NamedTuple):
    """The ray of pixel (row i, column j): from origin + i * origin_down + j * origin_right, along the directions alike.

    All are (3,) arrays in metres; the directions are not of unit length.
    """

    origin: Array
    origin_down: Array
    origin_right: Array
    direction: Array
    direction_down: Array
    direction_right: Array


@dataclass(frozen=True)
class Camera:
    """A viewpoint. Azimuth 0 is in front of a figure that faces +Z, azimuth 90 degrees is its left side (+X).

    elevation_deg: above the floor. distance: metres from the middle of what is seen, None for parallel rays.
    """

    azimuth_deg: float = 0.0
    elevation_deg: float = 12.0
    distance: float | None = 9.0

    def __post_init__(self) -> None:
        if not -89.0 <= self.elevation_deg <= 90.0:
            raise ArgumentError(f"the camera's elevation is {self.elevation_deg}: it must be from -89 to 90 degrees")
        if self.distance is not None and not self.distance > 0:
            raise ArgumentError(f"the camera's distance is {self.distance}: it must be a positive number of metres")

    @property
    def axes(self) -> Array:
        """Rows right, up and forward of the camera in the world, (3, 3)."""
        azimuth, elevation = np.radians([self.azimuth_deg, self.elevation_deg])
        sin, cos = np.sin(azimuth), np.cos(azimuth)
        right = np.array([cos, 0.0, -sin])
        forward = -np.array([np.cos(elevation) * sin, np.sin(elevation), np.cos(elevation) * cos])
        return np.stack([right, np.cross(right, forward), forward])

    def framing(self, centres: Array, radii: Array, height: int, margins: tuple[float, float, float] = MARGINS) -> View:
        """Return the view, `height` pixels high, that just holds spheres at centres (N, 3).

        margins: above, at either side and below, as parts of the height of what is held.
        """
        view, low, high = self._held(centres, radii, margins)
        scale = float(height / (high[1] - low[1]))
        width = int(np.ceil((high[0] - low[0]) * scale))
        return View(self, view.target, scale, (float(low[0]), float(high[1])), (width, height))

    def fitting(
        self, centres: Array, radii: Array, size: tuple[int, int], margins: tuple[float, float, float] = MARGINS
    ) -> View:
        """Return the view of some width and height in pixels that holds spheres as large as it can, as for `framing`.

        Spare width is split between both sides, spare height is at the top.
        """
        view, low, high = self._held(centres, radii, margins)
        scale = float(min(np.array(size) / (high - low)))
        left = 0.5 * (low[0] + high[0]) - 0.5 * size[0] / scale
        return View(self, view.target, scale, (float(left), float(low[1] + size[1] / scale)), size)

    def _held(self, centres: Array, radii: Array, margins: tuple[float, float, float]) -> tuple[View, Array, Array]:
        """Return a view of unit scale, and the least and greatest (right, up) in metres that a picture must hold."""
        view = View(self, centres.mean(axis=0), 1.0)
        low, high = view.bounds(centres, radii)
        above, beside, below = np.array(margins) * (high[1] - low[1])
        return view, low - np.array([beside, below]), high + np.array([beside, above])


@dataclass(frozen=True, eq=False)
class View:
    """A camera with its picture: the plane through the target, `scale` pixels a metre.

    corner: of the picture's upper left in that plane, metres right and up of the target. size: width, height in pixels.
    """

    camera: Camera
    target: Array
    scale: float
    corner: tuple[float, float] = (0.0, 0.0)
    size: tuple[int, int] = field(default=(1, 1))

    def moved(self, shift: Array) -> View:
        """Return the same view from a camera moved by (3,) metres."""
        return View(self.camera, self.target + shift, self.scale, self.corner, self.size)

    def enlarged(self, times: int) -> View:
        """Return the same view with more pixels, each way by a factor."""
        width, height = self.size
        return View(self.camera, self.target, self.scale * times, self.corner, (width * times, height * times))

    def on_plane(self, points: Array) -> tuple[Array, Array]:
        """Return where points (N, 3) appear, (N, 2) metres right and up of the target, and their magnification (N,)."""
        seen = (points - self.target) @ self.camera.axes.T
        if self.camera.distance is None:
            return seen[:, :2], np.ones(len(points))
        depth = self.camera.distance + seen[:, 2]
        if len(points) and depth.min() < 0.05 * self.camera.distance:
            raise ArgumentError(
                f"the camera's distance is {self.camera.distance:g} m, too near: something is at or behind the lens, "
                f"use at least {1.5 * (self.camera.distance - depth.min()):.1f} m or None"
            )
        larger = self.camera.distance / depth
        return seen[:, :2] * larger[:, None], larger

    def bounds(self, centres: Array, radii: Array) -> tuple[Array, Array]:
        """Return the least and greatest (right, up) in metres that spheres reach, a little generously."""
        places, larger = self.on_plane(centres)
        reach = (1.1 * radii * larger)[:, None]
        return (places - reach).min(axis=0), (places + reach).max(axis=0)

    def pixels(self, points: Array) -> Array:
        """Return where points (N, 3) appear, (N, 2) column and row in pixels."""
        places, _ = self.on_plane(points)
        pixels: Array = (places - np.array(self.corner)) * np.array([self.scale, -self.scale])
        return pixels

    def boxes(self, centres: Array, radii: Array) -> npt.NDArray[np.int64]:
        """Return pixel boxes (N, 4) that hold spheres: first and last column and row, inside the picture."""
        places, larger = self.on_plane(centres)
        middle = (places - np.array(self.corner)) * np.array([self.scale, -self.scale])
        reach = 1.1 * self.scale * radii * larger + 1.0
        width, height = self.size
        return np.stack(
            [
                np.clip(np.floor(middle[:, 0] - reach), 0, width - 1),
                np.clip(np.ceil(middle[:, 0] + reach), 0, width - 1),
                np.clip(np.floor(middle[:, 1] - reach), 0, height - 1),
                np.clip(np.ceil(middle[:, 1] + reach), 0, height - 1),
            ],
            axis=1,
        ).astype(np.int64)

    def rays(self) -> Rays:
        """Return the rays of the picture's pixels, through their middles."""
        right, up, forward = self.camera.axes
        first = self.target + right * (self.corner[0] + 0.5 / self.scale) + up * (self.corner[1] - 0.5 / self.scale)
        down, along = -up / self.scale, right / self.scale
        zero = np.zeros(3)
        if self.camera.distance is None:
            # from far enough behind that nothing lies before the start of a ray
            return Rays(first - 1000.0 * forward, down, along, forward, zero, zero)
        eye = self.target - self.camera.distance * forward
        return Rays(eye, zero, zero, first - eye, down, along)
