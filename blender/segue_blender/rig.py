"""An armature as a skeleton of joints: which bones, where they rest, and poses to and from F-curves.

Joints are the bones of a plain armature, or the deform bones of a rig with constraints or drivers. Poses go to Segue in
the world: Z up, in metres, scaled and turned as the object is.
"""

from __future__ import annotations

import bpy
import numpy as np

from . import curves, mapping, maths

_FEWEST = 10  # deform bones of a rig whose other bones control them

DEFORM_ONLY = "segue_deform_only"
"""The custom property of an armature that was copied from a rig with constraints: only its deform bones move."""


class RigError(Exception):
    """An armature that Segue cannot use; the message is one sentence for the user."""


def is_constrained(owner):
    """Return whether constraints, drivers or odd inheritance move bones of an armature object."""
    if any(not each.mute for bone in owner.pose.bones for each in bone.constraints):
        return True
    data = owner.animation_data
    if data is not None and any(driver.data_path.startswith("pose.bones") for driver in data.drivers):
        return True
    return any(
        not bone.use_inherit_rotation or bone.inherit_scale not in ("FULL", "ALIGNED") or not bone.use_local_location
        for bone in owner.data.bones
    )


class Rig:
    """The joints of an armature object. `names` are bones, each after its parent."""

    def __init__(self, owner, scene):
        self.owner, self.scene = owner, scene
        self.constrained = is_constrained(owner)
        bones = owner.data.bones
        deform = [bone.name for bone in bones if bone.use_deform]
        controlled = self.constrained or bool(owner.data.get(DEFORM_ONLY, False))
        chosen = deform if controlled and len(deform) >= _FEWEST else [bone.name for bone in bones]
        if len(chosen) < _FEWEST:
            raise RigError(f"'{owner.name}' has {len(chosen)} bones: a person has at least {_FEWEST}")
        self.names, self.parents = _ordered(owner, chosen)
        self.fps = scene.render.fps / scene.render.fps_base
        self.unit = scene.unit_settings.scale_length or 1.0
        location, rotation, scale = owner.matrix_world.decompose()
        sizes = np.array(scale)
        if sizes.min() <= 0 or sizes.max() > 1.001 * sizes.min():
            raise RigError(
                f"'{owner.name}' is scaled by {sizes[0]:.3g}, {sizes[1]:.3g}, {sizes[2]:.3g}: apply the scale of the "
                "object (Ctrl+A), since bones cannot be stretched along one axis"
            )
        self.scale = float(sizes.mean())
        self.rotation = np.array(rotation)
        self.location = np.array(location)
        self.rest = {bone.name: np.array(bone.matrix_local) for bone in bones}
        self.map_text = str(owner.data.get(mapping.KEY, "") or owner.get(mapping.KEY, ""))

    def to_world(self, matrices):
        """Return world positions (..., 3) in m and rotations (..., 4) of armature-space matrices (..., 4, 4)."""
        turned = maths.multiply(self.rotation, maths.from_matrix(matrices[..., :3, :3]))
        places = maths.rotate(self.rotation, self.scale * matrices[..., :3, 3]) + self.location
        return places * self.unit, turned

    def to_armature(self, positions, rotations):
        """Return armature-space matrices (..., 4, 4) of world positions in m and rotations."""
        back = maths.conjugate(self.rotation)
        matrices = np.zeros((*positions.shape[:-1], 4, 4))
        matrices[..., :3, :3] = maths.to_matrix(maths.multiply(back, rotations))
        matrices[..., :3, 3] = maths.rotate(back, positions / self.unit - self.location) / self.scale
        matrices[..., 3, 3] = 1.0
        return matrices

    def message(self, number=0, frames=None):
        """Return the shape and arrays of a clip for Segue; frames: world positions and rotations, rest if None."""
        rest = self.to_world(np.stack([self.rest[name] for name in self.names])[None])
        offsets, turns = maths.to_local(self.parents, *rest)
        positions, rotations = (offsets, turns) if frames is None else maths.to_local(self.parents, *frames)
        rotations = np.stack([maths.continuous(each) for each in rotations.swapaxes(0, 1)], 1)
        shape = {
            "names": list(self.names),
            "parents": [int(parent) for parent in self.parents],
            "fps": self.fps,
            "scale": 1.0,
            "up": "Z",
            "map": mapping.pairs_of(self.map_text, set(self.names)),
        }
        arrays = {
            f"offsets{number}": offsets[0],
            f"rest{number}": turns[0],
            f"positions{number}": positions,
            f"rotations{number}": maths.normalised(rotations),
            f"ends{number}": self._ends(),
        }
        return shape, arrays

    def _ends(self):
        """Return (J, 3) the tips of bones without children, NaN for the others."""
        inner = set(self.parents)
        made = np.full((len(self.names), 3), np.nan)
        for joint, name in enumerate(self.names):
            if joint not in inner:
                made[joint] = 0.0, self.owner.data.bones[name].length * self.scale * self.unit, 0.0
        return made

    def world_of(self, arrays, number=0):
        """Return world positions and rotations of frames that Segue sent."""
        return maths.to_world(self.parents, arrays[f"positions{number}"], arrays[f"rotations{number}"])

    def channels(self, bone, known, frames):
        """Return location (T, 3), rotation (T, 3 or 4) as the bone's mode has it, at frames; known: F-curves."""
        pose = self.owner.pose.bones[bone]
        return {
            channel: _channel(known, curves.bone_path(bone, channel), value, frames)
            for channel, value in (
                ("location", pose.location),
                (rotation_channel(pose), rotation_value(pose)),
                ("scale", pose.scale),
            )
        }

    def sampled(self, action, slot, frames):
        """Return world positions (T, J, 3) and rotations (T, J, 4) of an action at frames.

        A plain armature is computed from its F-curves. Any other is sampled through the evaluated scene.
        """
        known = {} if action is None else curves.curves_of(action, slot)
        moved = any(not path.startswith("pose.bones") for path, _ in known)
        if self.constrained or moved or self.owner.parent is not None:
            return _from_scene(self, action, slot, frames, known)
        matrices = posed(self, frames, lambda bone: basis_of(self, bone, known, frames))
        return self.to_world(np.stack([matrices[name] for name in self.names], 1))


