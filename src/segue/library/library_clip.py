"""The clips of a library: a figure and its poses at 30 frames a second, in memory and as bytes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.filling.features import RATE
from segue.motion.motion import Motion
from segue.typing import Array, Single

PoseArrays = tuple[Single, Single, Single]
"""Root (T, 3), balls (T, 7, 4) and hinges (T, 20) of a clip."""

_NUMBER = np.dtype("<f4")
_COLUMNS = (0, 3, HUMAN.ball_columns.stop, HUMAN.column_count)

FRAME_BYTES = _COLUMNS[-1] * _NUMBER.itemsize
"""Bytes that the poses of a frame take."""

_UNIT = 1e-3  # by which the length of a unit quaternion may differ from 1

_MIRROR_ROOT, _MIRROR_BALLS = np.array([-1.0, 1.0, 1.0]), np.array([1.0, 1.0, -1.0, -1.0])


@dataclass(frozen=True, eq=False)
class LibraryClip:
    """One clip of a library.

    name: the file's path below the folder that was indexed. root, balls, hinges: as in `Poses`,
    at `RATE` frames a second, single precision, perhaps mapped from a file. sections: first frame, and the one after
    the last, of each span that may be used.
    """

    name: str
    figure: Figure
    root: Single
    balls: Single
    hinges: Single
    sections: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.root)

    def poses_at(self, times: Array, *, mirrored: bool = False) -> Poses:
        """Return the poses of the frames nearest to times (T,) in s; mirrored: with left and right exchanged."""
        frames = np.clip(np.round(np.asarray(times) * RATE).astype(int), 0, len(self) - 1)
        root, balls, hinges = (part[frames].astype(float) for part in (self.root, self.balls, self.hinges))
        if mirrored:
            return Poses(
                root * _MIRROR_ROOT, balls[:, HUMAN.mirrored_balls] * _MIRROR_BALLS, hinges[:, HUMAN.mirrored_hinges]
            )
        return Poses(root, balls, hinges)


def library_clip_of(motion: Motion, name: str, sections: tuple[tuple[float, float], ...] | None = None) -> LibraryClip:
    """Return a motion as a clip of a library; sections: (start, stop) in s that may be used, None for all of it."""
    count = int((motion.stop - motion.start) * RATE + 1e-6) + 1
    poses = motion.state(motion.start + np.arange(count) / RATE).poses
    frames = (
        ((0, count),)
        if sections is None
        else tuple(
            (int(np.ceil((start - motion.start) * RATE - 1e-6)), int((stop - motion.start) * RATE + 1e-6) + 1)
            for start, stop in sections
        )
    )
    root, balls, hinges = (part.astype(np.float32) for part in (poses.root, poses.balls, poses.hinges))
    return LibraryClip(name, motion.figure, root, balls, hinges, frames)


def pack_poses(root: npt.ArrayLike, balls: npt.ArrayLike, hinges: npt.ArrayLike) -> bytes:
    """Return the bytes of a clip's poses: all root positions, then all ball joints, then all hinges."""
    return b"".join(np.ascontiguousarray(part, dtype=_NUMBER).tobytes() for part in (root, balls, hinges))


def unpack_poses(block: bytes) -> PoseArrays:
    """Return the poses in bytes, without copying them."""
    numbers = np.frombuffer(block, dtype=_NUMBER)
    frames = len(block) // FRAME_BYTES
    root, balls, hinges = (numbers[first * frames : last * frames] for first, last in pairwise(_COLUMNS))
    return root.reshape(frames, -1), balls.reshape(frames, len(HUMAN.ball_names), 4), hinges.reshape(frames, -1)


def flaw_of(poses: PoseArrays) -> str | None:
    """Return why numbers are not poses; None where they are."""
    if not all(np.isfinite(part).all() for part in poses):
        return "some of its poses are not finite"
    if np.abs(np.linalg.norm(poses[1], axis=-1) - 1.0).max() > _UNIT:
        return "some of its rotations are not unit quaternions"
    return None
