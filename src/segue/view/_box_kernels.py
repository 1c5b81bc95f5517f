"""Compiled ray casting of boxes into a depth buffer."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion import Array
from segue.view._raster_kernels import Buffers, Ints, ray
from segue.view.camera import Rays

__all__ = ["cast_boxes"]


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
