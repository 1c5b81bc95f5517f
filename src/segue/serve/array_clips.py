"""Clips that programs send as arrays: reading, remembering their fit, and sending frames back.

A clip is an entry of the argument `clips`, with four arrays whose names end in the number of the entry:

offsets0: (J, 3) rest offset of each joint from its parent. rest0: (J, 4) rest rotation in the parent's frame.
positions0: (T, J, 3) and rotations0: (T, J, 4) of each joint in its parent's frame, of a root in the world.
ends0: (J, 3) tips of bones in the frames of their joints, NaN for a joint without a tip; may be left out.

Quaternions are (w, x, y, z). Lengths are in the clip's unit, `scale` m each. Frames are counted from 0.
"""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.checks import array
from segue.errors import ArgumentError
from segue.motion.clip import Clip, Origin
from segue.motion.motion import Motion
from segue.motion.options import ClipOptions
from segue.typing import Array

Arrays = Mapping[str, npt.NDArray[Any]]
_REMEMBERED = 16  # clips with their fit
_memory: OrderedDict[bytes, Motion] = OrderedDict()


@dataclass(frozen=True)
class ClipShape:
    """A clip without its arrays. scale: metres per unit. up: "Y" or "Z".

    map: pairs of a role and a joint, as in a map file; several of one role for spine and neck, "" for no joint.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    fps: float
    scale: float = 1.0
    up: str = "Z"
    map: tuple[tuple[str, str], ...] = ()
    mass: float | None = None
    sex: str = "average"

    @property
    def roles(self) -> dict[str, tuple[str, ...]]:
        """Joint names by role."""
        given: dict[str, tuple[str, ...]] = {}
        for role, joint in self.map:
            given[role] = (*given.get(role, ()), *((joint,) if joint else ()))
        return given


@dataclass(frozen=True, eq=False)
class GivenClip:
    """A clip that a program sent, as a motion. skipped: frames before the motion's time 0, such as an added T pose."""

    clip: Clip
    motion: Motion

    @property
    def skipped(self) -> int:
        """Frames of the clip before time 0 of the motion."""
        return 0 if self.motion.set_aside is None else len(self.motion.set_aside)

    def time(self, frame: float) -> float:
        """Return the time in s at which the motion is at a frame of the clip."""
        return (frame - self.skipped) / self.clip.fps

    def frame(self, time: float) -> int:
        """Return the frame of the clip nearest to a time in s of the motion."""
        return round(time * self.clip.fps) + self.skipped

    def joints(self, names: tuple[str, ...]) -> list[int]:
        """Return the indices of joints."""
        return [self.clip.skeleton.index(name) for name in names]

    def tracks(self, names: tuple[str, ...]) -> list[str] | None:
        """Return the tracks of the figure that move some joints; None for all joints, which no names stand for."""
        if not names:
            return None
        wanted = set(self.joints(names))
        moved = self.motion.clip_source.retargeter.joints_of_track
        chosen = [track for track, joints in moved.items() if wanted & set(joints.tolist())]
        return [*(["root_position"] if "root" in chosen else []), *chosen]


def read_clip(shape: ClipShape, arrays: Arrays, number: int) -> GivenClip:
    """Return the clip with a number; a clip that was sent before keeps its fit."""
    joints = len(shape.names)
    offsets = _part(arrays, f"offsets{number}", (joints, 3))
    rest = _part(arrays, f"rest{number}", (joints, 4))
    positions = _part(arrays, f"positions{number}", (None, joints, 3))
    rotations = _part(arrays, f"rotations{number}", (None, joints, 4))
    tips = arrays.get(f"ends{number}")
    ends = {} if tips is None else {j: tip for j, tip in enumerate(tips) if np.isfinite(tip).all()}
    digest = hashlib.blake2b(repr(shape).encode())
    for part in (offsets, rest, positions, rotations, *ends.values()):
        digest.update(np.ascontiguousarray(part).tobytes())
    key = digest.digest()
    if key in _memory:
        _memory.move_to_end(key)
        return GivenClip(_whole(_memory[key]), _memory[key])
    origin = Origin("arrays", details={"rest_rotations": rest.tolist()})
    clip = Clip(shape.names, shape.parents, offsets, positions, rotations, shape.fps, ends=ends, origin=origin)
    options = ClipOptions(scale=shape.scale, up=shape.up, map=shape.roles or None, mass=shape.mass, sex=shape.sex)
    motion = Motion.from_clip(clip, options)
    _memory[key] = motion
    while len(_memory) > _REMEMBERED:
        _memory.popitem(last=False)
    return GivenClip(clip, motion)


def frames_of(clip: Clip, number: int = 0) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of frames that are sent back."""
    return {f"positions{number}": np.asarray(clip.positions), f"rotations{number}": np.asarray(clip.rotations)}


def whole_frames(frames: float, least: int = 0) -> int:
    """Return a number of frames as a whole number."""
    if not math.isfinite(frames):
        raise ArgumentError(f"{frames} is no number of frames")
    return max(round(frames), least)


Answer = tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]
"""The value of a call as JSON has it, and its arrays."""

Progress = Callable[[int, int], None]
"""Called with the number of parts that are done and of all; raises `Cancelled` if the caller no longer waits."""


class Cancelled(Exception):
    """The caller cancelled a call."""


def _whole(motion: Motion) -> Clip:
    """Return the clip of a motion with the frames that were set aside."""
    from segue.motion.resample import joined

    clip = motion.clip_source.clip
    return clip if motion.set_aside is None else joined(motion.set_aside, clip)


def _part(arrays: Arrays, name: str, shape: tuple[int | None, ...]) -> Array:
    if name not in arrays:
        raise ArgumentError(f"the array '{name}' is missing")
    found = array(f"the array '{name}'", arrays[name])
    if found.ndim != len(shape) or any(size not in (None, own) for size, own in zip(shape, found.shape, strict=True)):
        wanted = ", ".join("frames" if size is None else str(size) for size in shape)
        raise ArgumentError(f"the array '{name}' has shape {found.shape}: ({wanted}) is needed")
    return found
