"""The mesh of a character: triangles whose vertices follow the joints of a skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.curves import quaternion
from segue.motion._skin_kernels import skin
from segue.typing import Array, Ints


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
