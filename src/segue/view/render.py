"""Solids to pixels: a small software renderer with true occlusion, soft light and soft contact shadows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.typing import Array, Ints
from segue.view._raster_kernels import (
    Buffers,
    cast_boxes,
    cast_capsules,
    cast_ellipsoids,
    cast_triangles,
    empty_buffers,
)
from segue.view._shading_kernels import Floor, Lighting, shade, sky_hidden
from segue.view.camera import View
from segue.view.character import MeshTriangles
from segue.view.flesh import COLOURS, Facets, Solids

Image = npt.NDArray[np.uint8]
"""A picture: (H, W, 3), red, green, blue."""


@dataclass(frozen=True)
class Look:
    """Look of a scene. Colours are red, green, blue from 0 to 1, lengths in metres.

    grid: distance of the floor's lines, None for a plain floor. fade: distance from the figures at which the floor
    fades out. border: share of the picture's height over which it fades out at the sides and at the bottom. samples:
    rays across a pixel, each way.
    """

    background: tuple[float, float, float] = (1.0, 1.0, 1.0)
    floor: tuple[float, float, float] = (0.925, 0.93, 0.935)
    line: tuple[float, float, float] = (0.80, 0.81, 0.825)
    ink: tuple[float, float, float] = (0.10, 0.11, 0.14)
    grid: float | None = 0.5
    fade: float = 1.1
    border: float = 0.0
    samples: int = 2


_LIGHT = np.array([-0.45, 0.75, -0.55])  # to the light, along the camera's right, up and forward axes
_LINE_WIDTH = 0.008  # metres
_SHADE_STEP = 0.02  # metres between samples of the floor's shade
_SHADE_REACH = 0.9  # metres from which a figure still shades the floor
_DEEPEST_SHADE = 0.62
_LEAST_SEEN = 0.03  # radius over height from which a sphere shades the floor visibly: fingers do near it alone
_NEARER = 1.5  # times as large as at its middle a face may be seen
_EDGE = 0.004  # metres, radius of the ground's edges
_LOW = 0.3  # metres: what is lower than this stands on the floor


@dataclass(frozen=True, eq=False)
class Blocks:
    """Boxes in the world: centres, half sizes (N, 3) in m, axes (N, 3, 3) in rows; owners (N,) as `Solids`."""

    centres: Array
    halves: Array
    axes: Array
    owners: Ints


def render(
    solids: Solids,
    colours: Array,
    view: View,
    look: Look | None = None,
    stage: tuple[float, ...] | None = None,
    blocks: Blocks | None = None,
    facets: Facets | None = None,
    mesh: MeshTriangles | None = None,
) -> Image:
    """Return the picture of solids, each in its owner's colour (owners, 3), on the floor y = 0.

    stage: least x and z, greatest x and z of the floor that does not fade; under the solids if None. blocks: boxes in
    the scene. facets: the ground that stands on the floor. mesh: drawn instead of the solids, which still shade the
    floor.
    """
    look = Look() if look is None else look
    fine = view.enlarged(look.samples)
    light = _LIGHT @ view.camera.axes
    lighting = Lighting(light / np.linalg.norm(light), np.array(look.background), np.array(look.ink))
    floor = _floor(solids, look, look.border * fine.size[1], stage)
    if mesh is None:
        seen = _cast(solids, fine)
    else:
        seen = empty_buffers(fine.size[1], fine.size[0])
        _cast_triangles(mesh.corners, mesh.normals, len(colours) + np.arange(len(mesh.corners)), fine, seen)
        colours = np.concatenate([colours, mesh.colours])
    if blocks is not None:
        cast_boxes(fine.rays(), blocks.centres, blocks.halves, blocks.axes, blocks.owners, seen)
    if facets is not None:
        _cast_ground(facets, len(colours), fine, seen)
        colours = np.concatenate([colours, COLOURS])
    picture: Array = shade(fine.rays(), seen, colours, floor, lighting, look.samples)
    return np.round(255 * np.clip(picture, 0.0, 1.0)).astype(np.uint8)


def _cast_ground(facets: Facets, owner: int, view: View, seen: Buffers) -> None:
    """Write what of a ground is seen; its faces have one owner, and its edges the next."""
    a, b, c = (facets.corners[:, k] for k in range(3))
    normals = np.repeat(np.cross(b - a, c - a)[:, None], 3, axis=1)
    _cast_triangles(facets.corners, normals, np.full(len(normals), owner), view, seen)
    starts, stops = (np.ascontiguousarray(facets.edges[:, k]) for k in (0, 1))
    middles, reach = 0.5 * (starts + stops), 0.5 * np.linalg.norm(stops - starts, axis=1) + _EDGE
    owners, radii = np.full(len(starts), owner + 1, np.int64), np.full((len(starts), 2), _EDGE)
    cast_capsules(view.rays(), starts, stops, radii, owners, view.boxes(middles, reach), seen)


def _cast_triangles(corners: Array, normals: Array, owners: Ints, view: View, seen: Buffers) -> None:
    middles = corners.mean(axis=1)
    # the near corner of a large face is seen larger than its middle
    reach = _NEARER * np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1)
    boxes = view.boxes(middles, reach)
    cast_triangles(view.rays(), np.ascontiguousarray(corners), np.ascontiguousarray(normals), owners, boxes, seen)


def _cast(solids: Solids, view: View) -> Buffers:
    width, height = view.size
    seen: Buffers = empty_buffers(height, width)
    rays = view.rays()
    capsules = len(solids.starts)
    first = view.boxes(solids.starts, solids.radii[:, 0])
    last = view.boxes(solids.stops, solids.radii[:, 1])
    boxes = np.where([True, False, True, False], np.minimum(first, last), np.maximum(first, last))
    cast_capsules(rays, solids.starts, solids.stops, solids.radii, solids.owners[:capsules], boxes, seen)
    boxes = view.boxes(solids.centres, solids.spans)
    cast_ellipsoids(rays, solids.centres, solids.shapes, solids.owners[capsules:], boxes, seen)
    return seen


def _floor(solids: Solids, look: Look, border: float, stage: tuple[float, ...] | None) -> Floor:
    centres, radii = _shading_spheres(solids)
    ground = centres[:, [0, 2]]
    # samples at the same places whatever is drawn: in an animation, shades then do not flicker
    low = _SHADE_STEP * np.floor((ground.min(axis=0) - _SHADE_REACH) / _SHADE_STEP)
    high = ground.max(axis=0) + _SHADE_REACH
    xs, zs = (np.arange(a, b, _SHADE_STEP) for a, b in zip(low, high, strict=True))
    standing = ground[centres[:, 1] <= max(_LOW, centres[:, 1].min())]
    box = np.concatenate([standing.min(axis=0), standing.max(axis=0)]) if stage is None else np.array(stage)
    return Floor(
        colour=np.array(look.floor),
        line=np.array(look.line),
        grid=look.grid or 0.0,
        line_width=_LINE_WIDTH,
        fade=look.fade,
        box=box,
        bright=1.0 - _DEEPEST_SHADE * np.tanh(sky_hidden(xs, zs, centres, radii, _SHADE_REACH)),
        corner=low,
        step=_SHADE_STEP,
        border=border,
    )


def _shading_spheres(solids: Solids) -> tuple[Array, Array]:
    """Return spheres (N, 3), (N,) that hide about as much of the sky as the solids; three to a capsule overlap."""
    shares = np.array([0.1, 0.5, 0.9])[:, None, None]
    centres = (1 - shares) * solids.starts + shares * solids.stops
    radii = (1 - shares[..., 0]) * solids.radii[:, 0] + shares[..., 0] * solids.radii[:, 1]
    bulk = np.linalg.det(solids.shapes) ** (-1 / 3)
    places = np.concatenate([centres.reshape(-1, 3), solids.centres])
    sizes = np.concatenate([0.75 * radii.ravel(), bulk])
    felt = sizes >= _LEAST_SEEN * places[:, 1]
    felt[places[:, 1].argmin()] = True
    return places[felt], sizes[felt]