def posed(rig, frames, basis):
    """Return bone -> armature-space matrices (T, 4, 4) of all bones; basis: bone -> matrices (T, 4, 4)."""
    made = {}
    for bone in rig.owner.data.bones:  # parents come first
        offset = rig.rest[bone.name]
        if bone.parent is not None:
            offset = made[bone.parent.name] @ (maths.inverse(rig.rest[bone.parent.name]) @ offset)
        made[bone.name] = offset @ basis(bone.name)
    return made


def basis_of(rig, bone, known, frames):
    """Return the basis matrices (T, 4, 4) of a pose bone at frames."""
    values = rig.channels(bone, known, frames)
    pose = rig.owner.pose.bones[bone]
    made = np.zeros((len(frames), 4, 4))
    turns = maths.to_matrix(to_quaternions(pose.rotation_mode, values[rotation_channel(pose)]))
    made[:, :3, :3] = turns * values["scale"][:, None, :]
    made[:, :3, 3] = values["location"]
    made[:, 3, 3] = 1.0
    return made


def rotation_channel(pose):
    """Return the name of the rotation channel of a pose bone."""
    modes = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    return modes.get(pose.rotation_mode, "rotation_euler")


def rotation_value(pose):
    """Return the present value of the rotation channel of a pose bone."""
    return getattr(pose, rotation_channel(pose))


_AXES = {"X": 0, "Y": 1, "Z": 2}


def to_quaternions(mode, values):
    """Return unit quaternions (T, 4) of the values of a rotation channel."""
    if mode == "QUATERNION":
        return maths.normalised(
            values + np.where(np.linalg.norm(values, axis=1, keepdims=True) < 1e-9, [1, 0, 0, 0], 0)
        )
    if mode == "AXIS_ANGLE":
        half = 0.5 * values[:, :1]
        axis = values[:, 1:] / np.maximum(np.linalg.norm(values[:, 1:], axis=1, keepdims=True), 1e-12)
        return np.concatenate([np.cos(half), np.sin(half) * axis], 1)
    made = np.tile([1.0, 0.0, 0.0, 0.0], (len(values), 1))
    for letter in mode:  # the first letter turns first, about fixed axes
        k = _AXES[letter]
        turn = np.zeros((len(values), 4))
        turn[:, 0], turn[:, 1 + k] = np.cos(0.5 * values[:, k]), np.sin(0.5 * values[:, k])
        made = maths.multiply(turn, made)
    return made


