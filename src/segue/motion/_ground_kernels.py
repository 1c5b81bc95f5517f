"""Compiled ground and contacts: height and slope of the highest surface above a place, and whether points rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.anthropometry import STANDARD_GRAVITY
from segue.compiled import compiled
from segue.typing import Array, Flags, Ints

ASIDE = 0.03
"""Metres that a resting point may be in the side of a step, as captured toes are."""

_WAYS = 16  # directions in which the side of a step is looked for
_NEAR = 1e-5  # m to which its distance is known
_EDGE = 1e-9  # of a triangle: points on an edge belong to all triangles that share it


class Surface(NamedTuple):
    """A ground as kernels see it: a plane, and N triangles above it in a grid of cells.

    plane: (3,) height at the origin in m, and slopes along x and z. corners: (N, 3, 3) in m. grid: (4,) least x and z
    of the grid, and the size of a cell in m along x and z. cells: (2,) how many cells there are along x and z. start:
    (X * Z + 1,) where the triangles of each cell begin in `members`.
    """

    plane: Array
    corners: Array
    grid: Array
    cells: Ints
    start: Ints
    members: Ints


@compiled(seconds=1)
def surface_at(surface: Surface, x: float, z: float) -> tuple[float, float, float]:
    """Return the height of a surface above a place, in m, and its slopes dy/dx and dy/dz there.

    The highest of the plane and all triangles above or below the place counts. At the edge of a step both sides
    count, so that the height is that of the upper tread.
    """
    plane = surface.plane
    height, along_x, along_z = plane[0] + plane[1] * x + plane[2] * z, plane[1], plane[2]
    if len(surface.members) == 0:
        return height, along_x, along_z
    across = (x - surface.grid[0]) / surface.grid[2]
    along = (z - surface.grid[1]) / surface.grid[3]
    if not (0.0 <= across <= surface.cells[0] and 0.0 <= along <= surface.cells[1]):
        return height, along_x, along_z
    cell = min(int(across), surface.cells[0] - 1) * surface.cells[1] + min(int(along), surface.cells[1] - 1)
    for k in range(surface.start[cell], surface.start[cell + 1]):
        a, b, c = surface.corners[surface.members[k]]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        area = ux * vz - uz * vx
        px, pz = x - a[0], z - a[2]
        p, q = (px * vz - pz * vx) / area, (ux * pz - uz * px) / area
        if p >= -_EDGE and q >= -_EDGE and p + q <= 1.0 + _EDGE:
            own = a[1] + p * uy + q * vy
            if own > height:
                height, along_x, along_z = own, (uy * vz - uz * vy) / area, (ux * vy - uy * vx) / area
    return height, along_x, along_z


@compiled(seconds=1)
def ground_height(surface: Surface, x: float, z: float) -> float:
    """Return the height of a surface above a place, in m."""
    height: float = surface_at(surface, x, z)[0]
    return height


@compiled(seconds=1)
def height_beside(surface: Surface, x: float, y: float, z: float, aside: float) -> float:
    """Return the height in m of the ground under a point at rest, which may be in the side of a step by a little.

    aside: m by which it may. A toe that touches a riser is on the lower tread, not in the upper one.
    """
    height: float = ground_height(surface, x, z)
    if y > height - aside:
        return height
    lower: float = height
    for k in range(8):
        there = ground_height(surface, x + aside * np.cos(0.25 * np.pi * k), z + aside * np.sin(0.25 * np.pi * k))
        if there < lower and y > there - aside:
            lower = there
    return lower


@compiled(seconds=1)
def heights_under(surface: Surface, points: Array, aside: float) -> Array:
    """Return the heights (N,) of the ground under points (N, 3); see `height_beside`."""
    found = np.empty(len(points))
    for k in range(len(points)):
        found[k] = height_beside(surface, points[k, 0], points[k, 1], points[k, 2], aside)
    return found


@compiled(seconds=1)
def surface_over(surface: Surface, x: Array, z: Array) -> Array:
    """Return heights and slopes (N, 3) of a surface above places x and z, (N,)."""
    found = np.empty((len(x), 3))
    for k in range(len(x)):
        found[k, 0], found[k, 1], found[k, 2] = surface_at(surface, x[k], z[k])
    return found


@compiled(seconds=1)
def depths_below(surface: Surface, points: Array) -> tuple[Array, Array]:
    """Return how deep points (N, 3) are in the ground, (N,) m, and the ways out, (N, 3), along which depth decreases.

    The way out is up, or level to the side of a step where that is nearer.
    """
    depths, ways = np.zeros(len(points)), np.zeros((len(points), 3))
    for k in range(len(points)):
        x, y, z = points[k]
        height, along_x, along_z = surface_at(surface, x, z)
        depth = height - y
        if depth <= 0.0:
            continue
        way = np.array([-along_x, 1.0, -along_z])
        for n in range(_WAYS):
            across, along = np.cos(2.0 * np.pi * n / _WAYS), np.sin(2.0 * np.pi * n / _WAYS)
            inside, outside = 0.0, depth
            if ground_height(surface, x + outside * across, z + outside * along) > y:
                continue
            while outside - inside > _NEAR:
                middle = 0.5 * (inside + outside)
                if ground_height(surface, x + middle * across, z + middle * along) > y:
                    inside = middle
                else:
                    outside = middle
            depth = outside
            way[0], way[1], way[2] = across, 0.0, along
        depths[k], ways[k] = depth, way
    return depths, ways


# In free fall the middle of a window is above the mean of its ends by g t^2 / 8: half of that is near enough.
_SAG = 0.5 * STANDARD_GRAVITY / 8.0


class Rest(NamedTuple):
    """A point rests if it stays in a box with sides of `box` metres for `seconds`."""

    seconds: float
    box: float


@compiled(seconds=1, inline=True)
def rests(times: Array, path: Array, first: int, last: int, rest: Rest) -> bool:
    """Return whether a path (T, 3) in m, Y up, rests from sample `first` to `last`; times: (T,) s.

    In a window that is shorter than `rest.seconds` the path must keep to a box that is smaller in proportion.
    """
    span: float = times[last] - times[first]
    box = rest.box * min(span / rest.seconds, 1.0)
    for i in range(3):
        low = high = path[first, i]
        for t in range(first + 1, last + 1):
            low, high = min(low, path[t, i]), max(high, path[t, i])
        if not high - low <= box:
            return False
    sag = path[(first + last) // 2, 1] - 0.5 * (path[first, 1] + path[last, 1])
    falls: bool = sag >= _SAG * span**2
    return span > 0 and not falls


@compiled(seconds=1)
def resting_frames(times: Array, tracks: Array, span: int, rest: Rest) -> Flags:
    """Return (P, T) whether points (P, T, 3) are in some window of `span` + 1 frames in which they rest."""
    flags = np.zeros(tracks.shape[:2], dtype=np.bool_)
    for p in range(len(tracks)):
        covered = 0
        for first in range(tracks.shape[1] - span):
            if rests(times, tracks[p], first, first + span, rest):
                flags[p, max(first, covered) : first + span + 1] = True
                covered = first + span + 1
    return flags
