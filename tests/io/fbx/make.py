"""Make the FBX files of this folder with Blender, and write beside each where Blender's own importer finds the joints.

Run it where Blender's Python module and Segue are installed (`make test-blender` makes such an environment):
python tests/io/fbx/make.py. The motions are Segue's built-in clips.
"""

from __future__ import annotations

import lzma
import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
FRAMES = 12


@dataclass(frozen=True)
class Kind:
    """A file: the clip in it, what is done to the armature before export, and the exporter's options."""

    clip: str
    change: Callable[[Any, Any], None] = lambda bpy, armature: None
    options: dict[str, Any] = field(default_factory=dict)
    fps: int = 60


def turned(bpy: Any, armature: Any) -> None:
    """Turn and move the armature's object."""
    armature.rotation_mode = "XYZ"
    armature.rotation_euler = (0.3, -0.2, 1.1)
    armature.location = (0.5, -2.0, 0.25)


def in_centimetres(bpy: Any, armature: Any) -> None:
    """Give the armature bones in centimetres and an object of scale 0.01, as Mixamo's files have."""
    armature.scale = (100.0, 100.0, 100.0)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    for curve in curves(armature):
        if curve.data_path.endswith("location"):
            for key in curve.keyframe_points:
                key.co.y *= 100.0
    armature.scale = (0.01, 0.01, 0.01)


def rolled(bpy: Any, armature: Any) -> None:
    """Roll every bone about itself by another angle; the motion then differs too, which does not matter."""
    bpy.ops.object.mode_set(mode="EDIT")
    for number, bone in enumerate(armature.data.edit_bones):
        bone.roll += math.radians(37 * number)
    bpy.ops.object.mode_set(mode="OBJECT")


def two_takes(bpy: Any, armature: Any) -> None:
    """Add a second action, the first in slow motion."""
    second = armature.animation_data.action.copy()
    second.name = "slow"
    for curve in curves(armature, second):
        for key in curve.keyframe_points:
            key.co.x = 1 + 2 * (key.co.x - 1)
    armature.animation_data.action.name = "usual"


def curves(armature: Any, action: Any = None) -> list[Any]:
    """Return the curves of an action of Blender 5, whose channels lie in layers."""
    action = action or armature.animation_data.action
    return [
        curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags for curve in bag.fcurves
    ]


KINDS = {
    "plain": Kind("walk"),
    "bones_along_x": Kind("wave", options={"primary_bone_axis": "X", "secondary_bone_axis": "Y"}),
    "bones_along_minus_z": Kind("kick", options={"primary_bone_axis": "-Z", "secondary_bone_axis": "X"}),
    "z_up": Kind("walk", options={"axis_up": "Z", "axis_forward": "Y"}),
    "x_up": Kind("wave", options={"axis_up": "X", "axis_forward": "-Z"}),
    "turned_object": Kind("walk", turned),
    "mixamo_units": Kind("kick", in_centimetres),
    "all_local_scale": Kind("walk", options={"apply_scale_options": "FBX_SCALE_ALL", "global_scale": 2.0}),
    "leaf_bones": Kind("salute", options={"add_leaf_bones": True}),
    "two_takes": Kind("wave", two_takes, {"bake_anim_use_all_actions": True}),
    "rolled_bones": Kind("kick", rolled, {"use_armature_deform_only": False}),
    "baked_axes_24_fps": Kind("walk", turned, {"bake_space_transform": True, "bake_anim_simplify_factor": 0.0}, fps=24),
}
DEFAULTS = {"object_types": {"ARMATURE"}, "add_leaf_bones": False, "bake_anim_use_all_actions": False}


