"""Armatures made from built-in clips: named as the usual families, constrained, scaled, turned."""

from __future__ import annotations

from typing import Any

import numpy as np

import segue as sg
from segue.motion.clip import Clip

FPS = 30.0

_LIMBS = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes")
FAMILIES: dict[str, dict[str, str]] = {
    "cmu": {
        "pelvis": "Hips", "torso": "Spine", "head": "Head",
        **{f"{s}_{limb}": f"{s.title()}{name}" for s in ("left", "right") for limb, name in zip(
            _LIMBS, ("Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "ToeBase"), strict=True)},
    },
    "rokoko": {
        "pelvis": "Hips", "torso": "Chest", "head": "Head",
        **{f"{s}_{limb}": f"{s.title()}{name}" for s in ("left", "right") for limb, name in zip(
            _LIMBS, ("Shoulder", "Arm", "ForeArm", "Hand", "Thigh", "Shin", "Foot", "Toe"), strict=True)},
    },
    "rigify": {
        "pelvis": "spine", "torso": "spine.003", "head": "spine.006",
        **{f"{s}_{limb}": f"{name}.{s[0].upper()}" for s in ("left", "right") for limb, name in zip(
            _LIMBS, ("shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe"), strict=True)},
    },
}  # fmt: skip
FAMILIES["mixamo"] = {role: f"mixamorig:{name}" for role, name in FAMILIES["cmu"].items()}

KINDS = ("cmu", "mixamo", "rokoko", "rigify", "scaled", "rotated")


def z_up(points: Any) -> Any:
    return np.stack([points[..., 0], -points[..., 2], points[..., 1]], -1)


def z_up_matrices(rotations: Any) -> Any:
    """Return rotation matrices (..., 3, 3) with Z up of quaternions with Y up."""
    from segue.curves import quaternion

    turn = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    return turn @ quaternion.to_matrix(rotations) @ turn.T


def clip_of(name: str, frames: int) -> Clip:
    """Return so many frames of a built-in clip, repeated as a loop if it is too short."""
    motion = getattr(sg.clips, name)
    if motion.duration * FPS < frames:
        motion = sg.repeat(sg.make_loop(motion), duration=(frames + 1) / FPS)
    clip = motion.to_clip(FPS)
    return Clip.from_arrays(clip.skeleton, clip.positions[:frames].copy(), clip.rotations[:frames].copy(), FPS)


def make_rig(bpy: Any, kind: str, mode: str = "QUATERNION") -> Any:
    """Return an armature object in an empty scene at 30 frames a second."""
    from mathutils import Euler

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = int(FPS)
    family = FAMILIES.get(kind, FAMILIES["cmu"])
    clip = clip_of("stand", 2)
    unit = 100.0 if kind == "scaled" else 1.0
    rest = unit * z_up(
        clip.skeleton.forward(clip.offsets[None], np.tile([1.0, 0, 0, 0], (1, len(clip.names), 1)))[0][0]
    )
    data = bpy.data.armatures.new(kind)
    owner = bpy.data.objects.new(kind, data)
    bpy.context.scene.collection.objects.link(owner)
    bpy.context.view_layer.objects.active = owner
    owner.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    prefixes = ("ORG-", "DEF-") if kind == "rigify" else ("",)
    for prefix in prefixes:
        for joint, name in enumerate(clip.names):
            bone = data.edit_bones.new(prefix + family[name])
            children = [j for j, parent in enumerate(clip.parents) if parent == joint]
            end = clip.skeleton.ends.get(joint)
            tail = (
                rest[children[0]]
                if children
                else rest[joint] + unit * z_up(np.array([0, 0, 0.1] if end is None else end))
            )
            bone.head, bone.tail, bone.roll = rest[joint], tail, 0.3 * joint
            if clip.parents[joint] >= 0:
                bone.parent = data.edit_bones[prefix + family[clip.names[clip.parents[joint]]]]
            if prefix == "DEF-" and "shoulder" in bone.name:
                bone.parent = data.edit_bones["ORG-" + family["torso"]]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in owner.pose.bones:
        bone.rotation_mode = mode
        if bone.name.startswith("ORG-"):
            data.bones[bone.name].use_deform = False
        if bone.name.startswith("DEF-"):
            copy = bone.constraints.new("COPY_TRANSFORMS")
            copy.target, copy.subtarget = owner, bone.name.replace("DEF-", "ORG-")
    if kind == "scaled":
        owner.scale = (0.01, 0.01, 0.01)
    if kind == "rotated":
        owner.rotation_euler = Euler((0.0, 0.0, 0.7))
        owner.location = (1.0, -2.0, 0.0)
    bpy.context.view_layer.update()
    return owner


def add_action(bpy: Any, owner: Any, kind: str, clip_name: str, frames: int, start: int = 1) -> Any:
    """Return a new action of a built-in clip, with a key at every frame from `start` on."""
    from mathutils import Matrix, Vector

    family, clip = FAMILIES.get(kind, FAMILIES["cmu"]), clip_of(clip_name, frames)
    unit = 100.0 if kind == "scaled" else 1.0
    prefix = "ORG-" if kind == "rigify" else ""
    positions, rotations = clip.world
    places, turns = unit * z_up(positions), z_up_matrices(rotations)
    action = bpy.data.actions.new(clip_name)
    slot = action.slots.new(id_type="OBJECT", name=owner.name)
    bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    rows: dict[tuple[str, str, int], list[float]] = {}
    for t in range(frames):
        posed: dict[str, Any] = {}
        for joint, joint_name in enumerate(clip.names):
            bone = owner.data.bones[prefix + family[joint_name]]
            wanted = Matrix(turns[t, joint]).to_4x4() @ bone.matrix_local.to_3x3().to_4x4()
            wanted.translation = Vector(places[t, joint])
            offset = bone.matrix_local
            if bone.parent:
                offset = posed[bone.parent.name] @ bone.parent.matrix_local.inverted() @ bone.matrix_local
            basis = offset.inverted() @ wanted
            posed[bone.name] = wanted
            place, turn, _ = basis.decompose()
            pose = owner.pose.bones[bone.name]
            if pose.rotation_mode == "QUATERNION":
                rotation, channel = tuple(turn), "rotation_quaternion"
            else:
                rotation, channel = tuple(turn.to_euler(pose.rotation_mode)), "rotation_euler"
            for k, value in enumerate(rotation):
                rows.setdefault((bone.name, channel, k), []).append(value)
            if clip.parents[joint] < 0:
                for k, value in enumerate(place):
                    rows.setdefault((bone.name, "location", k), []).append(value)
    for (bone_name, channel, index), values in rows.items():
        curve = bag.fcurves.new(f'pose.bones["{bone_name}"].{channel}', index=index)
        curve.keyframe_points.add(frames)
        flat = np.empty(2 * frames, np.float32)
        flat[0::2], flat[1::2] = np.arange(start, start + frames), values
        curve.keyframe_points.foreach_set("co", flat)
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
            point.handle_left_type = point.handle_right_type = "AUTO_CLAMPED"
        curve.update()
    return action


def use_action(owner: Any, action: Any) -> None:
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    data.action_slot = action.slots[0]


def positions_of(bpy: Any, owner: Any, frames: Any, prefix: str = "") -> Any:
    """Return world positions (T, J, 3) of the heads of bones, as Blender evaluates them."""
    made = []
    names = [bone.name for bone in owner.data.bones if bone.name.startswith(prefix)]
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        seen = owner.evaluated_get(bpy.context.evaluated_depsgraph_get())
        made.append([seen.matrix_world @ seen.pose.bones[name].head for name in names])
    return np.array(made)


def fingerprint(bpy: Any) -> dict[str, bytes]:
    """Return the bytes of all F-curves of all actions, and what objects use."""
    made = {}
    for action in bpy.data.actions:
        for layer in action.layers:
            for strip in layer.strips:
                for bag in strip.channelbags:
                    for curve in bag.fcurves:
                        flat = np.empty(6 * len(curve.keyframe_points), np.float32)
                        for k, part in enumerate(("co", "handle_left", "handle_right")):
                            part_values = np.empty(2 * len(curve.keyframe_points), np.float32)
                            curve.keyframe_points.foreach_get(part, part_values)
                            flat[k::3][: len(part_values)] = part_values
                        key = f"{action.name}|{curve.data_path}|{curve.array_index}|{len(curve.modifiers)}"
                        made[key] = flat.tobytes()
    for owner in bpy.data.objects:
        data = owner.animation_data
        made[f"object {owner.name}"] = repr(
            (None if data is None or data.action is None else data.action.name, tuple(map(tuple, owner.matrix_world)))
        ).encode()
        for track in () if data is None else data.nla_tracks:
            made |= {
                f"strip {track.name} {strip.name}": repr((strip.mute, strip.frame_start)).encode()
                for strip in track.strips
            }
    made["markers"] = repr([(each.name, each.frame) for each in bpy.context.scene.timeline_markers]).encode()
    return made
