"""An index of all frames of many clips, to be searched for matches of a gap, in a basis of few numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.body.layout import mirror_name
from segue.errors import ArgumentError
from segue.filling.features import (
    POINTS,
    RATE,
    Features,
    Trace,
    frame_features,
    point_weights,
    reduced_rows,
    stances_of,
    trace_of,
)
from segue.library._search_kernels import Rows, Small
from segue.library.library_clip import LibraryClip
from segue.typing import Array, Single

MARGIN = 3
"""Frames of a section that must remain on both sides of a match, from which its velocities at the ends are taken."""

_TOES = [POINTS.index(name) for name in ("left_toes", "right_toes")]
_TOE_HEIGHT, _RAISED = 0.03, 0.06
"""Height of a resting toe joint, and of ground that counts as raised, in legs."""
_RESTS, _LOWEST = 0.5, 0.1
"""Stance from which a toe joint rests, and the quantile of resting heights that counts as the ground."""

_SAMPLED = 4_000
"""Approximate number of frames from which the basis is computed."""


class Poses32(NamedTuple):
    """Poses of all frames: root (N, 3) in legs, balls (N, 7, 4), hinges (N, 20)."""

    root: Single
    balls: Single
    hinges: Single


class FrameIndex:
    """The frames of clips, with features of every frame.

    basis: of another index, so that both can be searched together; computed from the entries where None.
    """

    def __init__(self, entries: Iterable[LibraryClip], *, basis: Basis | None = None) -> None:
        self.entries = tuple(entries)
        for entry in self.entries:
            if not isinstance(entry, LibraryClip):
                raise ArgumentError(f"an index is made of clips of a library, not of {entry!r}")
        self._ends = np.cumsum([0, *map(len, self.entries)], dtype=np.int64)
        parts = [_clip_features(entry) for entry in self.entries] or [_EMPTY]
        self.basis = basis or _basis(parts)
        self.rows = Rows(
            np.concatenate([self.basis.pose.rows(each.before.pose) for each in parts]),
            np.concatenate([self.basis.motion(each.before) for each in parts]),
            np.concatenate([self.basis.motion(each.after) for each in parts]),
            np.concatenate([each.places for each in parts]),
            np.concatenate([each.headings for each in parts]),
            *self._sections(),
        )
        self.stances = np.concatenate([each.stances for each in parts])
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
        """Return the first and last frame (N,) of the section of each frame; an empty range outside sections."""
        first = np.full(len(self), len(self), np.int32)
        last = np.full(len(self), -1, np.int32)
        for entry, (begin, end) in zip(self.entries, pairwise(self._ends.tolist()), strict=True):
            for start, stop in entry.sections:
                low, high = begin + max(start, 0), min(begin + stop, end)
                first[low:high], last[low:high] = low, high - 1
        return first, last


class _ClipFeatures(NamedTuple):
    """The features of all frames of an entry from both sides, places (T, 2) of the root in legs, and headings (T,).

    stances: (T, 4), see `stances_of`.
    """

    before: Features
    after: Features
    places: Single
    headings: Single
    stances: Single


_EMPTY = _ClipFeatures(
    *(2 * (Features(*np.zeros((3, 0, 3 * len(POINTS)), np.float32)),)),
    np.zeros((0, 2), np.float32),
    np.zeros(0, np.float32),
    np.zeros((0, 4), np.float32),
)


def _clip_features(entry: LibraryClip) -> _ClipFeatures:
    """Return the features of an entry; those of a frame use no frame outside its section."""
    trace = _above_ground(entry, clip_trace(entry))
    edges = np.tile(np.array([0, len(entry) - 1]), (len(entry), 1))
    for start, stop in entry.sections:
        edges[max(start, 0) : stop] = max(start, 0), min(stop, len(entry)) - 1
    before, after = (frame_features(trace, side, np.arange(len(entry)), edges) for side in ("before", "after"))
    return _ClipFeatures(before, after, trace.points[:, 0, [0, 2]], trace.headings, stances_of(trace))


def clip_trace(entry: LibraryClip) -> Trace:
    """Return points and headings of a clip."""
    root, balls, hinges = (part.astype(float) for part in (entry.root, entry.balls, entry.hinges))
    return trace_of(entry.figure, Poses(root, balls, hinges))


def _above_ground(entry: LibraryClip, trace: Trace) -> Trace:
    """Return the points of a clip with heights from the ground on which toe joints rest in each section.

    The fit of a clip puts its ground at 0. A section may be on a platform, or may begin on top of stairs.
    """
    points = trace.points.copy()
    for start, stop in entry.sections:
        own = points[max(start, 0) : stop]
        resting = stances_of(Trace(own, trace.headings[max(start, 0) : stop]))[:, [1, 3]] > _RESTS
        heights = own[:, _TOES, 1][resting]
        low = float(np.quantile(heights, _LOWEST)) - _TOE_HEIGHT if len(heights) else 0.0
        if abs(low) > _RAISED:
            own[:, :, 1] -= np.float32(low)
    return Trace(points, trace.headings)


def _basis(parts: list[_ClipFeatures]) -> Basis:
    """Return the basis of frames that are spread evenly over all entries."""
    step = max(1, sum(len(each.before) for each in parts) // _SAMPLED)
    sides = ([each.before[::step] for each in parts], [each.after[::step] for each in parts])
    return basis_of(*map(Features.joined, sides))


def _joined(parts: list[Single], *shape: int) -> Single:
    return np.concatenate([np.zeros((0, *shape), np.float32), *parts])


_POSE, _VELOCITY, _CONTEXT = 24, 24, 20
"""Number of principal components of each block, with at least 97 % of the variance."""


class Block(NamedTuple):
    """One block's basis: directions (3 P, D) of weighted features less a mean (3 P,), and signs (D,) in a mirror."""

    mean: Single
    directions: Single
    signs: Single

    def rows(self, features: Single) -> Single:
        """Return features (M, 3 P) in the basis, (M, D)."""
        reduced: Single = reduced_rows(features, point_weights(), self.mean, self.directions)
        return reduced

    def missed(self, features: Single) -> float:
        """Return the square of what the basis leaves out of features (3 P,)."""
        whole = features * point_weights() - self.mean
        kept = self.rows(features[None])
        return float(max(np.square(whole).sum() - np.square(kept).sum(), 0.0))


