"""NumPy archives in and out: clips that come back bit for bit, and motions of SMPL body models as AMASS has them.

The files hold rotations only. If they have no rest joints, the bones are those of Segue's figure of a given stature.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import ArgumentError, FileFormatError, SkeletonError
from segue.io.archive import Archive, save_arrays
from segue.motion.arrays import clip_arrays
from segue.motion.clip import Clip, Origin
from segue.motion.motion import Motion
from segue.typing import Array

ASSUMED_STATURE = 1.75
"""Metres: the stature of the bones of files that say nothing of their lengths."""

_BODY = [
    *("pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle", "right_ankle"),
    *("spine3", "left_foot", "right_foot", "neck", "left_collar", "right_collar", "head", "left_shoulder"),
    *("right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist"),
]
_BODY_PARENTS = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19)
_FINGERS = ("index", "middle", "pinky", "ring", "thumb")
_HANDS = [f"{side}_{finger}{bone}" for side in ("left", "right") for finger in _FINGERS for bone in (1, 2, 3)]
_FACE = ["jaw", "left_eye_smplhf", "right_eye_smplhf"]
_LAYOUTS = {
    "SMPL": [*_BODY, "left_hand", "right_hand"],
    "SMPL-H": [*_BODY, *_HANDS],
    "SMPL-X": [*_BODY, *_FACE, *_HANDS],
}
_RATES = ("mocap_framerate", "mocap_frame_rate", "fps")

# the segment of the figure that moves with a joint of SMPL; joints that are not listed move with their parent
_SEGMENTS = {"pelvis": "pelvis", "spine1": "torso", "neck": "head"}
for _side in ("left", "right"):
    for _joint, _segment in (
        ("hip", "thigh"),
        ("knee", "shank"),
        ("ankle", "foot"),
        ("foot", "toes"),
        ("collar", "clavicle"),
        ("shoulder", "upper_arm"),
        ("elbow", "forearm"),
        ("wrist", "hand"),
    ):
        _SEGMENTS[f"{_side}_{_joint}"] = f"{_side}_{_segment}"

_Z_UP = quaternion.exp(np.array([np.pi / 2, 0.0, 0.0]))  # takes Y up to Z up, as AMASS has it
# where fingers begin across the hand and how long their bones are, as shares of the hand's length
_SPREAD = {"index": 0.28, "middle": 0.09, "ring": -0.09, "pinky": -0.26, "thumb": 0.35}
_BONE = 0.3


def is_amass(archive: Mapping[str, Any]) -> bool:
    """Return whether an archive has the poses and the translation of a body model."""
    return "poses" in archive and "trans" in archive


def read_amass(archive: Archive, path: str | Path) -> Clip:
    """Return the clip of an archive of poses (T, 3 J), trans (T, 3) and a rate, in metres with the file's own up axis.

    The number of joints determines the model: 24 SMPL, 52 SMPL-H, 55 SMPL-X. rest_joints (J, 3), where the file has
    them, are the joints at rest in metres with Y up. Else the bones are those of the figure of `ASSUMED_STATURE`, which
    `origin.details["assumed_stature"]` says and `motion.space.with_stature` changes.
    """
    poses = archive.numbers("poses", None, None)
    layout = next((name for name, joints in _LAYOUTS.items() if poses.shape[1] == 3 * len(joints)), None)
    if layout is None:
        widths = ", ".join(f"{3 * len(joints)} ({name})" for name, joints in _LAYOUTS.items())
        raise FileFormatError(f"the array 'poses' has {poses.shape[1]} columns: {widths} are known", path)
    trans = archive.numbers("trans", len(poses), 3)
    rate = next((name for name in _RATES if name in archive), None)
    if rate is None:
        raise FileFormatError("has no array 'mocap_framerate': the frames a second are needed", path)
    fps = float(archive.numbers(rate))
    if not fps > 0.0:
        raise FileFormatError(f"the array '{rate}' is {fps:g}: a positive number of frames a second is needed", path)
    if len(poses) == 0:
        raise FileFormatError("the array 'poses' has no frame", path)
    names = _LAYOUTS[layout]
    details: dict[str, Any] = {"model": layout}
    if "rest_joints" in archive:
        rest = archive.numbers("rest_joints", len(names), 3)
    else:
        rest = rest_joints(Figure.standard(ASSUMED_STATURE), names)
        details["assumed_stature"] = ASSUMED_STATURE
    parents = _parents(names)
    offsets = rest - np.where(np.array(parents)[:, None] >= 0, rest[list(parents)], 0.0)
    turns = quaternion.exp(np.asarray(poses, float).reshape(len(poses), len(names), 3))
    positions = np.tile(offsets, (len(poses), 1, 1))
    positions[:, 0] = trans + rest[0]
    # standing people say which axis is up: that to which their pelvis turns its own
    up = quaternion.rotate(turns[:, 0], np.array([0.0, 1.0, 0.0])).mean(axis=0)
    at_rest = quaternion.identity(len(names))
    if up[2] > up[1]:
        at_rest[0] = _Z_UP
        offsets = np.array(offsets)
        offsets[0] = quaternion.rotate(_Z_UP, offsets[0])
    details["rest_rotations"] = at_rest
    origin = Origin("amass", str(path), details=details)
    return Clip(names, parents, offsets, positions, quaternion.normalise(turns), fps, origin=origin)


def _parents(names: list[str]) -> list[int]:
    parents = list(_BODY_PARENTS)
    for name in names[len(parents) :]:
        side, _, part = name.partition("_")
        if name in _FACE:
            parents.append(names.index("head"))
        elif part[-1] in "23":
            parents.append(names.index(f"{side}_{part[:-1]}{int(part[-1]) - 1}"))
        else:
            parents.append(names.index(f"{side}_wrist"))
    return parents


def rest_joints(figure: Figure, names: list[str]) -> Array:
    """Return the joints of a body model at rest (J, 3), in metres with Y up and the pelvis at the origin."""
    at = dict(zip(HUMAN.segments, figure.forward(Poses.zero(1))[0][0], strict=True))
    found = {joint: at[segment] for joint, segment in _SEGMENTS.items()}
    low, high, top = found["spine1"], found["neck"], figure.point("head_top", Poses.zero(1))[0]
    found |= {"spine2": low + (high - low) / 3.0, "spine3": low + 2.0 * (high - low) / 3.0}
    found["head"] = high + 0.3 * (top - high)
    for eye, out in (("left_eye_smplhf", 0.018), ("right_eye_smplhf", -0.018)):
        found[eye] = found["head"] + figure.stature * np.array([out, 0.035, 0.045])
    found["jaw"] = found["head"] + figure.stature * np.array([0.0, 0.0, 0.01])
    for side in ("left", "right"):
        wrist, knuckles = at[f"{side}_hand"], figure.point(f"{side}_knuckles", Poses.zero(1))[0]
        along = knuckles - wrist
        length = float(np.linalg.norm(along))
        found[f"{side}_hand"] = knuckles
        for finger, across in _SPREAD.items():
            begin = wrist + along * (0.4 if finger == "thumb" else 1.0) + np.array([0.0, 0.0, across * length])
            for bone in (1, 2, 3):
                found[f"{side}_{finger}{bone}"] = begin + (bone - 1) * _BONE * along
    return np.array([found[name] for name in names])


def write_amass(motion: Motion, path: str | Path, fps: float | None = None) -> None:
    """Write a motion of the figure as poses of SMPL-H with Z up, as AMASS has it.

    spine1 turns as the figure's lower back does and neck as its neck; the other joints of the spine, the head and the
    fingers stay at rest. The array rest_joints (J, 3) has the figure's own joints; betas are zero and mean nothing.
    """
    times = motion.times_at(fps)
    poses = motion.at(times)
    names = _LAYOUTS["SMPL-H"]
    _, world = motion.figure.forward(poses)
    parents = _parents(names)
    turns = np.empty((len(times), len(names), 4))  # of joints in the world
    local = np.zeros((len(times), len(names), 3))
    for joint, name in enumerate(names):
        above = turns[:, parents[joint]] if joint else None
        if name not in _SEGMENTS:
            turns[:, joint] = above
            continue
        turns[:, joint] = world[:, HUMAN.segments.index(_SEGMENTS[name])]
        own = quaternion.multiply(_Z_UP, turns[:, joint]) if above is None else turns[:, joint]
        if above is not None:
            own = quaternion.multiply(quaternion.conjugate(above), own)
        local[:, joint] = quaternion.log(own)
    rest = rest_joints(motion.figure, names)
    arrays = {
        "poses": local.reshape(len(times), -1),
        "trans": quaternion.rotate(_Z_UP, poses.root) - rest[0],
        "mocap_framerate": np.array(motion.fps if fps is None else float(fps)),
        "gender": np.array("neutral"),
        "betas": np.zeros(16),
        "dmpls": np.zeros((len(times), 8)),
        "rest_joints": rest,
    }
    save_arrays(path, arrays)


_NEEDED = ("names", "parents", "offsets", "positions", "rotations", "fps")


def read_npz(path: str | Path) -> Clip:
    """Return the clip in a .npz file: one that Segue wrote, or a motion of SMPL, SMPL-H or SMPL-X as in AMASS."""
    archive = Archive(path)
    if is_amass(archive):
        return read_amass(archive, path)
    missing = [name for name in _NEEDED if name not in archive]
    if missing:
        raise FileFormatError(
            f"has no array '{missing[0]}': a clip has {', '.join(_NEEDED)}, and a motion of AMASS poses and trans", path
        )
    names = archive["names"]
    if names.dtype.kind != "U" or names.ndim != 1:
        archive.fail("names", "must be a list of texts")
    joints = len(names)
    parents, offsets = archive.numbers("parents", joints), archive.numbers("offsets", joints, 3)
    if parents.dtype.kind == "f":
        archive.fail("parents", "must hold whole numbers")
    positions, rotations = archive.numbers("positions", None, joints, 3), archive.numbers("rotations", None, joints, 4)
    ends: dict[int, Any] = {}
    if "ends" in archive and "end_joints" in archive:
        tips = archive.numbers("ends", None, 3)
        carriers = archive.numbers("end_joints", len(tips))
        ends = {int(joint): tip for joint, tip in zip(carriers, tips, strict=True)}
    fps = float(archive.numbers("fps"))
    if not 0 < fps < math.inf:
        archive.fail("fps", f"is {fps:g}: a positive number of frames a second is needed")
    try:
        return Clip(
            [str(name) for name in names],
            [int(parent) for parent in parents],
            offsets,
            positions,
            rotations,
            fps,
            ends=ends,
            origin=Origin("npz", str(path)),
        )
    except (ArgumentError, SkeletonError) as error:
        raise FileFormatError(str(error), path) from error


def write_npz(clip: Clip, path: str | Path) -> None:
    """Write a clip as arrays in its own units and axes, see `clip_arrays`; it is read back bit for bit."""
    save_arrays(path, clip_arrays(clip))
