"""FBX in: the skeleton and one take of a binary or text file, through ufbx."""

from __future__ import annotations

from pathlib import Path

from segue.io.scene import SceneFormat, read_scene
from segue.motion.clip import Clip

_FBX = SceneFormat("fbx", "_fbx_worker.py", "FBX", "fbx", "take")


def read_fbx(path: str | Path, *, take: str | int | None = None, fps: float | None = None) -> Clip:
    """Return the skeleton and a take of an FBX file, in metres with Y up.

    The skeleton is the file's limb nodes and the nodes that a skin names, or else the nodes that the take moves. ufbx
    evaluates rotation orders, pre- and post-rotations, pivots, layers, units and axes.

    take: name or number, the first if not given. fps: frames a second to sample at; if not given, the rate of the keys.
    Without any take the clip is one frame, the rest pose.
    """
    return read_scene(path, _FBX, take, fps)
