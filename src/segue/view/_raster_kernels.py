"""Compiled ray casting of capsules, ellipsoids, boxes and triangles into a depth buffer.

Shapes: H, W the picture's height and width in pixels; C capsules; E ellipsoids. Lengths in metres.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.compiled import compiled
from segue.typing import Array, Ints
from segue.view.camera import Rays


class Buffers(NamedTuple):
    """The view of each pixel: depth (H, W) along its ray (inf: nothing), normal (H, W, 3), owner (H, W) or -1.

    The normal of an empty pixel is not set.
    """

    depth: Array
    normal: Array
    owner: Ints


@compiled(seconds=1)
def empty_buffers(height: int, width: int) -> Buffers:
    """Return buffers in which nothing has been seen yet."""
    return Buffers(
        np.full((height, width), np.inf), np.empty((height, width, 3)), np.full((height, width), -1, dtype=np.int64)
    )


@compiled(seconds=1, inline=True)
def line(rays: Rays, i: int, j: int, origin: Array, direction: Array) -> None:
    """Write the origin and the direction, of any length, of the ray through the pixel in row i and column j."""
    for k in range(3):
        origin[k] = rays.origin[k] + i * rays.origin_down[k] + j * rays.origin_right[k]
        direction[k] = rays.direction[k] + i * rays.direction_down[k] + j * rays.direction_right[k]


@compiled(seconds=1, inline=True)
def ray(rays: Rays, i: int, j: int, origin: Array, direction: Array) -> None:
    """Write the origin and the unit direction of the ray through the pixel in row i and column j."""
    line(rays, i, j, origin, direction)
    per_length = 1.0 / np.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2)
    for k in range(3):
        direction[k] *= per_length


@compiled(seconds=1, inline=True)
def _nearest_on_sphere(from_centre: Array, direction: Array, radius: float) -> float:
    """Return how far along a ray a sphere is met, inf if it is not; from_centre: the ray's origin from its centre."""
    half = from_centre[0] * direction[0] + from_centre[1] * direction[1] + from_centre[2] * direction[2]
    apart = from_centre[0] ** 2 + from_centre[1] ** 2 + from_centre[2] ** 2
    inside = half * half - apart + radius * radius
    return -half - np.sqrt(inside) if inside >= 0 else np.inf


@compiled(seconds=3)
def cast_capsules(
    rays: Rays, starts: Array, stops: Array, radii: Array, owners: Ints, boxes: Ints, out: Buffers
) -> None:
    """Draw tapered capsules (C): the nearest of their two spheres and the cone that touches both.

    Let y run along the axis and s = (first radius - last radius) / length. The cone's surface lies at the distance
    (first radius - s y) / sqrt(1 - s^2) from the axis, between y = s * first radius and y = length + s * last radius.
    """
    origin, direction, axis = np.empty(3), np.empty(3), np.empty(3)
    first, last = np.empty(3), np.empty(3)
    for c in range(starts.shape[0]):
        length = 0.0
        for k in range(3):
            axis[k] = stops[c, k] - starts[c, k]
            length += axis[k] ** 2
        length = np.sqrt(length)
        for k in range(3):
            axis[k] /= length
        wide, narrow = radii[c, 0], radii[c, 1]
        sine = (wide - narrow) / length
        cosine2 = max(1.0 - sine * sine, 1e-9)
        cosine = np.sqrt(cosine2)
        for i in range(boxes[c, 2], boxes[c, 3] + 1):
            for j in range(boxes[c, 0], boxes[c, 1] + 1):
                ray(rays, i, j, origin, direction)
                along = 0.0
                height = 0.0
                half = 0.0
                apart = 0.0
                for k in range(3):
                    first[k] = origin[k] - starts[c, k]
                    last[k] = origin[k] - stops[c, k]
                    along += direction[k] * axis[k]
                    height += first[k] * axis[k]
                    half += first[k] * direction[k]
                    apart += first[k] ** 2
                best = _nearest_on_sphere(first, direction, wide)
                kind = 0
                end = _nearest_on_sphere(last, direction, narrow)
                if end < best:
                    best, kind = end, 1
                # |first + t direction|^2 - y^2 = (wide - sine y)^2 / cosine2, with y = height + t along
                a = cosine2 - along * along
                b = cosine2 * half - height * along + sine * wide * along
                d = cosine2 * apart - height * height + 2 * sine * wide * height - wide * wide
                root = b * b - a * d
                if root >= 0 and abs(a) > 1e-12:
                    t = (-b - np.sqrt(root)) / a
                    y = height + t * along
                    if t < best and sine * wide < y < length + sine * narrow:
                        best, kind = t, 2
                if best < out.depth[i, j] and best > 0:
                    out.depth[i, j] = best
                    out.owner[i, j] = owners[c]
                    y = height + best * along
                    # the cone's normal: radial times cosine, plus axial times sine
                    reach = (wide - sine * y) / cosine
                    for k in range(3):
                        if kind == 0:
                            out.normal[i, j, k] = (first[k] + best * direction[k]) / wide
                        elif kind == 1:
                            out.normal[i, j, k] = (last[k] + best * direction[k]) / narrow
                        else:
                            radial = (first[k] + best * direction[k] - y * axis[k]) / reach
                            out.normal[i, j, k] = cosine * radial + sine * axis[k]