def from_quaternions(mode, turns, before=None):
    """Return values of a rotation channel, each near the one before; before: the value before the first."""
    if mode == "QUATERNION":
        return maths.continuous(turns, before)
    from mathutils import Euler, Quaternion

    if mode == "AXIS_ANGLE":
        rows = [Quaternion(turn).to_axis_angle() for turn in maths.continuous(turns)]
        return np.array([[angle, *axis] for axis, angle in rows])
    last = None if before is None else Euler(before, mode)
    made = []
    for turn in turns:
        last = Quaternion(turn).to_euler(mode, last) if last is not None else Quaternion(turn).to_euler(mode)
        made.append(tuple(last))
    return np.array(made)


def _channel(known, path, value, frames):
    made = np.tile(np.array(value, float), (len(frames), 1))
    for index in range(made.shape[1]):
        curve = known.get((path, index))
        if curve is not None:
            made[:, index] = curves.evaluated(curve, frames)
    return made


def _ordered(owner, chosen):
    """Return bones with parents first, and the index of each one's nearest chosen ancestor, -1 for a root."""
    bones, wanted = owner.data.bones, set(chosen)
    follows = {}
    for name in chosen:
        for each in owner.pose.bones[name].constraints:
            if each.type == "COPY_TRANSFORMS" and each.target == owner and not each.mute:
                follows.setdefault(each.subtarget, name)
        follows.setdefault(f"ORG-{name.removeprefix('DEF-')}", name)

    def above(name):
        bone = bones[name].parent
        while bone is not None:
            found = bone.name if bone.name in wanted else follows.get(bone.name)
            if found is not None and found != name:
                return found
            bone = bone.parent
        return None

    links = {name: above(name) for name in chosen}
    names = []

    def add(name, path):
        if name in names:
            return
        if name in path:
            links[name] = None  # two bones that hang on each other through their controls
        elif links[name] is not None:
            add(links[name], (*path, name))
        if name not in names:
            names.append(name)

    for name in chosen:
        add(name, ())
    return names, [-1 if links[name] is None else names.index(links[name]) for name in names]


def _from_scene(rig, action, slot, frames, known):
    """Sample an action through the evaluated scene, and leave the scene as it was."""
    owner, scene = rig.owner, rig.scene
    data = owner.animation_data
    at = scene.frame_current, scene.frame_subframe
    kept = [(path, index, _value(owner, path, index)) for path, index in known]
    had = None if data is None else (data.action, data.action_slot, data.use_nla)
    positions, rotations = [], []
    try:
        if action is not None and (had is None or had[0] != action or had[1] != slot):
            curves.assign(owner, action, slot)
        if owner.animation_data is not None:
            owner.animation_data.use_nla = False
        for frame in frames:
            whole = int(np.floor(frame))
            scene.frame_set(whole, subframe=float(frame - whole))
            seen = owner.evaluated_get(bpy.context.evaluated_depsgraph_get())
            matrices = np.array([seen.pose.bones[name].matrix for name in rig.names])
            place, turn, size = seen.matrix_world.decompose()
            turned = maths.multiply(np.array(turn), maths.from_matrix(matrices[:, :3, :3]))
            moved = maths.rotate(np.array(turn), float(size[0]) * matrices[:, :3, 3]) + np.array(place)
            positions.append(moved * rig.unit)
            rotations.append(turned)
    finally:
        if had is not None:
            owner.animation_data.action = had[0]
            if had[0] is not None and had[1] is not None:
                owner.animation_data.action_slot = had[1]
            owner.animation_data.use_nla = had[2]
        elif owner.animation_data is not None:
            owner.animation_data_clear()
        for path, index, value in kept:
            _restore(owner, path, index, value)
        scene.frame_set(at[0], subframe=at[1])
    rotations = np.array(rotations)
    for joint in range(rotations.shape[1]):
        rotations[:, joint] = maths.continuous(rotations[:, joint])
    return np.array(positions), rotations


def _value(owner, path, index):
    try:
        found = owner.path_resolve(path)
        return found[index] if hasattr(found, "__len__") and not isinstance(found, str) else found
    except (ValueError, IndexError):
        return None


def _restore(owner, path, index, value):
    if value is None:
        return
    head, _, last = path.rpartition(".")
    holder = owner.path_resolve(head) if head else owner
    try:
        found = getattr(holder, last) if not path.endswith("]") else None
        if found is not None and hasattr(found, "__len__"):
            found[index] = value
        elif found is not None:
            setattr(holder, last, value)
    except (AttributeError, TypeError, ValueError):
        return