def make(name: str, folder: Path) -> Path:
    """Export one file with Blender."""
    import bpy

    import segue as sg

    kind, path = KINDS[name], folder / f"{name}.fbx"
    clip = sg.clips.clip(kind.clip)
    middle = len(clip) // 2
    short = sg.Clip(
        clip.names,
        clip.parents,
        clip.offsets,
        clip.positions[middle : middle + FRAMES],
        clip.rotations[middle : middle + FRAMES],
        kind.fps,
    )
    sg.save(short, folder / "clip.bvh")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = kind.fps, 1.0
    scene.frame_start, scene.frame_end = 1, FRAMES
    bpy.ops.import_anim.bvh(filepath=str(folder / "clip.bvh"), axis_up="Y", axis_forward="-Z", frame_start=1)
    armature = bpy.context.view_layer.objects.active
    kind.change(bpy, armature)
    options = {**DEFAULTS, "bake_anim_use_nla_strips": False, "bake_anim_force_startend_keying": True, **kind.options}
    bpy.ops.export_scene.fbx(filepath=str(path), **options)
    return path


def blender_positions(path: Path) -> dict[str, Any]:
    """Return names and world positions (T, J, 3), metres with Y up, of the heads of all bones of each take."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=str(path), ignore_leaf_bones=False, automatic_bone_orientation=False)
    scene = bpy.context.scene
    armature = next(thing for thing in scene.objects if thing.type == "ARMATURE")
    names = [bone.name for bone in armature.pose.bones]
    found: dict[str, Any] = {"names": np.array(names)}
    for action in bpy.data.actions:
        armature.animation_data.action = action
        if action.slots:
            armature.animation_data.action_slot = action.slots[0]
        first, last = (round(end) for end in action.frame_range)
        positions = np.empty((last - first + 1, len(names), 3))
        for frame in range(first, last + 1):
            scene.frame_set(frame)
            for joint, bone in enumerate(armature.pose.bones):
                x, y, z = armature.matrix_world @ bone.head
                positions[frame - first, joint] = x, z, -y
        found[action.name.rpartition("|")[2]] = positions
    return found


def write_ascii(path: Path) -> Path:
    """Write a binary file as text, with Blender's parser of the binary format."""
    from io_scene_fbx import parse_fbx

    root, version = parse_fbx.parse(str(path))
    lines = [f"; FBX {version // 1000}.{version % 1000 // 100}.0 project file"]

    def text(value: Any, kind: str) -> str:
        if kind == "S":
            shown = value.decode("utf-8", "replace")
            if "\0\x01" in shown:  # in text the class of a name stands first
                shown = "::".join(reversed(shown.split("\0\x01")))
            return '"' + shown.replace('"', "&quot;") + '"'
        if kind == "C":
            return "T" if value else "F"
        return repr(value)

    def put(elem: Any, depth: int) -> None:
        indent, kinds = "\t" * depth, [chr(code) for code in elem.props_type]
        name = elem.id.decode()
        if kinds and kinds[0] in "fdlib":
            values = ",".join(map(repr, list(elem.props[0])))
            lines.append(f"{indent}{name}: *{len(elem.props[0])} {{\n{indent}\ta: {values}\n{indent}}}")
            return
        if "R" in kinds:  # raw bytes: identifiers of the file, which text files leave out
            return
        shown = ", ".join(text(value, kind) for value, kind in zip(elem.props, kinds, strict=True))
        below = [child for child in elem.elems if child is not None]
        lines.append(f"{indent}{name}: {shown}{' {' if below else ''}")
        for child in below:
            put(child, depth + 1)
        if below:
            lines.append(indent + "}")

    for elem in root.elems:
        if elem is not None:
            put(elem, 0)
    out = path.with_name(f"{path.stem}_ascii.fbx")
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return out


def main(names: list[str]) -> None:
    """Make the files of the given names, or all."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names or KINDS:
            path = make(name, Path(folder))
            np.savez_compressed(HERE / f"{name}.npz", **blender_positions(path))
            for file in [path, write_ascii(path)] if name == "plain" else [path]:
                packed = lzma.compress(file.read_bytes(), preset=9)
                (HERE / f"{file.name}.xz").write_bytes(packed)
                print(file.name, len(packed), "bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
