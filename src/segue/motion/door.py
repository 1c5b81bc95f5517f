"""Checks on the numbers of a clip before a take is made of it: rates and lengths that no motion of a person has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from segue.body.figure import Poses
from segue.errors import ArgumentError, FileFormatError, SegueError
from segue.motion.clip import Clip
from segue.typing import Array

_LOWEST_RATE, _HIGHEST_RATE = 0.1, 10_000.0  # frames a second
_LARGEST = 1e12  # units of the source, whatever they are: sums of squares are still far from overflowing
_FARTHEST = 100_000.0  # m of a joint from its parent, or of the root from the origin


def check_rate(clip: Clip) -> None:
    """Raise where a clip has a rate at which nobody is captured or animated."""
    if not _LOWEST_RATE <= clip.fps <= _HIGHEST_RATE:
        raise _error(
            clip,
            f"the clip has {clip.fps:g} frames a second: it must have {_LOWEST_RATE:g} to {_HIGHEST_RATE:,.0f}",
        )


def check_numbers(clip: Clip) -> None:
    """Raise where a length of a clip is too large in any unit, before anything is computed from it."""
    _check(clip, _LARGEST, lambda length: f"{length:.3g} units", 0)


def check_lengths(clip: Clip, scale: float, first: int = 0) -> None:
    """Raise where a joint of a clip is farther away from its parent, or the root from the origin, than anybody goes.

    scale: metres per unit. first: the number that the clip's first frame has in its file.
    """
    _check(clip, _FARTHEST / scale, lambda length: f"{length * scale / 1000.0:.3g} km", first)


def check_fitted(clip: Clip, poses: Poses, first: int = 0) -> None:
    """Raise where a pose of the figure is not finite; first: as in `check_lengths`."""
    for part in (poses.root, poses.balls, poses.hinges):
        finite = np.isfinite(part).reshape(len(part), -1).all(axis=1)
        if not finite.all():
            frame = _frame(first + int(np.argmin(finite)))
            raise _error(clip, f"the figure cannot follow the clip: its pose in {frame} is not finite")


def _check(clip: Clip, most: float, shown: Callable[[float], str], first: int) -> None:
    """Raise where an offset, an end or a position is above the most."""
    names, too_far = clip.names, f"at most {shown(most)} are possible"
    for what, vectors in (("offset", dict(enumerate(clip.offsets))), ("end", clip.skeleton.ends)):
        for joint, vector in vectors.items():
            length = float(np.abs(vector).max())
            if not length <= most:
                raise _error(clip, f"the {what} of joint '{names[joint]}' is {shown(length)} long: {too_far}")
    if not max(clip.positions.max(), -clip.positions.min()) <= most:
        lengths: Array = np.abs(clip.positions).max(axis=2)
        frame, joint = (int(k) for k in np.argwhere(~(lengths <= most))[0])
        origin = "the origin" if clip.parents[joint] < 0 else "its parent"
        raise _error(
            clip,
            f"joint '{names[joint]}' is {shown(float(lengths[frame, joint]))} from {origin} in "
            f"{_frame(first + frame)}: {too_far}",
        )


def _frame(number: int) -> str:
    return f"frame {number} (counted from 0)"


def _error(clip: Clip, message: str) -> SegueError:
    path = clip.origin.path if clip.origin is not None else None
    return ArgumentError(message) if path is None else FileFormatError(message, path)
