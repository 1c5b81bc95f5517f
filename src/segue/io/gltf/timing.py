"""From keyframe times to frames: the rate a file was sampled at, or one that suits it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from segue.curves.quaternion import Array
from segue.errors import SegueWarning
from segue.io.bvh.record import frame_rate

__all__ = ["DEFAULT_RATE", "FrameGrid", "find_frames"]

DEFAULT_RATE = 30.0
# in the order in which a file with gaps between its keys is tried: what is common comes first
_USUAL_RATES = (30.0, 24.0, 25.0, 60.0, 50.0, 120.0, 48.0, 100.0, 90.0, 240.0, 30000 / 1001, 60000 / 1001)
# keys further apart than this are points of a curve that someone drew, not samples of a motion
_WIDEST_SAMPLING = 0.1
_OFF_GRID = 0.01  # frames by which a key may miss its frame
_SAME_RATE = 1e-3  # relative difference of rates that were meant to be one
_SAME_TIME = 1e-5  # seconds: keys of different channels nearer than this were meant to be one


@dataclass(frozen=True)
class FrameGrid:
    """Frames at equal distances: `count` of them, `spacing` seconds apart in the file, the first at `start`.

    fps: the rate they are given, the usual one that the spacing comes near to. slack: frames by which a key may miss
    its frame and still be meant for it, beyond what 32-bit seconds account for.
    """

    start: float
    spacing: float
    count: int
    fps: float
    slack: float = 0.0

    def frames_of(self, times: Array) -> Array:
        """Return key times as frame numbers, whole ones where only rounding keeps them from it."""
        frames: Array = (times - self.start) / self.spacing
        whole = np.round(frames)
        return np.where(np.abs(frames - whole) <= _tolerance(times[-1], self.spacing, self.slack), whole, frames)


def find_frames(
    key_times: Sequence[Array], path: str | Path, *, stated_fps: float | None = None, fps: float | None = None
) -> FrameGrid:
    """Return the frames on which the keys of all channels lie, or frames close enough together to follow them.

    key_times: strictly increasing seconds, a channel each. stated_fps: the rate that the file itself claims, used where
    the keys agree with it. fps: the rate to sample at, whatever the keys are.
    """
    times = np.unique(np.concatenate(key_times))
    times = times[np.concatenate(([True], np.diff(times) > _SAME_TIME))]
    start, stop = float(times[0]), float(times[-1])
    if len(times) == 1:
        rate = fps or stated_fps or DEFAULT_RATE
        return FrameGrid(start, 1.0 / rate, 1, rate)
    if fps is not None:
        return _covering(start, stop, fps)
    key_rate = _rate_through(times, stated_fps)
    if key_rate is None:
        rate = _rate_for_gap(float(np.median(np.diff(times))))
        _warn(path, f"has keyframes at irregular times, it is sampled at {rate:g} frames a second")
        return _covering(start, stop, rate)
    if stated_fps is not None and abs(key_rate / stated_fps - 1.0) < _SAME_RATE:
        return _through(start, stop, key_rate, stated_fps)
    if key_rate * _WIDEST_SAMPLING < 1.0:
        between = math.ceil(DEFAULT_RATE / key_rate * (1.0 - _SAME_RATE))
        _warn(
            path,
            f"has keyframes only every {1.0 / key_rate:.3g} s, it is sampled at {key_rate * between:g} frames a second",
        )
        key_rate *= between
    return _through(start, stop, key_rate, frame_rate(1.0 / key_rate))


def _warn(path: str | Path, sentence: str) -> None:
    warnings.warn(f"{path}: {sentence} (fps= chooses another rate)", SegueWarning, stacklevel=6)


def _through(start: float, stop: float, rate: float, fps: float) -> FrameGrid:
    """Return frames at the rate of the keys, labelled with fps."""
    return FrameGrid(start, 1.0 / rate, round((stop - start) * rate) + 1, fps, _OFF_GRID)


def _covering(start: float, stop: float, rate: float) -> FrameGrid:
    """Return frames at a rate from start to stop, the last one not before stop."""
    return FrameGrid(start, 1.0 / rate, math.ceil((stop - start) * rate - _OFF_GRID) + 1, rate)


def _rate_through(times: Array, stated_fps: float | None) -> float | None:
    """Return the rate at which every time is a whole number of frames after the first, None where there is none."""
    gaps = np.diff(times)
    span = float(times[-1] - times[0])
    claimed = () if stated_fps is None else (stated_fps,)
    for candidate in (*claimed, 1.0 / float(np.median(gaps)), 1.0 / float(gaps.min()), *_USUAL_RATES):
        frames = round(span * candidate)
        if frames < 1:
            continue
        rate = float(frames / span)  # the ends are the best measure of the spacing, float32 rounds each gap
        places = (times - times[0]) * rate
        if np.abs(places - np.round(places)).max() <= _tolerance(times[-1], 1.0 / rate, _OFF_GRID):
            return rate
    return None


def _tolerance(latest: float, spacing: float, slack: float) -> float:
    """Return by how many frames a key may miss its frame: 32-bit seconds get coarser as time goes on."""
    rounding = 2.0 * float(np.spacing(np.float32(abs(latest)))) / spacing
    return min(max(slack, rounding), 0.25)


def _rate_for_gap(gap: float) -> float:
    """Return the lowest usual whole rate whose frames are no further apart than the gap, or the highest."""
    rates = sorted(rate for rate in _USUAL_RATES if rate.is_integer())
    return next((rate for rate in rates if rate * gap >= 1.0 - _SAME_RATE), rates[-1])
