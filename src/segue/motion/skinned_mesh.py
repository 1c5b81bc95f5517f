"""The mesh of a character: triangles whose vertices follow the joints of a skeleton."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.compiled import compiled
from segue.curves import quaternion
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


@dataclass(frozen=True)
class MeshPart:
    """Triangles of one material: the first, how many, and how they look.

    colour: red, green and blue from 0 to 1, as on a screen. texture: the number of a picture that is multiplied with
    it, or None. two_sided: seen from behind too. cut_out: transparent pixels of the texture are left out.
    """

    first: int
    count: int
    colour: tuple[float, float, float]
    texture: int | None = None
    two_sided: bool = False
    cut_out: bool = False


@dataclass(frozen=True, eq=False)
class SkinnedMesh:
    """Vertices in the pose they were bound in, and the bones that carry them by linear blend skinning.

    vertices, normals (V, 3), coordinates (V, 2) in the texture, from its top left. triangles (N, 3). bones, weights
    (V, 4): which bones carry a vertex, and by what shares, which sum to 1. binds (B, 3, 4): from the mesh to the frame
    of a bone's joint, in units of the clip. joints (B,): the joint of the skeleton that each bone belongs to. textures:
    files of pictures, PNG or JPEG.
    """

    vertices: Array
    normals: Array
    coordinates: Array
    triangles: Ints
    bones: Ints
    weights: Array
    binds: Array
    joints: Ints
    parts: tuple[MeshPart, ...]
    textures: tuple[bytes, ...] = ()

    def posed(self, positions: Array, rotations: Array, scale: float = 1.0) -> tuple[Array, Array]:
        """Return vertices and unit normals, both (T, V, 3), where joints are.

        positions (T, J, 3), rotations (T, J, 4): of the joints, in the world. scale: their unit in units of the clip.
        """
        turns = quaternion.to_matrix(rotations[:, self.joints])
        matrices = scale * np.einsum("tbij,bjk->tbik", turns, self.binds)
        matrices[..., 3] += positions[:, self.joints]
        vertices, normals = skin(matrices, *self._arrays)
        return vertices, normals

    @cached_property
    def _arrays(self) -> tuple[Array, Array, Ints, Array]:
        kept = (self.vertices, self.normals, self.bones, self.weights)
        return tuple(np.ascontiguousarray(each) for each in kept)  # type: ignore[return-value]