@compiled(seconds=3)
def cast_ellipsoids(rays: Rays, centres: Array, shapes: Array, owners: Ints, boxes: Ints, out: Buffers) -> None:
    """Draw ellipsoids (E): the ray is taken to where the ellipsoid is the unit sphere."""
    origin, direction = np.empty(3), np.empty(3)
    first, course = np.empty(3), np.empty(3)
    for e in range(centres.shape[0]):
        shape = shapes[e]
        for i in range(boxes[e, 2], boxes[e, 3] + 1):
            for j in range(boxes[e, 0], boxes[e, 1] + 1):
                ray(rays, i, j, origin, direction)
                stretch = 0.0
                for k in range(3):
                    first[k] = 0.0
                    course[k] = 0.0
                    for m in range(3):
                        first[k] += shape[k, m] * (origin[m] - centres[e, m])
                        course[k] += shape[k, m] * direction[m]
                    stretch += course[k] ** 2
                stretch = np.sqrt(stretch)
                for k in range(3):
                    course[k] /= stretch
                t = _nearest_on_sphere(first, course, 1.0)
                if t / stretch < out.depth[i, j] and t > 0:
                    out.depth[i, j] = t / stretch
                    out.owner[i, j] = owners[e]
                    length = 0.0
                    for k in range(3):
                        out.normal[i, j, k] = 0.0
                        for m in range(3):
                            out.normal[i, j, k] += shape[m, k] * (first[m] + t * course[m])
                        length += out.normal[i, j, k] ** 2
                    length = np.sqrt(length)
                    for k in range(3):
                        out.normal[i, j, k] /= length


@compiled(seconds=2)
def cast_boxes(rays: Rays, centres: Array, halves: Array, axes: Array, owners: Ints, seen: Buffers) -> None:
    """Write what of boxes is seen: centres (N, 3), half sizes (N, 3), axes (N, 3, 3) in rows, owners (N,)."""
    origin, direction = np.empty(3), np.empty(3)
    for i in range(seen.depth.shape[0]):
        for j in range(seen.depth.shape[1]):
            ray(rays, i, j, origin, direction)
            for n in range(len(owners)):
                near, far, face, side = -np.inf, np.inf, 0, 1.0
                for k in range(3):
                    start, along = 0.0, 0.0
                    for c in range(3):
                        start += axes[n, k, c] * (origin[c] - centres[n, c])
                        along += axes[n, k, c] * direction[c]
                    if along == 0.0:
                        if abs(start) > halves[n, k]:
                            near = np.inf
                        continue
                    # the slab between two faces is entered against the direction and left along it
                    way = 1.0 if along < 0.0 else -1.0
                    enter, leave = (way * halves[n, k] - start) / along, (-way * halves[n, k] - start) / along
                    if enter > near:
                        near, face, side = enter, k, way
                    far = min(far, leave)
                if near <= far and 0.0 < near < seen.depth[i, j]:
                    seen.depth[i, j] = near
                    seen.owner[i, j] = owners[n]
                    for c in range(3):
                        seen.normal[i, j, c] = side * axes[n, face, c]


@compiled(seconds=2)
def cast_triangles(rays: Rays, corners: Array, normals: Array, owners: Ints, boxes: Ints, seen: Buffers) -> None:
    """Write what of triangles is seen: corners and their normals (N, 3, 3), owners (N,).

    boxes: (N, 4) columns and rows that each may be seen in. Triangles are seen from both sides.
    """
    origin, direction = np.empty(3), np.empty(3)
    for n in range(len(corners)):
        ax, ay, az = corners[n, 0, 0], corners[n, 0, 1], corners[n, 0, 2]
        ux, uy, uz = corners[n, 1, 0] - ax, corners[n, 1, 1] - ay, corners[n, 1, 2] - az
        vx, vy, vz = corners[n, 2, 0] - ax, corners[n, 2, 1] - ay, corners[n, 2, 2] - az
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        square = nx * nx + ny * ny + nz * nz
        if square == 0.0:
            continue
        outward = 1.0 if nx * normals[n, 0, 0] + ny * normals[n, 0, 1] + nz * normals[n, 0, 2] >= 0.0 else -1.0
        for i in range(boxes[n, 2], boxes[n, 3] + 1):
            for j in range(boxes[n, 0], boxes[n, 1] + 1):
                ray(rays, i, j, origin, direction)
                along = nx * direction[0] + ny * direction[1] + nz * direction[2]
                if along == 0.0:
                    continue
                far = (nx * (ax - origin[0]) + ny * (ay - origin[1]) + nz * (az - origin[2])) / along
                if not 0.0 < far < seen.depth[i, j]:
                    continue
                x = origin[0] + far * direction[0] - ax
                y = origin[1] + far * direction[1] - ay
                z = origin[2] + far * direction[2] - az
                # shares of the two sides, by the areas that the point spans with each
                p = ((y * vz - z * vy) * nx + (z * vx - x * vz) * ny + (x * vy - y * vx) * nz) / square
                q = ((uy * z - uz * y) * nx + (uz * x - ux * z) * ny + (ux * y - uy * x) * nz) / square
                if p >= 0.0 and q >= 0.0 and p + q <= 1.0:
                    seen.depth[i, j] = far
                    seen.owner[i, j] = owners[n]
                    towards = -outward if along > 0.0 else outward
                    length = 0.0
                    for k in range(3):
                        part = (1.0 - p - q) * normals[n, 0, k] + p * normals[n, 1, k] + q * normals[n, 2, k]
                        seen.normal[i, j, k] = towards * part
                        length += part * part
                    length = np.sqrt(length)
                    if length > 0.0:
                        for k in range(3):
                            seen.normal[i, j, k] /= length
