"""Keyframes of a figure put together: rows of coordinates over time, and which of them are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.keyframe.keyframes import Keyframes
from segue.keyframe.keys import Key, t_pose
from segue.motion.tracks import TRACKS, Kind
from segue.typing import Array, Flags

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
    keyframes: Keyframes
    tracks: tuple[str, ...]

    @classmethod
    def of(cls, figure: Figure, keys: Sequence[Key]) -> FigureKeyframes:
        """Return keyframes in the order given, which must be that of time."""
        for entry in keys:
            if not isinstance(entry, Key):
                raise ArgumentError(f"{entry!r} is no keyframe: make one with key or pose_key")
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
        keyframes = Keyframes([each.time for each in keys], rows, given)
        return cls(figure, keyframes, tuple(track for track in TRACKS if track in said))

    @property
    def times(self) -> Array:
        """(K,), s."""
        return self.keyframes.times

    def poses(self) -> Poses:
        """Return the poses at the keyframes, with what is not given where the plain spline has it."""
        return Poses.of_rows(self.keyframes.spline().frames)

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
