"""Keyframes: what is fixed and when, whole or in part; those of a figure as rows of its coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.keyframe.keys import Key, t_pose
from segue.motion.tracks import TRACKS, Kind
from segue.spacetime.path import DynamicSpline
from segue.spacetime.spline_space import Ends
from segue.typing import Array, Flags

_LATEST = 1e9  # s
_SHORTEST = 1e-6  # s
_PRECISION = 1e-9
"""Part of the latest time by which keyframes must be apart, so that times between them differ from them."""


@dataclass(frozen=True, eq=False)
class VectorKeyframes:
    """Values (K, D) that a path must have at times (K,), s; given: (K, D), which of them (all where not said).

    A keyframe is partial where some entries are not given: those are variables, and what stands in `values` there
    is not looked at. Each coordinate must be given at least once.
    """

    times: Array
    values: Array
    given: Flags

    def __init__(self, times: npt.ArrayLike, values: npt.ArrayLike, given: npt.ArrayLike | None = None) -> None:
        at, rows = _numbers(times, "times"), _numbers(values, "values")
        if at.ndim != 1 or len(at) < 2:
            raise ArgumentError(f"there are {at.size} keyframes: at least 2 are needed, with something between them")
        if rows.ndim != 2 or len(rows) != len(at) or rows.shape[1] == 0:
            raise ArgumentError(f"{len(at)} keyframes need as many rows of numbers, not an array {rows.shape}")
        _check_times(at)
        mask = np.ones(rows.shape, bool) if given is None else _mask(given)
        if mask.shape != rows.shape:
            raise ArgumentError(f"keyframes {rows.shape} need a mask of the same shape, not {mask.shape}")
        bad = np.argwhere(mask & ~np.isfinite(rows))
        if len(bad):
            k, d = bad[0]
            raise ArgumentError(
                f"coordinate {d} of keyframe {k} at {at[k]:g} s is {rows[k, d]}: give a number, or leave it free"
            )
        never = np.flatnonzero(~mask.any(axis=0))
        if len(never):
            raise ArgumentError(f"coordinate {never[0]} is given at no keyframe: at least one must say where it begins")
        object.__setattr__(self, "times", at)
        object.__setattr__(self, "values", rows)
        object.__setattr__(self, "given", mask)

    def __len__(self) -> int:
        return len(self.times)

    @property
    def dimension(self) -> int:
        """D, the number of coordinates."""
        return int(self.values.shape[1])

    def spline(self, *, ends: Ends | str = Ends.NATURAL, end_velocities: npt.ArrayLike | None = None) -> DynamicSpline:
        """Return the path before any improvement: the C2 spline through what is given.

        A free entry begins on the natural spline of its own coordinate through the entries that are given, and stays
        where the nearest one is before the first and after the last of them.
        """
        frames = self.values.copy()
        for d in range(self.dimension):
            known = self.given[:, d]
            if known.all():
                continue
            times, values = self.times[known], self.values[known, d]
            if len(times) == 1:
                frames[:, d] = values[0]
                continue
            between = np.clip(self.times[~known], times[0], times[-1])
            frames[~known, d] = DynamicSpline.through(times, values[:, None]).at(between)[:, 0]
        return DynamicSpline.through(self.times, frames, ~self.given, ends=ends, end_velocities=end_velocities)


def _check_times(times: Array) -> None:
    finite = np.isfinite(times)
    if not finite.all():
        k = int(np.argmin(finite))
        raise ArgumentError(f"the time of keyframe {k} is {times[k]}: a number of seconds is needed")
    late = times[1:] > times[:-1]
    if late.all():
        _check_distances(times)
        return
    k = int(np.argmin(late)) + 1
    if times[k] == times[k - 1]:
        raise ArgumentError(f"keyframes {k - 1} and {k} are both at {times[k]:g} s: times must increase")
    raise ArgumentError(f"keyframe {k} at {times[k]:g} s comes after one at {times[k - 1]:g} s: times must increase")


def _check_distances(times: Array) -> None:
    """Raise ArgumentError where numbers of the usual precision could not tell the path between keyframes."""
    lengths = np.diff(times)
    largest, k = float(np.abs(times).max()), int(np.argmin(lengths))
    if largest > _LATEST:
        raise ArgumentError(f"a keyframe is at {largest:g} s: times up to {_LATEST:g} s are possible")
    if lengths[k] < max(_SHORTEST, _PRECISION * largest):
        raise ArgumentError(
            f"keyframes {k} and {k + 1} at {times[k]:g} s are only {lengths[k]:.1g} s apart: "
            f"at least {max(_SHORTEST, _PRECISION * largest):.1g} s are needed"
        )


def _numbers(values: npt.ArrayLike, what: str) -> Array:
    try:
        return np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"the {what} of keyframes must be rows of numbers, all of one length") from None


def _mask(given: npt.ArrayLike) -> Flags:
    try:
        return np.array(given, dtype=bool)
    except ValueError:
        raise ArgumentError("which entries are given must be rows of truths, all of one length") from None


_FARTHEST = np.radians(170.0)
"""A ball joint may turn so far from one keyframe to the next: near a half turn, which way round was meant is anyone's
guess."""


@dataclass(frozen=True, eq=False)
class FigureKeyframes:
    """Keyframes of a figure: times (K,), rows (K, 51), given (K, 51); tracks: those that any keyframe says anything of.

    Tracks of which no keyframe says anything are held at zero, for the forces of the others, and are not part of the
    motion.
    """

    figure: Figure
    keyframes: VectorKeyframes
    tracks: tuple[str, ...]

    @classmethod
    def of(cls, figure: Figure, keys: Sequence[Key]) -> FigureKeyframes:
        """Return keyframes in the order given, which must be that of time."""
        for entry in keys:
            if not isinstance(entry, Key):
                raise ArgumentError(f"{entry!r} is no keyframe: make one with Key.from_motion or Key.from_angles")
        said = {track for each in keys for track in each.tracks}
        if keys and not said:
            raise ArgumentError("no keyframe has a value of a joint: at least one joint is needed")
        rest = t_pose(0.0).row
        rows, given = np.tile(rest, (len(keys), 1)), np.zeros((len(keys), HUMAN.column_count), bool)
        for track, columns in HUMAN.columns.items():
            known = [k for k, each in enumerate(keys) if track in each.tracks or track not in said]
            given[known, columns] = True
            if track in said:
                rows[known, columns] = [keys[k].row[columns] for k in known]
                if TRACKS[track] is Kind.ROTATION:
                    align(track, rows[:, columns], known, [each.time for each in keys])
        keyframes = VectorKeyframes([each.time for each in keys], rows, given)
        return cls(figure, keyframes, tuple(track for track in TRACKS if track in said))

    @property
    def times(self) -> Array:
        """(K,), s."""
        return self.keyframes.times

    def poses(self) -> Poses:
        """Return the poses at the keyframes, with what is not given where the plain spline has it."""
        return Poses.from_rows(self.keyframes.spline().frames)

    def knows(self, tracks: Sequence[str]) -> Flags:
        """Return (K,): whether each keyframe gives all of these tracks, or says of them as little as all others."""
        columns = np.concatenate([np.arange(HUMAN.column_count)[HUMAN.columns[track]] for track in tracks])
        chosen = self.keyframes.given[:, columns]
        return np.array([row.all() for row in chosen], dtype=bool)


def align(name: str, turns: Array, known: Sequence[int], times: Sequence[float] | Array) -> None:
    """Give quaternions (K, 4), in place, the sign of the one known before them."""
    for before, after in pairwise(known):
        if turns[before] @ turns[after] < 0:
            turns[after] *= -1.0
        apart = float(quaternion.angle_between(turns[before], turns[after]))
        if apart > _FARTHEST:
            raise ArgumentError(
                f"{name.replace('_', ' ')} turns by {np.degrees(apart):.0f} degrees from the keyframe at "
                f"{times[before]:g} s to that at {times[after]:g} s: which way round? "
                "Put a keyframe between them"
            )
