"""Evaluate a clip at any times, along C2 curves through its frames, on its own skeleton."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from segue.checks import positive
from segue.curves import quaternion
from segue.curves.interpolate import FrameSpline, Hole, HoleEnds
from segue.errors import ArgumentError
from segue.motion._state_kernels import clip_frames
from segue.motion.clip import Clip, Origin
from segue.typing import Array, Ints

_MOST_VALUES = 2**31
_SAME_TIME = 1e-6  # of a frame


class Frames(NamedTuple):
    """Frames of a clip's skeleton: local positions (T, J, 3), rotations (T, J, 4), and the file's rows or None."""

    positions: Array
    rotations: Array
    rows: Array | None


class ClipCurves:
    """The C2 curves through a clip's frames."""

    def __init__(self, clip: Clip) -> None:
        self._clip = clip

    def without_frames(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> ClipCurves:
        """Return the curves without the frames between the two of each pair in `holes`."""
        curves = ClipCurves(self._clip)
        curves.__dict__ |= {"_moving": self._moving, "_spline": self._spline.without_frames(holes, ends)}
        return curves

    @cached_property
    def _moving(self) -> Ints:
        return np.flatnonzero(np.ptp(self._clip.positions, axis=0).any(axis=1))

    @cached_property
    def _spline(self) -> FrameSpline:
        """All rotations, then the positions of joints that move in their parent's frame."""
        clip = self._clip
        rotations = quaternion.make_continuous(clip.rotations).reshape(len(clip), -1)
        positions = clip.positions[:, self._moving].reshape(len(clip), -1)
        return FrameSpline(np.concatenate([rotations, positions], axis=1), clip.fps)

    def joints_at(self, times: Array) -> tuple[Array, Array]:
        """Return local positions (T, J, 3) and rotations (T, J, 4) at times within the clip."""
        positions, rotations, _ = self._frames_at(times)
        return positions, rotations

    def at(self, times: Array) -> Frames:
        """Return frames at times within the clip.

        A time that coincides with a frame of the clip gives that frame exactly, with the numbers of its file. The rows
        of other times are NaN.
        """
        positions, rotations, frames = self._frames_at(times)
        origin = self._clip.origin
        rows = None
        if origin is not None and origin.rows is not None:
            rows = np.where(frames[:, None] >= 0, origin.rows[frames], np.nan)
        return Frames(positions, rotations, rows)

    def _frames_at(self, times: Array) -> tuple[Array, Array, Ints]:
        clip = self._clip
        frames: tuple[Array, Array, Ints] = clip_frames(
            self._spline.knots, times, clip.positions, clip.rotations, self._moving
        )
        return frames


def frame_count(duration: float, fps: float, values_per_frame: int) -> int:
    """Return the number of frames in a duration at a rate, including a frame at its end."""
    positive("fps", fps, "frames a second")
    count = int(np.floor(duration * fps + _SAME_TIME)) + 1
    if count * values_per_frame > _MOST_VALUES:
        raise ArgumentError(f"{fps:g} frames a second would make {count} frames: choose a lower rate")
    return count


def resample(clip: Clip, fps: float, *, apart: int = 0) -> Clip:
    """Return the clip at another rate, from its first frame to the last frame that fits before its end.

    Frames that coincide with a frame of the source are copied exactly, with the numbers of its file. apart: number of
    frames at the start that are not part of the motion; they stay as they are, and no curve goes through them.
    """
    motion = select_frames(clip, apart, len(clip))
    count = frame_count(motion.duration, fps, clip.positions[0].size)
    if fps == clip.fps:
        return clip
    positions, rotations, rows = ClipCurves(motion).at(np.arange(count) / fps)
    changed = Clip.from_arrays(clip.skeleton, positions, rotations, fps, origin=with_rows(clip.origin, rows))
    return joined(select_frames(clip, 0, apart), changed) if apart else changed


def joined(before: Clip, clip: Clip) -> Clip:
    """Return a clip with frames of the same skeleton and file in front. The rate is the clip's."""
    positions = np.concatenate([before.positions, clip.positions])
    rotations = np.concatenate([before.rotations, clip.rotations])
    rows = None
    if before.origin is not None and before.origin.rows is not None and clip.origin is not None:
        computed = np.full((len(clip), before.origin.rows.shape[1]), np.nan)
        rows = np.concatenate([before.origin.rows, computed if clip.origin.rows is None else clip.origin.rows])
    return Clip.from_arrays(clip.skeleton, positions, rotations, clip.fps, origin=with_rows(clip.origin, rows))


def select_frames(clip: Clip, first: int, last: int) -> Clip:
    """Return frames first to last - 1, with the numbers of their file."""
    rows = None if clip.origin is None or clip.origin.rows is None else clip.origin.rows[first:last]
    positions, rotations = clip.positions[first:last], clip.rotations[first:last]
    return Clip.from_arrays(clip.skeleton, positions, rotations, clip.fps, origin=with_rows(clip.origin, rows))


def with_rows(origin: Origin | None, rows: Array | None) -> Origin | None:
    """Return an origin with other rows."""
    return None if origin is None else replace(origin, rows=rows)
