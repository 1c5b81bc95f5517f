"""A clip at another frame rate, along C2 curves through its frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from segue.curves.interpolate import interpolate_positions, interpolate_rotations
from segue.errors import ArgumentError
from segue.motion.clip import Clip, Origin

__all__ = ["resample", "select_frames"]

_MOST_VALUES = 2**31
_SAME_TIME = 1e-6  # of a frame


def resample(clip: Clip, fps: float) -> Clip:
    """Return the clip at another rate, from its first frame to the last frame that fits before its end.

    Frames that fall on a frame of the source are taken from it exactly, with the numbers of its file.
    """
    if not (np.isfinite(fps) and fps > 0):
        raise ArgumentError(f"fps is {fps}: it must be a positive number of frames a second")
    if fps == clip.fps:
        return clip
    count = int(np.floor(clip.duration * fps + _SAME_TIME)) + 1
    if count * clip.positions[0].size > _MOST_VALUES:
        raise ArgumentError(f"{fps:g} frames a second would make {count} frames: choose a lower rate")
    at = np.arange(count) / fps
    moving = np.flatnonzero(np.ptp(clip.positions, axis=0).any(axis=1))
    positions = np.tile(clip.positions[0], (count, 1, 1))
    positions[:, moving] = interpolate_positions(clip.times, clip.positions[:, moving], at)
    rotations = interpolate_rotations(clip.times, clip.rotations, at)
    source = at * clip.fps
    nearest = np.minimum(np.round(source).astype(np.int64), len(clip) - 1)
    same = np.abs(source - nearest) < _SAME_TIME
    positions[same] = clip.positions[nearest[same]]
    rotations[same] = clip.rotations[nearest[same]]
    return Clip.on(clip.skeleton, positions, rotations, fps, origin=_origin_of(clip.origin, nearest, same))


def select_frames(clip: Clip, first: int, last: int) -> Clip:
    """Return frames first to last - 1, with the numbers of their file."""
    kept = np.arange(first, last, dtype=np.int64)
    origin = _origin_of(clip.origin, kept, np.ones(len(kept), dtype=bool))
    return Clip.on(clip.skeleton, clip.positions[first:last], clip.rotations[first:last], clip.fps, origin=origin)


def _origin_of(origin: Origin | None, frames: npt.NDArray[np.int64], same: npt.NDArray[np.bool_]) -> Origin | None:
    """Return the origin with the rows of the given source frames; NaN where a frame is not the source's own."""
    if origin is None or origin.rows is None:
        return origin
    rows = origin.rows[frames].copy()
    rows[~same] = np.nan
    return replace(origin, rows=rows)
