"""Linear blend skinning, compiled."""

from __future__ import annotations

import math

import numpy as np

from segue.compiled import compiled
from segue.typing import Array, Ints


@compiled(seconds=2)
def skin(matrices: Array, vertices: Array, normals: Array, bones: Ints, weights: Array) -> tuple[Array, Array]:
    """Return vertices and unit normals, both (T, V, 3), carried by the weighted mean of affine maps (T, B, 3, 4)."""
    frames, count = len(matrices), len(vertices)
    places, facing = np.empty((frames, count, 3)), np.empty((frames, count, 3))
    blend = np.empty((3, 4))
    for t in range(frames):
        for v in range(count):
            blend[:] = 0.0
            for k in range(bones.shape[1]):
                for i in range(3):
                    for j in range(4):
                        blend[i, j] += weights[v, k] * matrices[t, bones[v, k], i, j]
            length = 0.0
            for i in range(3):
                place, normal = blend[i, 3], 0.0
                for j in range(3):
                    place += blend[i, j] * vertices[v, j]
                    normal += blend[i, j] * normals[v, j]
                places[t, v, i], facing[t, v, i] = place, normal
                length += normal * normal
            length = math.sqrt(length)
            if length > 0.0:
                facing[t, v] /= length
    return places, facing
