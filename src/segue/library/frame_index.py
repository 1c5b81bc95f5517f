"""An index of all frames of many clips, to be searched for matches of a gap."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.errors import ArgumentError
from segue.filling.features import POINTS, RATE, Features, Trace, moment_features, stances_of, trace_of
from segue.library._search_kernels import Rows, Small
from segue.library.basis import Basis, basis_of
from segue.library.library_clip import LibraryClip
from segue.typing import Single

MARGIN = 3
"""Frames of a section that must be left on both sides of a match: its velocities at the ends are taken from them."""

_LOOKED_AT = 4_000
"""About how many frames the basis is made from."""


class Poses32(NamedTuple):
    """Poses of all frames: root (N, 3) in legs, balls (N, 7, 4), hinges (N, 20)."""

    root: Single
    balls: Single
    hinges: Single


class FrameIndex:
    """The frames of clips, with features of every frame.

    basis: that of other moments, so that both can be searched together; one that suits the entries where None.
    """

    def __init__(self, entries: Iterable[LibraryClip], *, basis: Basis | None = None) -> None:
        self.entries = tuple(entries)
        for entry in self.entries:
            if not isinstance(entry, LibraryClip):
                raise ArgumentError(f"an index is made of clips of a library, not of {entry!r}")
        self._ends = np.cumsum([0, *map(len, self.entries)], dtype=np.int64)
        seen = [_seen(entry) for entry in self.entries] or [_NOTHING]
        self.basis = basis or _basis(seen)
        self.rows = Rows(
            np.concatenate([self.basis.pose.rows(each.before.pose) for each in seen]),
            np.concatenate([self.basis.motion(each.before) for each in seen]),
            np.concatenate([self.basis.motion(each.after) for each in seen]),
            np.concatenate([each.places for each in seen]),
            np.concatenate([each.headings for each in seen]),
            *self._sections(),
        )
        self.stances = np.concatenate([each.stances for each in seen])
        self.poses = Poses32(
            _joined([entry.root / np.float32(entry.figure.leg_length) for entry in self.entries], 3),
            _joined([entry.balls for entry in self.entries], len(HUMAN.ball_names), 4),
            _joined([entry.hinges for entry in self.entries], len(HUMAN.hinge_names)),
        )

    def __len__(self) -> int:
        return int(self._ends[-1])

    @property
    def minutes(self) -> float:
        """The minutes of all sections."""
        return sum(stop - start for entry in self.entries for start, stop in entry.sections) / RATE / 60.0

    @property
    def nbytes(self) -> int:
        """The bytes of memory that the index takes."""
        return sum(part.nbytes for part in (*self.rows, *self.poses, self.stances))

    def place_of(self, frame: int) -> tuple[LibraryClip, float]:
        """Return the clip of a frame, and the time of the frame in the clip, in s."""
        index = int(np.searchsorted(self._ends, frame, side="right")) - 1
        return self.entries[index], (frame - int(self._ends[index])) / RATE

    def without(self, entries: Collection[int]) -> FrameIndex:
        """Return an index in which some clips, given by their positions, are not searched."""
        if not entries:
            return self
        other = copy(self)
        other.entries = tuple(
            replace(entry, sections=()) if k in entries else entry for k, entry in enumerate(self.entries)
        )
        first, last = other._sections()
        other.rows = self.rows._replace(first=first, last=last)
        return other

    def _sections(self) -> tuple[Small, Small]:
        """Return the first and last frame (N,) of the section that each frame is in; none where it is in no section."""
        first = np.full(len(self), len(self), np.int32)
        last = np.full(len(self), -1, np.int32)
        for entry, (begin, end) in zip(self.entries, pairwise(self._ends.tolist()), strict=True):
            for start, stop in entry.sections:
                low, high = begin + max(start, 0), min(begin + stop, end)
                first[low:high], last[low:high] = low, high - 1
        return first, last


class _Seen(NamedTuple):
    """The features of all frames of an entry from both sides, places (T, 2) of the root in legs, and headings (T,).

    stances: (T, 4), see `stances_of`.
    """

    before: Features
    after: Features
    places: Single
    headings: Single
    stances: Single


_NOTHING = _Seen(
    *(2 * (Features(*np.zeros((3, 0, 3 * len(POINTS)), np.float32)),)),
    np.zeros((0, 2), np.float32),
    np.zeros(0, np.float32),
    np.zeros((0, 4), np.float32),
)


def _seen(entry: LibraryClip) -> _Seen:
    """Return what the search sees of an entry; no frame looks beyond its section."""
    trace = clip_trace(entry)
    edges = np.tile(np.array([0, len(entry) - 1]), (len(entry), 1))
    for start, stop in entry.sections:
        edges[max(start, 0) : stop] = max(start, 0), min(stop, len(entry)) - 1
    before, after = (moment_features(trace, side, np.arange(len(entry)), edges) for side in ("before", "after"))
    return _Seen(before, after, trace.points[:, 0, [0, 2]], trace.headings, stances_of(trace))


def clip_trace(entry: LibraryClip) -> Trace:
    """Return a clip as features see it."""
    root, balls, hinges = (part.astype(float) for part in (entry.root, entry.balls, entry.hinges))
    return trace_of(entry.figure, Poses(root, balls, hinges))


def _basis(seen: list[_Seen]) -> Basis:
    """Return the basis of frames that are spread evenly over all entries."""
    step = max(1, sum(len(each.before) for each in seen) // _LOOKED_AT)
    sides = ([each.before[::step] for each in seen], [each.after[::step] for each in seen])
    return basis_of(*map(Features.joined, sides))


def _joined(parts: list[Single], *shape: int) -> Single:
    return np.concatenate([np.zeros((0, *shape), np.float32), *parts])
