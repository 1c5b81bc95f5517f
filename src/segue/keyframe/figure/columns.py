"""The coordinates of a figure on a dynamic spline: 51 numbers, in which no pose is near an edge.

The root's position (3), each ball joint as a quaternion of any length but zero (7 x 4), and each hinge's angle (20).
A ball joint's rotation is its quaternion divided by its length, so that it is a rotation exactly, everywhere on the
path; and a spline in four numbers has no chart to leave, however far the figure turns.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.tracks import TRACKS, Kind
from segue.typing import Array

_WIDTH = {Kind.POSITION: 3, Kind.ROTATION: 4, Kind.ANGLE: 1}
BALLS = slice(3, 3 + 4 * len(HUMAN.ball_names))
HINGES = slice(BALLS.stop, BALLS.stop + len(HUMAN.hinge_names))
COLUMN_COUNT = HINGES.stop


def _track_columns() -> dict[str, slice]:
    stops = np.cumsum([_WIDTH[kind] for kind in TRACKS.values()]).tolist()
    return {track: slice(stop - _WIDTH[kind], stop) for (track, kind), stop in zip(TRACKS.items(), stops, strict=True)}


TRACK_COLUMNS = MappingProxyType(_track_columns())
"""The columns of each track."""


def columns_of(poses: Poses) -> Array:
    """Return poses as rows of coordinates (T, 51), each quaternion on the side of the one before it."""
    balls = quaternion.make_continuous(poses.balls)
    return np.concatenate([poses.root, balls.reshape(len(poses), -1), poses.hinges], axis=1)


def poses_of(rows: Array) -> Poses:
    """Return the poses of coordinates (T, 51)."""
    balls = quaternion.normalise(rows[:, BALLS].reshape(len(rows), len(HUMAN.ball_names), 4))
    return Poses(rows[:, :3].copy(), balls, rows[:, HINGES].copy())
