"""Motions with faults that are known in place and size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from segue import clips
from segue.body.figure import Figure, Poses
from segue.clips import poses as built_in_poses
from segue.curves import quaternion
from segue.motion.clip import Clip
from segue.motion.motion import Motion
from segue.typing import Array

FIGURE = Figure.standard(1.75)


def changed(name: str, change: Callable[[Array, Array, Array], None]) -> Motion:
    """Return a built-in clip as a motion after `change` wrote to times, local positions and rotations in place."""
    clip = clips.clip(name)
    positions, rotations = clip.positions.copy(), clip.rotations.copy()
    change(clip.times, positions, rotations)
    return Motion.from_clip(Clip.from_arrays(clip.skeleton, positions, rotations, clip.fps))


def shoved(name: str, axis: int, way: Callable[[Array], Array]) -> Motion:
    """Return a built-in clip whose root is displaced along an axis, as a function of time, in m."""

    def shove(times: Array, positions: Array, rotations: Array) -> None:
        positions[:, 0, axis] += way(times)

    return changed(name, shove)


def bump(times: Array, middle: float, width: float) -> Array:
    """Return (T,) a smooth bump of height 1 that is 0 further than width from its middle."""
    return np.where(np.abs(times - middle) < width, np.cos(0.5 * np.pi * (times - middle) / width) ** 2, 0.0)


def turned(clip_rotations: Array, joint: int, frames: slice | Array, vectors: Array) -> None:
    """Turn a joint, in its own frame, by rotation vectors."""
    clip_rotations[frames, joint] = quaternion.multiply(clip_rotations[frames, joint], quaternion.exp(vectors))


def joint(name: str) -> int:
    """Return a joint's index in the built-in clips."""
    return clips.clip("walk").names.index(name)


def standing(frames: int) -> Poses:
    """Return a figure that stands still."""
    first = built_in_poses("stand")[:1]
    return Poses(*(np.repeat(part, frames, axis=0) for part in (first.root, first.balls, first.hinges)))


def leap(gravity: float, fps: float = 60.0) -> Motion:
    """Return a figure, stiff as a post, that stands, is in the air for 0.6 s under this gravity, and stands again."""
    times = np.arange(round(1.8 * fps) + 1) / fps
    aloft = np.clip(times - 0.6, 0.0, 0.6)
    poses = standing(len(times))
    poses.root[:, 1] += 0.5 * gravity * aloft * (0.6 - aloft)
    return Motion.from_poses(FIGURE, poses, fps)


def first_frames(name: str, count: int) -> Motion:
    """Return the beginning of a built-in clip."""
    clip = clips.clip(name)
    return Motion.from_clip(
        Clip.from_arrays(clip.skeleton, clip.positions[:count].copy(), clip.rotations[:count].copy(), clip.fps)
    )


def without_toes(name: str) -> Motion:
    """Return a built-in clip on a skeleton without toes."""
    clip = clips.clip(name)
    kept = [j for j, joint_name in enumerate(clip.names) if not joint_name.endswith("toes")]
    return Motion.from_clip(
        Clip(
            [clip.names[j] for j in kept],
            [-1 if clip.parents[j] < 0 else kept.index(clip.parents[j]) for j in kept],
            clip.offsets[kept],
            clip.positions[:, kept],
            clip.rotations[:, kept],
            clip.fps,
        )
    )
