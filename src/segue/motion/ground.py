"""The ground that bodies stand on: level, sloping, with boxes and stairs, or any mesh of triangles.

A ground has one height above every place on the floor, that of its highest surface there. Y is up, lengths are in m.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from segue.checks import array, integer, number, positive
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion._ground_kernels import ASIDE, Surface, depths_below, heights_under, surface_over
from segue.motion.box import LARGEST, Box, metres
from segue.motion.functions import Placement
from segue.typing import Array, Ints

if TYPE_CHECKING:
    from segue.motion.motion import Motion

_WALL = 1e-3  # upward part of a triangle's unit normal below which nothing can stand on it
_FOLD = math.cos(math.radians(20.0))  # between normals of faces whose common edge is drawn
_MOST_CELLS = 256  # along x or z, of the grid in which triangles are looked up
MOST_STEPS = 1000
"""Steps that one flight of stairs may have."""

AUTO = "auto"
"""The ground is found under the motion."""


class Mesh(NamedTuple):
    """Faces of a ground: vertices (V, 3) in m, and for each triangle its three vertices (N, 3)."""

    vertices: Array
    triangles: Ints


_NO_FACES = Mesh(np.zeros((0, 3)), np.zeros((0, 3), np.int64))


class Ground:
    """A surface that feet can stand on: a plane, and a mesh that rises above it.

    Made by `flat`, `slope`, `boxes`, `stairs`, `mesh` or `find`. plane: height at the origin in m, and slopes dy/dx and
    dy/dz. faces: all surfaces but the plane, walls among them. found: whether the ground was found under a motion
    whose feet it explains, rather than given. is_flat: whether the ground is level and has nothing on it.
    """

    def __init__(
        self, plane: tuple[float, float, float] = (0.0, 0.0, 0.0), faces: Mesh | None = None, *, found: bool = False
    ) -> None:
        self.plane = plane
        self.faces = faces or _NO_FACES
        self.found = found
        self.is_flat = plane[1:] == (0.0, 0.0) and len(self.faces.triangles) == 0

    @classmethod
    def flat(cls, height: float = 0.0) -> Ground:
        """Return a level ground at a height in m."""
        return cls((metres("the height of the ground", height), 0.0, 0.0))

    @classmethod
    def slope(cls, angle: float, heading: float = 0.0, height: float = 0.0) -> Ground:
        """Return a plane that rises by an angle in rad towards a heading, and has a height in m at the origin.

        heading: rad about the vertical, 0 is +Z and pi/2 is +X.
        """
        steepest = math.radians(89.0)
        rise = math.tan(
            number("the angle of a slope", angle, least=-steepest, most=steepest, needed="89 degrees are the most")
        )
        heading = number("the heading of a slope", heading, unit="radians")
        height = metres("the height of a slope", height)
        return cls((height, rise * math.sin(heading), rise * math.cos(heading)))

    @classmethod
    def boxes(cls, boxes: Iterable[Box], height: float = 0.0) -> Ground:
        """Return boxes that stand on a level ground at a height in m."""
        listed = list(boxes)
        for box in listed:
            if not isinstance(box, Box):
                raise ArgumentError(f"a ground is made of boxes, not of {box!r}")
        return cls.flat(height) if not listed else cls(cls.flat(height).plane, _mesh_of(listed))

    @classmethod
    def stairs(
        cls,
        steps: int,
        rise: float = 0.17,
        depth: float = 0.29,
        width: float = 2.0,
        *,
        at: tuple[float, float] = (0.0, 0.0),
        heading: float = 0.0,
        height: float = 0.0,
    ) -> Ground:
        """Return a flight of steps on a level ground at a height in m; see `stair_boxes`."""
        return cls.boxes(stair_boxes(steps, rise, depth, width, at=at, heading=heading, height=height), height)

    @classmethod
    def mesh(cls, vertices: npt.ArrayLike, triangles: npt.ArrayLike, height: float = 0.0) -> Ground:
        """Return a mesh that stands on a level ground at a height in m.

        vertices: (V, 3) in m, Y up. triangles: (N, 3) indices of vertices, in any order of rotation.
        """
        points = array("the vertices of a mesh", vertices, ("vertices", 3))
        if len(points) and np.abs(points).max() > LARGEST:
            raise ArgumentError(
                f"a vertex is {np.abs(points).max():g} m from the origin: {LARGEST:,.0f} m are the most"
            )
        corners = np.asarray(triangles)
        if corners.ndim != 2 or corners.shape[1] != 3 or not np.issubdtype(corners.dtype, np.integer):
            raise ArgumentError(f"the triangles of a mesh have shape {corners.shape}: (N, 3) whole numbers are needed")
        if len(corners) and not (corners.min() >= 0 and corners.max() < len(points)):
            worst = corners.max() if corners.max() >= len(points) else corners.min()
            raise ArgumentError(f"a triangle has vertex {worst}: there are vertices 0 to {len(points) - 1}")
        return cls(cls.flat(height).plane, Mesh(points, corners.astype(np.int64)))

    @classmethod
    def find(cls, motion: Motion) -> Ground:
        """Return the ground under the feet of a motion: level, sloping, or treads at several heights."""
        from segue.motion.ground_find import find_ground

        return find_ground(motion)

    def __repr__(self) -> str:
        height, along_x, along_z = self.plane
        if along_x or along_z:
            angle, heading = math.atan(math.hypot(along_x, along_z)), math.atan2(along_x, along_z)
            base = f"slope of {math.degrees(angle):.1f} degrees towards {math.degrees(heading):.0f}"
        else:
            base = f"level at {height:g} m"
        faces = f", {len(self.faces.triangles)} triangles" if len(self.faces.triangles) else ""
        return f"Ground({base}{faces})"

    def height(self, x: npt.ArrayLike, z: npt.ArrayLike) -> Array:
        """Return the heights in m above places x and z, arrays of one shape."""
        if self.is_flat:
            return np.full(np.broadcast_shapes(np.shape(x), np.shape(z)), self.plane[0])
        return self._over(x, z)[..., 0]

    def normal(self, x: npt.ArrayLike, z: npt.ArrayLike) -> Array:
        """Return the upward unit normals (..., 3) of the ground above places x and z, arrays of one shape."""
        found = self._over(x, z)
        normal = np.stack([-found[..., 1], np.ones(found.shape[:-1]), -found[..., 2]], axis=-1)
        return quaternion.directions(normal)

    def under(self, points: Array) -> Array:
        """Return the height in m of the ground under points (..., 3), (...).

        It is that of `height`, but a point that is in the side of a step by less than 3 cm is above the lower tread.
        """
        if self.is_flat:
            return np.full(points.shape[:-1], self.plane[0])
        heights: Array = heights_under(self.surface, np.ascontiguousarray(points).reshape(-1, 3), ASIDE)
        return heights.reshape(points.shape[:-1])

    def above(self, points: Array) -> Array:
        """Return by how much points (..., 3) are above the ground under them, (...) in m."""
        over: Array = points[..., 1] - (self.plane[0] if self.is_flat else self.under(points))
        return over

    def depth(self, points: Array) -> tuple[Array, Array]:
        """Return how deep points (..., 3) are in the ground, (...) in m, and the ways out of it, (..., 3).

        Depth decreases along a way: up, or level to the side of a step where that is nearer. Zero above the ground.
        """
        depths, ways = depths_below(self.surface, np.ascontiguousarray(points).reshape(-1, 3))
        return depths.reshape(points.shape[:-1]), ways.reshape(points.shape)

    def _over(self, x: npt.ArrayLike, z: npt.ArrayLike) -> Array:
        across, along = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(z, dtype=float))
        found = surface_over(self.surface, np.ascontiguousarray(across).ravel(), np.ascontiguousarray(along).ravel())
        heights: Array = found.reshape(*across.shape, 3)
        return heights

    @cached_property
    def surface(self) -> Surface:
        """The ground as compiled functions take it: see `_ground_kernels.ground_height`."""
        corners = self.faces.vertices[self.faces.triangles]
        normals = _normals(corners)
        corners = np.ascontiguousarray(corners[np.abs(normals[:, 1]) > _WALL])
        if not len(corners):
            nothing = np.zeros(0, np.int64)
            return Surface(
                np.array(self.plane),
                np.zeros((0, 3, 3)),
                np.array([0.0, 0.0, 1.0, 1.0]),
                np.ones(2, np.int64),
                np.zeros(2, np.int64),
                nothing,
            )
        low, high = corners[:, :, [0, 2]].min(axis=(0, 1)), corners[:, :, [0, 2]].max(axis=(0, 1))
        count = np.full(2, int(np.clip(math.sqrt(len(corners)), 1, _MOST_CELLS)))
        size = (high - low) / count
        margin = 1e-6 * size  # a place on the border of a cell may be rounded into the next
        least = np.clip((corners[:, :, [0, 2]].min(axis=1) - low - margin) // size, 0, count - 1).astype(int)
        most = np.clip((corners[:, :, [0, 2]].max(axis=1) - low + margin) // size, 0, count - 1).astype(int)
        held: list[list[int]] = [[] for _ in range(int(count.prod()))]
        for n, (first, last) in enumerate(zip(least.tolist(), most.tolist(), strict=True)):
            for i in range(first[0], last[0] + 1):
                for j in range(first[1], last[1] + 1):
                    held[i * int(count[1]) + j].append(n)
        return Surface(
            np.array(self.plane),
            corners,
            np.concatenate([low, size]),
            count.astype(np.int64),
            np.cumsum([0, *map(len, held)], dtype=np.int64),
            np.array([n for cell in held for n in cell], np.int64),
        )

    @cached_property
    def edges(self) -> Array:
        """Edges of the faces to be drawn, (E, 2, 3) in m: borders, and where two faces meet at an angle."""
        triangles = self.faces.triangles
        if not len(triangles):
            return np.zeros((0, 2, 3))
        normals = _normals(self.faces.vertices[triangles])
        met: dict[tuple[int, int], list[int]] = {}
        for n, corners in enumerate(triangles.tolist()):
            for a, b in ((0, 1), (1, 2), (2, 0)):
                met.setdefault((min(corners[a], corners[b]), max(corners[a], corners[b])), []).append(n)
        drawn = [
            edge for edge, faces in met.items() if len(faces) != 2 or abs(normals[faces[0]] @ normals[faces[1]]) < _FOLD
        ]
        return self.faces.vertices[np.array(drawn, np.int64).reshape(-1, 2)]

    def moved(self, placement: Placement) -> Ground:
        """Return the ground moved as a motion is: scaled, turned about the vertical, moved, and raised."""
        height, along_x, along_z = self.plane
        # a turn carries the direction of a slope along, and the height at the origin follows from where that goes
        x, z = placement._replace(scale=1.0).turned(along_x, along_z)
        base = placement.scale * height + placement.rise - x * placement.x - z * placement.z
        faces = self.faces
        if len(faces.vertices):
            faces = Mesh(placement.moved(faces.vertices), faces.triangles)
        return Ground((base, x, z), faces, found=self.found)

    def joined(self, other: Ground) -> Ground:
        """Return this ground with all that stands on another; this one's plane lies under both."""
        count = len(self.faces.vertices)
        faces = Mesh(
            np.concatenate([self.faces.vertices, other.faces.vertices]),
            np.concatenate([self.faces.triangles, other.faces.triangles + count]),
        )
        return Ground(self.plane, faces, found=self.found and other.found)