class Basis(NamedTuple):
    """The bases of all blocks: few numbers that distinguish frames nearly as well as all features.

    Principal directions of a block of features, separately for what a mirror leaves unchanged and for what it
    reverses. Mirroring a frame then only changes the signs of some numbers, and each clip is searched once.
    """

    pose: Block
    velocity: Block
    context: Block

    def motion(self, features: Features) -> Single:
        """Return velocity and context of frames side by side, (M, E)."""
        return np.concatenate([self.velocity.rows(features.velocity), self.context.rows(features.context)], axis=1)

    @property
    def motion_signs(self) -> Single:
        """The signs of `motion` in a mirror, (E,)."""
        return np.concatenate([self.velocity.signs, self.context.signs])

    def motion_weights(self, velocity: float, context: float) -> Single:
        """Return the weights of the squares of `motion`, (E,)."""
        counts = (velocity**2, context**2)
        return np.repeat(counts, [len(self.velocity.signs), len(self.context.signs)]).astype(np.float32)


def basis_of(before: Features, after: Features) -> Basis:
    """Return the basis of frames, from their features before and after."""
    velocity = np.concatenate([before.velocity, after.velocity])
    context = np.concatenate([before.context, after.context])
    return Basis(
        _block(before.pose, _POSE, centred=True),
        # not centred, so that another speed only scales the numbers
        _block(velocity, _VELOCITY, centred=False),
        _block(context, _CONTEXT, centred=False),
    )


def _block(features: Single, count: int, *, centred: bool) -> Block:
    """Return the principal directions of features (M, 3 P) and their mirror images."""
    even, odd = _halves()
    values = features.astype(float) * point_weights()
    mean = even @ (even.T @ values.sum(axis=0) / max(len(values), 1)) if centred else np.zeros(values.shape[1])
    found = []
    for half, sign in ((even, 1.0), (odd, -1.0)):
        # no product of matrices, which would depend on the number of threads
        own = np.einsum("mi,ij->mj", values - mean, half)
        variances, vectors = np.linalg.eigh(np.einsum("mi,mj->ij", own, own))
        found += [(variance, sign, half @ vector) for variance, vector in zip(variances, vectors.T, strict=True)]
    found.sort(key=lambda each: -each[0])
    kept = found[:count]
    directions = np.stack([vector for _, _, vector in kept], axis=1)
    signs = np.array([sign for _, sign, _ in kept])
    return Block(mean.astype(np.float32), np.ascontiguousarray(directions, np.float32), signs.astype(np.float32))


def _halves() -> tuple[Array, Array]:
    """Return orthonormal bases of the even and the odd part of a block in a mirror, (3 P, ...) each."""
    size = 3 * len(POINTS)
    mirror = np.zeros((size, size))
    for p, name in enumerate(POINTS):
        other = POINTS.index(mirror_name(name))
        for axis, sign in enumerate((-1.0, 1.0, 1.0)):
            mirror[3 * p + axis, 3 * other + axis] = sign
    values, vectors = np.linalg.eigh(mirror)
    return vectors[:, values > 0], vectors[:, values < 0]
