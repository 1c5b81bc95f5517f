"""What was drawn on, looked up again: poses of a stretch of a clip, as the search saw them."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Poses
from segue.body.joints import BALL_JOINTS, HINGE_NAMES, mirror_name
from segue.curves.quaternion import Array
from segue.library.entry import RATE, Entry

__all__ = ["poses_at"]

_OTHER_BALLS = [BALL_JOINTS.index(mirror_name(name)) for name in BALL_JOINTS]
_OTHER_HINGES = [HINGE_NAMES.index(mirror_name(name)) for name in HINGE_NAMES]
_PLACE, _TURN = np.array([-1.0, 1.0, 1.0]), np.array([1.0, 1.0, -1.0, -1.0])


def poses_at(entry: Entry, times: Array, *, mirrored: bool = False) -> Poses:
    """Return the poses of the frames next to times (T,) of an entry, in s; mirrored: with left and right exchanged."""
    frames = np.clip(np.round(np.asarray(times) * RATE).astype(int), 0, len(entry) - 1)
    root, balls, hinges = (part[frames].astype(float) for part in (entry.root, entry.balls, entry.hinges))
    if mirrored:
        return Poses(root * _PLACE, balls[:, _OTHER_BALLS] * _TURN, hinges[:, _OTHER_HINGES])
    return Poses(root, balls, hinges)
