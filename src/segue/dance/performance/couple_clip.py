"""A couple as one clip: both skeletons side by side, for files that hold a whole scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from segue.body.skeleton import Skeleton
from segue.motion.clip import Clip
from segue.motion.motion import Motion
from segue.typing import Array


class Together(Protocol):
    """A dance of two, performed or simulated: the motions of both on one floor, by part."""

    @property
    def motions(self) -> Mapping[str, Motion]:
        """Both motions by part."""
        ...


def couple_clip(performance: Together, fps: float | None = None) -> Clip:
    """Return both partners as one clip of two skeletons, whose joints are called "leader_pelvis", "follower_pelvis"...

    fps: frames a second, the performance's own if not given.
    """
    clips = {part: motion.to_clip(fps) for part, motion in performance.motions.items()}
    names: list[str] = []
    parents: list[int] = []
    ends: dict[int, Array] = {}
    for part, clip in clips.items():
        first = len(names)
        names += [f"{part}_{name}" for name in clip.skeleton.names]
        parents += [parent + first if parent >= 0 else -1 for parent in clip.skeleton.parents]
        ends |= {joint + first: end for joint, end in clip.skeleton.ends.items()}
    whole = list(clips.values())
    offsets = np.concatenate([clip.skeleton.offsets for clip in whole])
    skeleton = Skeleton(tuple(names), tuple(parents), offsets, ends)
    positions, rotations = (
        np.concatenate([getattr(clip, values) for clip in whole], axis=1) for values in ("positions", "rotations")
    )
    return Clip.on(skeleton, positions, rotations, whole[0].fps)
