"""Frames from Segue as new actions. Originals are never changed."""

from __future__ import annotations

import itertools

import bpy
import numpy as np

from . import curves, maths
from . import rig as rigs

_MOVES = 1e-5  # m by which a bone is off its rest place: then its location gets keys


def unused_name(name):
    """Return the name, shortened to what Blender takes; Blender adds a number if an action has it already."""
    return name[:56]


def target_of(rig, copy):
    """Return the object whose bones get the result: the armature itself, or a copy without constraints."""
    owner = rig.owner
    linked = owner.library is not None and owner.override_library is None
    if not (copy == "COPY" or linked or (copy == "AUTO" and rig.constrained)):
        return owner
    made = owner.copy()
    made.name = f"{owner.name} (Segue)"
    if rig.constrained:
        made.data = owner.data.copy()
        made.data[rigs.DEFORM_ONLY] = True
    made.animation_data_clear()
    for collection in owner.users_collection or [rig.scene.collection]:
        if collection.library is None:
            collection.objects.link(made)
            break
    else:
        rig.scene.collection.objects.link(made)
    for bone in made.pose.bones:
        while bone.constraints:
            bone.constraints.remove(bone.constraints[0])
        if rig.constrained:
            bone.matrix_basis.identity()
            bone.location, bone.scale = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
    return made


def channel_values(rig, target, world, joints=None):
    """Return bone -> (location (T, 3), quaternion (T, 4)) that bring joints to world positions and rotations.

    target: the object whose pose gives the values of all other bones, which must not be animated.
    """
    wanted = rig.to_armature(*world)
    index = {name: j for j, name in enumerate(rig.names)}
    made, values = {}, {}
    for bone in target.data.bones:
        offset = np.broadcast_to(rig.rest[bone.name], (len(wanted), 4, 4))
        if bone.parent is not None:
            offset = made[bone.parent.name] @ (maths.inverse(rig.rest[bone.parent.name]) @ rig.rest[bone.name])
        if bone.name not in index:
            made[bone.name] = offset
            continue
        basis = maths.inverse(offset) @ wanted[:, index[bone.name]]
        turn = maths.from_matrix(basis[:, :3, :3])
        place = basis[:, :3, 3].copy()
        if bone.use_connect:
            place[:] = 0.0
        if joints is None or bone.name in joints:
            values[bone.name] = place, turn
        own = np.zeros_like(basis)
        own[:, :3, :3], own[:, :3, 3], own[:, 3, 3] = maths.to_matrix(turn), place, 1.0
        made[bone.name] = offset @ own
    return values


def baked(rig, target, name, start, world, sources=(), kind=None, frame=None, moved_roots=True):
    """Return a new action with a key at every frame from `start` on.

    sources: (F-curves, first frame) of the clips that kind (1, 2, ...) and frame refer to. Their channels are copied as
    they are, but for roots of the second clip, which moved.
    """
    action, slot, bag = curves.new_action(unused_name(name), target)
    count = len(world[0])
    frames = np.arange(start, start + count)
    values = channel_values(rig, target, world)
    kind = np.zeros(count, np.uint8) if kind is None else kind
    same = target is rig.owner
    for bone, (place, turn) in values.items():
        pose = target.pose.bones[bone]
        root = rig.parents[rig.names.index(bone)] < 0
        copied = _copied(rig, bone, sources, kind, frame, root and moved_roots) if same else {}
        rotation = _merged(pose.rotation_mode, turn, copied.get(rigs.rotation_channel(pose)))
        location = place.copy()
        if "location" in copied:
            known, rows = copied["location"]
            location[known] = rows[known]
        used = root or np.abs(place).max() > _MOVES * 1.0 or _animated(sources, bone, "location")
        for channel, rows in ((rigs.rotation_channel(pose), rotation), ("location", location if used else None)):
            if rows is None:
                continue
            path = curves.bone_path(bone, channel)
            for index in range(rows.shape[1]):
                curves.write(curves.ensured_new(bag, path, index, bone), frames, rows[:, index])
    if same and sources:
        _other_channels(rig, bag, sources, kind, frame, frames)
    action.use_frame_range = True
    action.frame_start, action.frame_end = frames[0], frames[-1]
    return action, slot


def _copied(rig, bone, sources, kind, frame, moved_root):
    """Return channel -> (frames that are copied (T,), values (T, N)) of a bone."""
    made = {}
    for number, (known, first) in enumerate(sources, start=1):
        chosen = kind == number
        if not chosen.any() or (moved_root and number > 1):
            continue
        for channel, rows in rig.channels(bone, known, first + frame[chosen]).items():
            if channel == "scale":
                continue
            flags, values = made.setdefault(channel, (np.zeros(len(kind), bool), np.zeros((len(kind), rows.shape[1]))))
            flags[chosen] = True
            values[chosen] = rows
    return made


def _merged(mode, turns, copied):
    """Return the rotation channel: copied values, and computed ones that are near them; signs are continuous."""
    if copied is None:
        return rigs.from_quaternions(mode, turns)
    flags, values = copied
    made = np.zeros_like(values)
    t = 0
    while t < len(turns):
        stop = t
        while stop < len(turns) and flags[stop] == flags[t]:
            stop += 1
        before = made[t - 1] if t else None
        if flags[t]:
            made[t:stop] = values[t:stop]
            if mode == "QUATERNION" and before is not None and values[t] @ before < 0:
                made[t:stop] = -values[t:stop]
        else:
            made[t:stop] = rigs.from_quaternions(mode, turns[t:stop], before)
        t = stop
    return made


