"""Writing glTF binary: a clip as a skinned figure with one animation, in metres with Y up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.filesystem import atomic_write
from segue.io.gltf.accessors import ARRAY_BUFFER, AccessorWriter
from segue.io.gltf.container import pack_glb
from segue.io.gltf.document import BODY_EXTRA, END_EXTRA
from segue.io.gltf.keys import Floats, JointKeys, floats, write_animation, xyzw
from segue.io.gltf.scene import GltfScene
from segue.io.placement import COLOURS, IDENTITY, BoneMesh, PlacedClip, bone_mesh, place_clip
from segue.motion.clip import Clip, take_name


def write_glb(
    clips: Clip | Mapping[str, Clip],
    path: str | Path,
    *,
    scale: float = 1.0,
    rotation: npt.ArrayLike = IDENTITY,
    mesh: bool = True,
) -> None:
    """Write a clip, or several clips of one skeleton by their names, as .glb.

    A clip that was read from glTF goes back into its file: see `GltfScene.packed`. Of several clips the first decides
    which file. Any other clip is written as a node for each joint, a skin, an animation, and a mesh that shows the
    bones. scale: metres per unit of such a clip. rotation: the quaternion (w, x, y, z) that takes its axes to Y up.
    mesh: without it the file holds the skeleton and its motion alone. The rest pose is that of `place_clip`.
    """
    takes = {take_name(clips): clips} if isinstance(clips, Clip) else clips
    first = _first_on_one_skeleton(takes)
    kept = first.origin.scene if first.origin is not None else None
    if isinstance(kept, GltfScene) and kept.skeleton == first.skeleton:
        data = kept.packed(takes)
    else:
        placed = {name: place_clip(clip, scale, rotation) for name, clip in takes.items()}
        scene = _Scene(next(iter(placed.values())))
        scene.add_joints()
        for name, clip in placed.items():
            scene.add_animation(name, clip)
        if mesh:
            scene.add_mesh(bone_mesh(scene.clip))
        data = scene.pack()
    with atomic_write(path) as beside:
        beside.write_bytes(data)


def _first_on_one_skeleton(takes: Mapping[str, Clip]) -> Clip:
    """Return the first clip, after checking that the joints of all others are the same."""
    first, *others = takes.items()
    for name, clip in others:
        if (clip.names, clip.parents) != (first[1].names, first[1].parents):
            raise ArgumentError(f"'{name}' has other joints than '{first[0]}': one file holds takes of one skeleton")
    return first[1]


@dataclass
class _Scene:
    """A glTF document under construction; joints come first, so a joint's node has the joint's number."""

    clip: PlacedClip
    arrays: AccessorWriter = field(default_factory=AccessorWriter)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    tops: list[int] = field(default_factory=list)
    rest: dict[str, Any] = field(default_factory=dict)

    def add_joints(self) -> None:
        """Add the joints as nodes in their rest pose, and the skin."""
        skeleton = self.clip.skeleton
        for joint, name in enumerate(skeleton.names):
            node = {
                "name": name,
                "translation": floats(self.clip.rest_positions[joint]).tolist(),
                "rotation": xyzw(self.clip.rest_rotations[joint]).tolist(),
            }
            if children := skeleton.children(joint):
                node["children"] = children
            if joint in self.clip.ends:
                node["extras"] = {END_EXTRA: floats(self.clip.ends[joint]).tolist()}
            self.nodes.append(node)
        roots = [joint for joint, parent in enumerate(skeleton.parents) if parent < 0]
        if len(roots) > 1:  # the joints of a skin must have a common root
            self.nodes.append({"name": "Armature", "children": roots})
            roots = [len(self.nodes) - 1]
        self.tops.append(roots[0])
        self.rest["skins"] = [
            {
                "name": "Skeleton",
                "joints": list(range(len(skeleton))),
                "skeleton": roots[0],
                "inverseBindMatrices": self.arrays.add(_inverse_bind_matrices(self.clip), "MAT4"),
            }
        ]

    def add_animation(self, name: str, clip: PlacedClip) -> None:
        """Add a motion of the same joints."""
        rest = self.clip
        joints = [
            JointKeys(j, clip.positions[:, j], clip.rotations[:, j], rest.rest_positions[j], rest.rest_rotations[j])
            for j in range(len(clip.skeleton))
        ]
        animation: dict[str, Any] = {"name": name}
        write_animation(animation, self.arrays, joints, clip.fps)
        self.rest.setdefault("animations", []).append(animation)

    def add_mesh(self, mesh: BoneMesh) -> None:
        """Add the figure: one skinned mesh, with a material for each side of the body that there is."""
        present = [side for side in COLOURS if side in mesh.sides]
        sides = np.array(mesh.sides)
        self.rest["materials"] = [_material(side) for side in present]
        self.rest["meshes"] = [
            {
                "name": "Figure",
                "extras": {BODY_EXTRA: [1]},
                "primitives": [
                    {"attributes": self._attributes(mesh, sides == side), "material": number}
                    for number, side in enumerate(present)
                ],
            }
        ]
        self.tops.append(len(self.nodes))
        self.nodes.append({"name": "Figure", "mesh": 0, "skin": 0})

    def _attributes(self, mesh: BoneMesh, chosen: npt.NDArray[np.bool_]) -> Mapping[str, int]:
        """Add the vertices of the chosen triangles; each belongs wholly to one joint."""
        corners = np.repeat(chosen, 3)
        carriers = np.repeat(mesh.joints[chosen], 3)
        joints = np.zeros((len(carriers), 4), np.uint8 if len(self.clip.skeleton) <= 256 else np.uint16)
        weights = np.zeros((len(carriers), 4), np.float32)
        joints[:, 0], weights[:, 0] = carriers, 1.0
        return {
            "POSITION": self.arrays.add(floats(mesh.points[corners]), "VEC3", target=ARRAY_BUFFER, bounds=True),
            "NORMAL": self.arrays.add(floats(mesh.normals[corners]), "VEC3", target=ARRAY_BUFFER),
            "JOINTS_0": self.arrays.add(joints, "VEC4", target=ARRAY_BUFFER),
            "WEIGHTS_0": self.arrays.add(weights, "VEC4", target=ARRAY_BUFFER),
        }

    def pack(self) -> bytes:
        """Return the finished file."""
        document = {
            "asset": {"version": "2.0", "generator": "Segue"},
            "scene": 0,
            "scenes": [{"nodes": self.tops}],
            "nodes": self.nodes,
            **self.rest,
            "accessors": self.arrays.accessors,
            "bufferViews": self.arrays.views,
            "buffers": [{"byteLength": len(self.arrays.content)}],
        }
        return pack_glb(document, bytes(self.arrays.content))


def _inverse_bind_matrices(clip: PlacedClip) -> Floats:
    """Return (J, 16): world to joint in the bind pose, column after column."""
    inverse = quaternion.to_matrix(quaternion.conjugate(clip.bind_rotations))
    matrices = np.zeros((len(inverse), 4, 4))
    matrices[:, :3, :3] = inverse
    matrices[:, :3, 3] = -np.einsum("jab,jb->ja", inverse, clip.bind_positions)
    matrices[:, 3, 3] = 1.0
    return floats(matrices.transpose(0, 2, 1).reshape(-1, 16))


def _material(side: str) -> dict[str, Any]:
    return {
        "name": side,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*COLOURS[side], 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.7,
        },
    }
