"""NumPy archives in and out: clips as arrays that come back bit for bit, and motions of the SMPL body models."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from segue.errors import ArgumentError, FileFormatError, SkeletonError
from segue.io.amass import is_amass, read_amass
from segue.io.archive import Archive, save_arrays
from segue.motion.arrays import clip_arrays
from segue.motion.clip import Clip, Origin

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
