"""OpenSim out: coordinates of two widely used models as .mot, and joint moments as .sto.

[Rajagopal2016] has the whole body, gait2392 [Delp1990] legs and trunk. Axes are x forwards, y up, z to the right. A
joint of three coordinates turns about z, then x, then y of the moving body; on the left side about z, -x and -y.
docs/simulators.md has every sign.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.filesystem import atomic_write
from segue.motion.motion import Motion
from segue.plausibility import observe
from segue.typing import Array

_TO_OPENSIM = quaternion.exp(np.array([0.0, np.pi / 2.0, 0.0]))  # z forwards becomes x, x to the left becomes -z
_LENGTHS = ("pelvis_tx", "pelvis_ty", "pelvis_tz")
_SIDES = (("right", "r", 1.0), ("left", "l", -1.0))


@dataclass(frozen=True)
class OpenSimModel:
    """A model: the hip in the pelvis's frame (m), the sign of flexion in knee_angle, and whether it has arms."""

    hip: tuple[float, float, float]
    knee: float
    has_arms: bool


MODELS = {
    "rajagopal2016": OpenSimModel((-0.056276, -0.07849, 0.07726), 1.0, True),
    "gait2392": OpenSimModel((-0.0707, -0.0661, 0.0835), -1.0, False),
}
"""Models by the name of the format."""


@dataclass(frozen=True)
class _Ball:
    """Three coordinates between two segments, (name, sign) each, turned about z, x and y.

    joint: the figure's joint whose moment they share. hanging: the rotation of the segment that is zero in the model.
    """

    joint: str
    parent: str
    segment: str
    coordinates: tuple[tuple[str, float], ...]
    hanging: float = 0.0  # about the figure's z, rad


@dataclass(frozen=True)
class _Hinge:
    """One coordinate that is a hinge of the figure: sign times its angle, plus a constant in rad."""

    hinge: str
    coordinate: str
    sign: float = 1.0
    zero: float = 0.0


def _joints(model: OpenSimModel) -> list[_Ball | _Hinge]:
    """Return the joints of a model but the pelvis, which is free."""
    legs: list[_Ball | _Hinge] = []
    arms: list[_Ball | _Hinge] = []
    for side, letter, s in _SIDES:
        hip = ((f"hip_flexion_{letter}", 1.0), (f"hip_adduction_{letter}", s), (f"hip_rotation_{letter}", s))
        legs += [
            _Ball(f"{side}_hip", "pelvis", f"{side}_thigh", hip),
            _Hinge(f"{side}_knee_flexion", f"knee_angle_{letter}", model.knee),
            _Hinge(f"{side}_ankle_flexion", f"ankle_angle_{letter}"),
            _Hinge(f"{side}_ankle_inversion", f"subtalar_angle_{letter}"),
            _Hinge(f"{side}_toe_extension", f"mtp_angle_{letter}"),
        ]
        arm = ((f"arm_flex_{letter}", 1.0), (f"arm_add_{letter}", s), (f"arm_rot_{letter}", s))
        arms += [
            _Ball(f"{side}_shoulder", "torso", f"{side}_upper_arm", arm, s * np.pi / 2.0),
            _Hinge(f"{side}_elbow_flexion", f"elbow_flex_{letter}"),
            _Hinge(f"{side}_forearm_pronation", f"pro_sup_{letter}", zero=np.pi / 2.0),
            _Hinge(f"{side}_wrist_flexion", f"wrist_flex_{letter}"),
            _Hinge(f"{side}_wrist_deviation", f"wrist_dev_{letter}", -1.0),
        ]
    back = tuple((f"lumbar_{name}", 1.0) for name in ("extension", "bending", "rotation"))
    return [*legs, _Ball("lower_back", "pelvis", "torso", back), *(arms if model.has_arms else [])]


def coordinates(figure: Figure, poses: Poses, model: OpenSimModel) -> dict[str, Array]:
    """Return the coordinates of a model over frames, (T,) each: radians, and metres for the pelvis's translations."""
    places, world = figure.forward(poses)
    turn = _turned(world[:, 0])
    hip = np.array([*model.hip[:2], 0.0]) * (figure.build.half_hip / model.hip[2])
    origin = quaternion.rotate(_TO_OPENSIM, places[:, 0]) - turn.apply(hip)
    found = dict(zip(("pelvis_tilt", "pelvis_list", "pelvis_rotation"), _angles(turn), strict=True))
    found |= dict(zip(_LENGTHS, origin.T, strict=True))
    for joint in _joints(model):
        if isinstance(joint, _Ball):
            values = _angles(_relative(world, joint))
            found |= {name: sign * value for (name, sign), value in zip(joint.coordinates, values, strict=True)}
        else:
            found[joint.coordinate] = joint.sign * poses.hinge(joint.hinge) + joint.zero
    return found


