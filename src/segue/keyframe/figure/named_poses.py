"""Poses that go by a name: moments of the built-in clips."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from segue.errors import ArgumentError
from segue.keyframe.figure.keys import Key, key, t_pose
from segue.motion.motion import Motion

Load = Callable[[str], Motion]
"""Takes the name of a clip, a file's or a built-in one's such as clips.walk, and returns its motion."""

POSES: Mapping[str, tuple[str, float] | None] = MappingProxyType(
    {
        "t_pose": None,
        "stand": ("clips.stand", 0.0),
        "stride_left": ("clips.walk", 0.9),
        "stride_right": ("clips.walk", 1.43),
        "run_left": ("clips.run", 0.0),
        "run_right": ("clips.run", 0.35),
        "run_flight": ("clips.run", 0.58),
        "kick_back": ("clips.kick", 0.83),
        "kick_front": ("clips.kick", 1.23),
        "reach_front": ("clips.reach", 1.43),
        "salute": ("clips.salute", 1.4),
        "wave_high": ("clips.wave", 1.5),
    }
)
"""Where each pose is from: a built-in clip and a time, s; none for the pose in which all joints are zero."""


def named_pose(name: str, time: float, load: Load) -> Key:
    """Return a whole keyframe at a time, s, in a pose that goes by a name."""
    if name not in POSES:
        near = difflib.get_close_matches(str(name), POSES, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(POSES)}"
        raise ArgumentError(f"there is no pose '{name}': {hint}")
    moment = POSES[name]
    if moment is None:
        return t_pose(time)
    clip, at = moment
    return key(load(clip), at, time)