def _animated(sources, bone, channel):
    path = curves.bone_path(bone, channel)
    return any(key[0] == path for known, _ in sources for key in known)


def _other_channels(rig, bag, sources, kind, frame, frames):
    """Write the channels that are no joint's: copied where frames are, eased from one clip to the next between."""
    taken = {(curve.data_path, curve.array_index) for curve in bag.fcurves}
    joints = {curves.bone_path(name, channel) for name in rig.names for channel in ("location", *_ROTATIONS)}
    paths = {key for known, _ in sources for key in known if key not in taken and key[0] not in joints}
    for path, index in sorted(paths):
        if not path.startswith("pose.bones") and path in ("location", "rotation_euler", "rotation_quaternion", "scale"):
            continue  # the object's own motion is in its bones now
        values = np.full(len(frames), np.nan)
        for number, (known, first) in enumerate(sources, start=1):
            curve = known.get((path, index))
            chosen = kind == number
            if curve is not None and chosen.any():
                values[chosen] = curves.evaluated(curve, first + frame[chosen])
        _bridge(values)
        group = path.split('"')[1] if path.startswith("pose.bones") else "Other"
        curves.write(curves.ensured_new(bag, path, index, group), frames, values)


_ROTATIONS = ("rotation_quaternion", "rotation_euler", "rotation_axis_angle")


def _bridge(values):
    """Fill NaN by the course of least jerk between their neighbours, in place."""
    known = np.flatnonzero(np.isfinite(values))
    for last, after in itertools.pairwise(known):
        if after - last > 1:
            values[last : after + 1] = values[last] + (values[after] - values[last]) * maths.ease(after - last)
    values[: known[0]], values[known[-1] + 1 :] = values[known[0]], values[known[-1]]


def edited(rig, target, action, slot, name, start, world, kind, joints):
    """Return a copy of an action in which the computed frames (kind 0) of some joints are replaced."""
    changed = np.flatnonzero(kind == 0)
    if target is not rig.owner or action is None:
        return baked(rig, target, name, start, world)
    made = action.copy()
    made.name = unused_name(name)
    own = next(each for each in made.slots if each.handle == slot.handle)
    if not len(changed):
        return made, own
    first, last = int(changed[0]), int(changed[-1])
    bag, known = curves.bag_of(made, own), curves.curves_of(action, slot)
    frames = np.arange(start, start + len(kind))
    around = slice(max(first - 1, 0), last + 2)
    values = channel_values(rig, target, world, set(joints))
    computed = kind[around] == 0
    for bone, (place, turn) in values.items():
        pose = target.pose.bones[bone]
        old = rig.channels(bone, known, frames[around])
        channel = rigs.rotation_channel(pose)
        rotation = _merged(pose.rotation_mode, turn[around], (~computed, old[channel]))
        root = rig.parents[rig.names.index(bone)] < 0
        rows = {channel: rotation}
        if root or np.abs(place[around] - old["location"])[computed].max() > _MOVES:
            location = old["location"].copy()
            location[computed] = place[around][computed]
            rows["location"] = location
        for path_end, filled in rows.items():
            path = curves.bone_path(bone, path_end)
            for index in range(filled.shape[1]):
                curves.replace(curves.ensured(bag, path, index, bone), int(frames[around][0]), filled[:, index])
    return made, own


def looped(rig, target, name, start, times, world, turns):
    """Return a cyclic action: keys from `start` on, the last where the first pose comes back, maybe between frames.

    turns: whether the loop turns; then nothing repeats it, since offsets of a location cannot turn.
    """
    action, slot, bag = curves.new_action(unused_name(name), target)
    frames = start + np.asarray(times, float)
    for bone, (place, turn) in channel_values(rig, target, world).items():
        pose = target.pose.bones[bone]
        root = rig.parents[rig.names.index(bone)] < 0
        rows = {rigs.rotation_channel(pose): rigs.from_quaternions(pose.rotation_mode, turn)}
        if root or np.abs(place).max() > _MOVES:
            rows["location"] = place
        for channel, values in rows.items():
            for index in range(values.shape[1]):
                curve = curves.ensured_new(bag, curves.bone_path(bone, channel), index, bone)
                curves.write(curve, frames, values[:, index])
                if not turns:
                    cycles = curve.modifiers.new("CYCLES")
                    mode = "REPEAT_OFFSET" if root and channel == "location" else "REPEAT"
                    cycles.mode_before = cycles.mode_after = mode
    action.use_frame_range, action.use_cyclic = True, not turns
    action.frame_start, action.frame_end = frames[0], frames[-1]
    return action, slot


def use(target, action, slot):
    """Make an action the active one, and keep the one before."""
    data = target.animation_data
    if data is not None and data.action is not None:
        data.action.use_fake_user = True
    curves.assign(target, action, slot)


def remove_new(before):
    """Remove the actions, objects and armatures that a failed operator left."""
    for owner, known in ((bpy.data.objects, before[1]), (bpy.data.actions, before[0]), (bpy.data.armatures, before[2])):
        for made in [each for each in owner if each.name not in known]:
            owner.remove(made)