def moments(world: Array, known: dict[str, Array], model: OpenSimModel) -> dict[str, Array]:
    """Return the generalised force of each joint coordinate, (T,) N m.

    world: (T, 19, 4) rotations of the figure's segments. known: moments of the figure's joints from `joint_moments`.
    The force of a coordinate is the moment's part along its axis, so that both do the same work.
    """
    found = {}
    for joint in _joints(model):
        if isinstance(joint, _Hinge):
            owner = HUMAN.joints[HUMAN.hinge_segments[HUMAN.hinge_names.index(joint.hinge)]]
            found[joint.coordinate] = joint.sign * known[owner.name][:, owner.tracks.index(joint.hinge)]
            continue
        relative = _relative(world, joint)
        segments = [HUMAN.segments.index(name) for name in (joint.parent, joint.segment)]
        between = quaternion.multiply(quaternion.conjugate(world[:, segments[0]]), world[:, segments[1]])
        moment = quaternion.rotate(_TO_OPENSIM, quaternion.rotate(between, known[joint.joint]))
        z, x, _ = _angles(relative)
        first = Rotation.from_euler("Z", z[:, None])
        axes = (
            np.broadcast_to([0.0, 0.0, 1.0], moment.shape),
            first.apply([1.0, 0.0, 0.0]),
            (first * Rotation.from_euler("X", x[:, None])).apply([0.0, 1.0, 0.0]),
        )
        for (name, sign), axis in zip(joint.coordinates, axes, strict=True):
            found[name] = sign * (axis * moment).sum(axis=1)
    return found


def _turned(rotations: Array) -> Rotation:
    """Return rotations (T, 4) of the figure in the axes of OpenSim."""
    turned = quaternion.multiply(quaternion.multiply(_TO_OPENSIM, rotations), quaternion.conjugate(_TO_OPENSIM))
    return Rotation.from_quat(turned[:, [1, 2, 3, 0]])


def _relative(world: Array, joint: _Ball) -> Rotation:
    parent, segment = (world[:, HUMAN.segments.index(name)] for name in (joint.parent, joint.segment))
    hanging = quaternion.exp(np.array([0.0, 0.0, joint.hanging]))
    own = quaternion.multiply(segment, quaternion.conjugate(hanging))
    return _turned(quaternion.multiply(quaternion.conjugate(parent), own))


def _angles(turn: Rotation) -> Array:
    """Return the angles (3, T) about z, x and y of the moving body, in rad, without jumps of whole turns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # an arm in a T pose: any angles that give the rotation will do
        unwrapped: Array = np.unwrap(turn.as_euler("ZXY"), axis=0).T
    return unwrapped


def write_mot(motion: Motion, path: str | Path, fps: float | None = None, *, model: str = "rajagopal2016") -> None:
    """Write the coordinates of a model over time as a .mot file, in degrees and metres."""
    times = motion.times_at(fps)
    found = coordinates(motion.figure, motion.at(times), MODELS[model])
    shown = {name: value if name in _LENGTHS else np.degrees(value) for name, value in found.items()}
    _write(path, "Coordinates", times, shown, in_degrees=True)


def write_moments(motion: Motion, path: str | Path, fps: float | None = None) -> None:
    """Write the joint moments of the Rajagopal model as a .sto file, N m; NaN where nothing is known of the ground."""
    if fps is not None and fps != motion.fps:
        motion = Motion.from_poses(motion.figure, motion.at(motion.times_at(fps)), fps)
    known = observe(motion).moments
    _, world = motion.figure.forward(motion.poses)
    found = moments(world, known, MODELS["rajagopal2016"])
    named = {f"{name}_moment": value for name, value in found.items()}
    _write(path, "Inverse Dynamics Generalized Forces", motion.times, named, in_degrees=False)


def _write(path: str | Path, title: str, times: Array, columns: dict[str, Array], *, in_degrees: bool) -> None:
    rows = np.column_stack([times - times[0], *columns.values()])
    head = [title, "version=1", f"nRows={rows.shape[0]}", f"nColumns={rows.shape[1]}"]
    head += [f"inDegrees={'yes' if in_degrees else 'no'}", "endheader", "\t".join(("time", *columns))]
    with atomic_write(path) as beside:
        np.savetxt(beside, rows, "%.12g", "\t", header="\n".join(head), comments="", encoding="utf-8")


write_rajagopal2016 = partial(write_mot, model="rajagopal2016")
write_gait2392 = partial(write_mot, model="gait2392")
