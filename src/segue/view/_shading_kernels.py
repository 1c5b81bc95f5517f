"""Compiled shading: what each ray brings back from figures and floor, gathered into pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.compiled import compiled
from segue.typing import Array
from segue.view._raster_kernels import Buffers, line, ray
from segue.view.camera import Rays


class Floor(NamedTuple):
    """The floor y = 0: its colours, its lines, and how bright the sky leaves it.

    colour, line: (3,). grid: metres between lines, 0 for none. line_width, fade in m. box: least x, least z, greatest
    x, greatest z of what stands on it. bright: (Z, X) samples of the floor's brightness, `step` metres apart, the first
    at corner (x, z). border: rows and columns at the picture's sides and foot over which the floor is lost too.
    """

    colour: Array
    line: Array
    grid: float
    line_width: float
    fade: float
    box: Array
    bright: Array
    corner: Array
    step: float
    border: float


class Lighting(NamedTuple):
    """Unit vector to the light (3,), and the colours (3,) of the background and of outlines."""

    light: Array
    background: Array
    ink: Array


_JUMP = 0.05  # metres in depth between neighbouring pixels at which a nearer shape is outlined
_OUTLINE = 0.45
_LEVEL = 1e-6  # a ray that falls less than this per metre does not meet the floor


@compiled(seconds=2, fast_math=True)
def sky_hidden(xs: Array, zs: Array, centres: Array, radii: Array, reach: float) -> Array:
    """Return how much of the sky spheres hide from points of the floor, (Z, X): the sum of each one's share.

    A sphere of radius r, seen at the distance d and the height angle e, hides sin(e) r^2 / d^2 of the light that a
    uniform sky sends to the floor. Spheres further away than `reach` do not count.
    """
    hidden = np.zeros((zs.shape[0], xs.shape[0]))
    for n in range(centres.shape[0]):
        height = max(centres[n, 1], radii[n])
        for a in range(zs.shape[0]):
            dz = zs[a] - centres[n, 2]
            if abs(dz) > reach:
                continue
            for b in range(xs.shape[0]):
                dx = xs[b] - centres[n, 0]
                if abs(dx) <= reach:
                    apart = dx * dx + dz * dz + height * height
                    hidden[a, b] += height * radii[n] ** 2 / (apart * np.sqrt(apart))
    return hidden


@compiled(seconds=1, inline=True)
def _far_from_box(floor: Floor, x: float, z: float) -> float:
    """Return how far a place lies from what stands on the floor, 1 where nothing of the floor is seen any more."""
    aside = max(floor.box[0] - x, x - floor.box[2], 0.0)
    ahead = max(floor.box[1] - z, z - floor.box[3], 0.0)
    return min(float(np.sqrt(aside * aside + ahead * ahead)) / floor.fade, 1.0)


@compiled(seconds=1, inline=True)
def _floor_colour(floor: Floor, background: Array, away: float, x: float, z: float, out: Array) -> None:
    """Write the floor's colour at a place: lines, shade, and the fade into the background, `away` from 0 to 1."""
    away = away * away * (3.0 - 2.0 * away)
    on_line = False
    if floor.grid > 0:
        for place in (x, z):
            cells = place / floor.grid
            on_line = on_line or abs(cells - np.floor(cells + 0.5)) * floor.grid < floor.line_width / 2
    row, column = (z - floor.corner[1]) / floor.step, (x - floor.corner[0]) / floor.step
    bright = 1.0
    if 0 <= row < floor.bright.shape[0] - 1 and 0 <= column < floor.bright.shape[1] - 1:
        i, j = int(row), int(column)
        a, b = row - i, column - j
        near = (1 - b) * floor.bright[i, j] + b * floor.bright[i, j + 1]
        bright = (1 - a) * near + a * ((1 - b) * floor.bright[i + 1, j] + b * floor.bright[i + 1, j + 1])
    for k in range(3):
        colour = floor.line[k] if on_line else floor.colour[k]
        out[k] = (1 - away) * bright * colour + away * background[k]


@compiled(seconds=1, inline=True)
def _body_colour(normal: Array, colour: Array, direction: Array, light: Array, out: Array) -> None:
    """Write a lit colour: a soft main light, a sky brighter above than below, a faint gloss, and darker rims."""
    facing = 0.0
    towards = 0.0
    half = 0.0
    length = 0.0
    for k in range(3):
        facing -= normal[k] * direction[k]
        towards += normal[k] * light[k]
        half += normal[k] * (light[k] - direction[k])
        length += (light[k] - direction[k]) ** 2
    facing = min(max(facing, 0.0), 1.0)
    strength = 0.30 + 0.14 * (1.0 + normal[1]) + 0.62 * min(max((towards + 0.25) / 1.25, 0.0), 1.0)
    strength *= 0.72 + 0.28 * facing**0.6
    gloss = 0.14 * max(half / np.sqrt(length), 0.0) ** 40
    for k in range(3):
        out[k] = colour[k] * strength + gloss


@compiled(seconds=1, inline=True)
def _outlined(depth: Array, i: int, j: int) -> bool:
    """Return whether a neighbouring pixel sees much further: there a dark line helps to tell limbs apart."""
    edge = depth[i, j] + _JUMP
    return bool(
        (i > 0 and depth[i - 1, j] > edge)
        or (j > 0 and depth[i, j - 1] > edge)
        or (i + 1 < depth.shape[0] and depth[i + 1, j] > edge)
        or (j + 1 < depth.shape[1] and depth[i, j + 1] > edge)
    )


@compiled(seconds=5, fast_math=True)
def shade(rays: Rays, seen: Buffers, colours: Array, floor: Floor, lighting: Lighting, samples: int) -> Array:
    """Return the picture (H, W, 3): each pixel the mean of samples x samples rays; colours (owners, 3)."""
    height, width = seen.depth.shape
    rows, columns = height // samples, width // samples
    picture = np.zeros((rows, columns, 3))
    origin, direction, colour = np.empty(3), np.empty(3), np.empty(3)
    share = 1.0 / samples**2
    for i in range(height):
        row = i // samples
        for column in range(columns):
            for j in range(column * samples, (column + 1) * samples):
                if seen.owner[i, j] >= 0:
                    ray(rays, i, j, origin, direction)
                    _body_colour(seen.normal[i, j], colours[seen.owner[i, j]], direction, lighting.light, colour)
                    if _outlined(seen.depth, i, j):
                        for k in range(3):
                            colour[k] += _OUTLINE * (lighting.ink[k] - colour[k])
                else:
                    line(rays, i, j, origin, direction)
                    away = 1.0
                    if direction[1] < -_LEVEL:
                        far = -origin[1] / direction[1]
                        x, z = origin[0] + far * direction[0], origin[2] + far * direction[2]
                        away = _far_from_box(floor, x, z)
                        if floor.border > 0:
                            away = max(away, 1.0 - min(j, width - 1 - j, height - 1 - i) / floor.border)
                    if away < 1.0:
                        _floor_colour(floor, lighting.background, away, x, z, colour)
                    else:
                        for k in range(3):
                            colour[k] = lighting.background[k]
                for k in range(3):
                    picture[row, column, k] += colour[k] * share
    return picture
