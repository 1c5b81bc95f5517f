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
from segue.io.bone_mesh import COLOURS, BoneMesh, bone_mesh
from segue.io.gltf.accessors import ARRAY_BUFFER, AccessorWriter
from segue.io.gltf.container import pack_glb
from segue.io.gltf.document import END_EXTRA, FPS_EXTRA
from segue.io.placement import IDENTITY, PlacedClip, place_clip
from segue.motion.clip import Clip
from segue.typing import Array

Floats = npt.NDArray[np.float32]


def write_glb(
    clip: Clip, path: str | Path, *, scale: float = 1.0, rotation: npt.ArrayLike = IDENTITY, mesh: bool = True
) -> None:
    """Write a clip as .glb: a node for each joint, a skin, an animation, and a mesh that shows the bones.

    scale: metres per unit of the clip. rotation: the quaternion (w, x, y, z) that takes the clip's axes to Y up.
    mesh: without it the file holds the skeleton and its motion alone. The rest pose is that of `place_clip`.
    """
    placed = place_clip(clip, scale, rotation)
    scene = _Scene(placed)
    scene.add_joints()
    scene.add_animation(_animation_name(clip))
    if mesh:
        scene.add_mesh(bone_mesh(placed))
    data = scene.pack()
    with atomic_write(path) as beside:
        beside.write_bytes(data)


def _animation_name(clip: Clip) -> str:
    """Return the name the animation had, or that of the file the clip came from."""
    if clip.origin is None:
        return "motion"
    known = (clip.origin.details or {}).get("animation")
    return str(known or Path(clip.origin.path or "motion").stem)


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
                "translation": _floats(self.clip.rest_positions[joint]).tolist(),
                "rotation": _xyzw(self.clip.rest_rotations[joint]).tolist(),
            }
            if children := skeleton.children(joint):
                node["children"] = children
            if joint in self.clip.ends:
                node["extras"] = {END_EXTRA: _floats(self.clip.ends[joint]).tolist()}
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

    def add_animation(self, name: str) -> None:
        """Add the motion: a channel for each value that moves, one key for what stands still away from its rest."""
        clip = self.clip
        times = _floats(np.arange(len(clip.positions)) / clip.fps)
        if (np.diff(times) <= 0).any():
            raise ArgumentError(
                f"the clip lasts {times[-1]:g} s at {clip.fps:g} frames a second: glTF times, 32-bit floats, "
                "cannot tell its frames apart"
            )
        inputs: dict[int, int] = {}  # accessor of the first times, by their count
        samplers: list[dict[str, int]] = []
        channels: list[dict[str, Any]] = []

        def add(joint: int, path: str, values: Floats, rest: Floats, width: str, *, always: bool = False) -> None:
            is_still = not always and (values == values[0]).all()
            if is_still and (values[0] == rest).all():
                return
            keys = 1 if is_still else len(values)
            if keys not in inputs:
                inputs[keys] = self.arrays.add(times[:keys], "SCALAR", bounds=True)
            channels.append({"sampler": len(samplers), "target": {"node": joint, "path": path}})
            samplers.append({"input": inputs[keys], "output": self.arrays.add(values[:keys], width)})

        for joint in range(len(clip.skeleton)):
            positions, rest_position = _floats(clip.positions[:, joint]), _floats(clip.rest_positions[joint])
            rotations, rest_rotation = _xyzw(clip.rotations[:, joint]), _xyzw(clip.rest_rotations[joint])
            add(joint, "translation", positions, rest_position, "VEC3")
            # one channel always has all keys: they say how many frames there are, also when nothing moves
            add(joint, "rotation", rotations, rest_rotation, "VEC4", always=joint == 0)
        self.rest["animations"] = [
            {"name": name, "samplers": samplers, "channels": channels, "extras": {FPS_EXTRA: [clip.fps]}}
        ]

    def add_mesh(self, mesh: BoneMesh) -> None:
        """Add the figure: one skinned mesh, with a material for each side of the body that there is."""
        present = [side for side in COLOURS if side in mesh.sides]
        sides = np.array(mesh.sides)
        self.rest["materials"] = [_material(side) for side in present]
        self.rest["meshes"] = [
            {
                "name": "Figure",
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
            "POSITION": self.arrays.add(_floats(mesh.points[corners]), "VEC3", target=ARRAY_BUFFER, bounds=True),
            "NORMAL": self.arrays.add(_floats(mesh.normals[corners]), "VEC3", target=ARRAY_BUFFER),
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


def _floats(values: Array) -> Floats:
    return np.asarray(values, dtype=np.float32)


def _xyzw(rotations: Array) -> Floats:
    """Return quaternions w x y z in the order of glTF."""
    return _floats(rotations[..., [1, 2, 3, 0]])


def _inverse_bind_matrices(clip: PlacedClip) -> Floats:
    """Return (J, 16): world to joint in the bind pose, column after column."""
    inverse = quaternion.to_matrix(quaternion.conjugate(clip.bind_rotations))
    matrices = np.zeros((len(inverse), 4, 4))
    matrices[:, :3, :3] = inverse
    matrices[:, :3, 3] = -np.einsum("jab,jb->ja", inverse, clip.bind_positions)
    matrices[:, 3, 3] = 1.0
    return _floats(matrices.transpose(0, 2, 1).reshape(-1, 16))


def _material(side: str) -> dict[str, Any]:
    return {
        "name": side,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*COLOURS[side], 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.7,
        },
    }