def checked_ground(ground: object) -> Ground | str | None:
    """Return a ground as users give it: a `Ground`, a height in m, "auto" or None."""
    if ground is None or isinstance(ground, Ground) or (isinstance(ground, str) and ground == AUTO):
        return ground
    return Ground.flat(number("the ground", ground, needed='a Ground, a height in metres or "auto" is needed'))


def uneven(ground: Ground) -> Ground | None:
    """Return a ground that is not level; None where it is: feet show its height better."""
    return None if ground.is_flat else ground


def stair_boxes(
    steps: int,
    rise: float = 0.17,
    depth: float = 0.29,
    width: float = 2.0,
    *,
    at: tuple[float, float] = (0.0, 0.0),
    heading: float = 0.0,
    height: float = 0.0,
) -> list[Box]:
    """Return a flight of steps as boxes, the lowest first.

    rise, depth, width: of each step in m. at: x and z of the middle of the lowest step's front edge. heading: where the
    flight goes up, rad about the vertical, 0 is +Z. height: of the ground that it stands on, m.
    """
    steps = integer("the number of steps", steps, least=1, most=MOST_STEPS)
    rise, depth, width = (
        positive(f"the {name} of stairs", value, "metres")
        for name, value in (("rise", rise), ("depth", depth), ("width", width))
    )
    x, z = array("the place of stairs", at, (2,), needed="two numbers of metres, x and z, are needed").tolist()
    heading, height = number("the heading of stairs", heading, unit="radians"), metres("the height of stairs", height)
    forward = np.array([math.sin(heading), 0.0, math.cos(heading)])
    found = []
    for k in range(steps):
        high = rise * (k + 1)
        middle = np.array([x, height + high / 2, z]) + (k + 0.5) * depth * forward
        found.append(Box(tuple(middle.tolist()), (width, high, depth), heading))
    return found


def _mesh_of(boxes: list[Box]) -> Mesh:
    """Return the faces of boxes, without their bottoms."""
    # corners by 4 * across + 2 * up + along
    quads = [(2, 3, 7, 6), (0, 1, 3, 2), (4, 6, 7, 5), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    vertices = np.concatenate([box.corners.reshape(8, 3) for box in boxes])
    return Mesh(vertices, np.concatenate([triangles + 8 * k for k in range(len(boxes))]))


def _normals(corners: Array) -> Array:
    """Return unit normals (N, 3) of triangles (N, 3, 3); zero where a triangle has no area."""
    crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(crossed, axis=1, keepdims=True)
    normals: Array = np.divide(crossed, length, out=np.zeros_like(crossed), where=length > 0)
    return normals
