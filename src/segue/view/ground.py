"""The ground in pictures: faces of steps, slopes and meshes, and their edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.typing import Array

_AROUND = 0.8  # m of a slope around the figures
COLOURS = np.array([[0.86, 0.84, 0.80], [0.45, 0.44, 0.42]])
"""Colours of faces and of edges."""


class Facets(NamedTuple):
    """The drawing of a ground: corners of triangles (N, 3, 3), edges (E, 2, 3), and the height of the floor, in m."""

    corners: Array
    edges: Array
    floor: float

    def moved(self, by: Array) -> Facets:
        """Return the same moved by (3,) m."""
        return Facets(self.corners + by, self.edges + by, self.floor + float(by[1]))


def ground_under(motion: Motion, ground: Ground | str | None) -> Ground | None:
    """Return the ground to be drawn under a motion: as given, or as found for "auto"; None for a floor at 0."""
    if isinstance(ground, Ground):
        return ground
    return None if ground is None or motion.ground.is_flat else motion.ground


def facets_of(ground: Ground, places: Array) -> Facets:
    """Return what is drawn of a ground around places (N, 3) in m.

    A slope is a rectangle around the places that rises from the floor.
    """
    corners = ground.faces.vertices[ground.faces.triangles]
    height, along_x, along_z = ground.plane
    if along_x == 0.0 and along_z == 0.0:
        return Facets(corners, ground.edges, height)
    low, high = places[:, [0, 2]].min(axis=0) - _AROUND, places[:, [0, 2]].max(axis=0) + _AROUND
    square = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    plane = np.stack([square[:, 0], height + square @ np.array([along_x, along_z]), square[:, 1]], axis=1)
    return Facets(
        np.concatenate([corners, plane[[[0, 1, 2], [0, 2, 3]]]]),
        np.concatenate([ground.edges, np.stack([plane, np.roll(plane, -1, axis=0)], axis=1)]),
        float(plane[:, 1].min()),
    )
