"""Search frames of many clips for pairs that are alike: describe frames by few numbers, and query k-d trees.

Positions and velocities of eight points count, in the frame of the figure and in legs (`segue.filling.features`). Only
these 48 numbers of six frames a second are searched, and none of them depends on any other clip.

Every frame asks for its nearest frames in other clips, and for its nearest frames in its own clip, away from itself.
So the number of pairs grows with the number of frames and not with its square. A tree of N frames answers in a time
that grows about with log N. Clips are searched in blocks, so that neither a tree nor a task grows with the library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.filling.features import POINTS, RATE, frame_features, trace_of
from segue.typing import Array, Flags, Ints, Single

STRIDE = 5
"""Frames from one described frame to the next: a sixth of a second."""

_WEIGHTS = {
    "pelvis": 1.0,
    "head": 1.0,
    "left_foot": 1.0,
    "right_foot": 1.0,
    "left_shank": 0.7,
    "right_shank": 0.7,
    "left_hand": 0.5,
    "right_hand": 0.5,
}
"""The points, and how much a leg of distance counts. Hands move independently of the stride."""

_VELOCITY = 0.2  # s: how much a leg a second counts
_NEAR_FLOOR = 0.06  # m of the lowest point of a body that can be cut: it neither flies nor stands on something
_COLUMNS = np.array([3 * POINTS.index(name) + axis for name in _WEIGHTS for axis in range(3)])
_SCALES = np.repeat(np.array(list(_WEIGHTS.values()), np.float32), 3)

WIDTH = 2 * len(_COLUMNS)
"""Numbers that describe a frame."""


class Description(NamedTuple):
    """Frames (N,) of a clip that can be cut and rows (N, WIDTH) that describe them. on_floor: (T,) of all frames."""

    frames: Ints
    rows: Single
    on_floor: Flags


def describe_frames(figure: Figure, poses: Poses, sections: tuple[tuple[int, int], ...], margin: int) -> Description:
    """Describe every `STRIDE`-th frame of a clip that can be cut.

    sections: first frame, and the one after the last, of spans of sound capture. margin: frames from the ends of a
    section within which no frame is described.
    """
    on_floor = lowest_points(figure, poses) < _NEAR_FLOOR
    trace = trace_of(figure, poses)
    frames, edges = [], []
    for first, stop in sections:
        chosen = np.arange(first + margin, stop - margin, STRIDE)
        frames.append(chosen[on_floor[chosen]])
        edges.append(np.tile([first, stop - 1], (len(frames[-1]), 1)))
    wanted = np.concatenate([np.zeros(0, np.int64), *frames])
    features = frame_features(trace, "both", wanted, np.concatenate([np.zeros((0, 2), np.int64), *edges]))
    blocks = [_SCALES * features.pose[:, _COLUMNS], _VELOCITY * _SCALES * features.velocity[:, _COLUMNS]]
    return Description(wanted, np.concatenate(blocks, axis=1).astype(np.float32), on_floor)


def lowest_points(figure: Figure, poses: Poses) -> Single:
    """Return the height of the lowest point of the body, (T,) in m."""
    positions, rotations = figure.forward(poses)
    heights = [positions[:, :, 1].min(axis=1)]
    for segment, place in (figure.points[name] for name in figure.outer_points):
        s = HUMAN.segments.index(segment)
        heights.append(positions[:, s, 1] + quaternion.rotate(rotations[:, s], place)[:, 1])
    lowest: Single = np.min(heights, axis=0)
    return lowest


OTHERS, OWN = 8, 4
"""Nearest frames in other clips, and in the same clip, that every frame asks for."""

_AWAY = round(2.0 * RATE)  # frames: nearer frames of the same clip show the same moment
_LOOKED = OWN + 2 * (_AWAY // STRIDE) + 1


class Described(NamedTuple):
    """The described frames of a clip: its number in the library, frames (N,), and rows (N, D)."""

    clip: int
    frames: Ints
    rows: Single


class Pairs(NamedTuple):
    """Pairs of frames that are alike, (M,) each: clips and frames of both, and their distance in weighted legs."""

    clip: Ints
    frame: Ints
    other: Ints
    at: Ints
    distance: Array

    @classmethod
    def joined(cls, parts: Iterable[Pairs]) -> Pairs:
        """Return the pairs of several, one after another."""
        none = np.zeros(0, np.int64)
        columns = zip(cls(none, none, none, none, np.zeros(0)), *parts, strict=True)
        clip, frame, other, at, distance = map(np.concatenate, columns)
        return cls(clip, frame, other, at, distance)

    @property
    def number(self) -> int:
        """How many pairs there are."""
        return len(self.clip)

    def only(self, chosen: Flags | Ints) -> Pairs:
        """Return some of the pairs."""
        clip, frame, other, at, distance = self
        return Pairs(clip[chosen], frame[chosen], other[chosen], at[chosen], distance[chosen])


def search_block(asking: Sequence[Described], asked: Sequence[Described]) -> Pairs:
    """Return for each frame of the clips in one block its nearest frames in the clips of another, or the same, block.

    Frames of the clip itself are asked if the clip is in both blocks.
    """
    found = [_nearest_others(clip, asked) for clip in asking if len(clip.frames)]
    known = {clip.clip for clip in asked}
    found += [_nearest_own(clip) for clip in asking if clip.clip in known and len(clip.frames) > _LOOKED]
    return Pairs.joined(found)


def nearest_of(pairs: Pairs) -> Pairs:
    """Return the pairs from several blocks of which each frame keeps its nearest, in an order of their own.

    The result does not depend on how clips were divided into blocks.
    """
    own = pairs.clip == pairs.other
    kept = [_first(pairs.only(own), OWN), _first(pairs.only(~own), OTHERS)]
    return Pairs.joined(kept)


def _first(pairs: Pairs, count: int) -> Pairs:
    """Return for each frame of each clip its first pairs by distance."""
    ordered = pairs.only(np.lexsort((pairs.at, pairs.other, pairs.distance, pairs.frame, pairs.clip)))
    rank = _places((ordered.at, ordered.other, ordered.distance), (ordered.frame, ordered.clip))
    return ordered.only(rank < count)


def _nearest_others(clip: Described, asked: Sequence[Described]) -> Pairs:
    others = [each for each in asked if each.clip != clip.clip and len(each.frames)]
    if not others:
        return Pairs.joined([])
    rows = np.concatenate([each.rows for each in others])
    clips = np.repeat([each.clip for each in others], [len(each.frames) for each in others])
    frames = np.concatenate([each.frames for each in others])
    distance, found = _ask(rows, clip.rows, min(OTHERS, len(rows)))
    asking = np.repeat(clip.frames, distance.shape[1])
    return Pairs(np.full(len(asking), clip.clip), asking, clips[found].ravel(), frames[found].ravel(), distance.ravel())


def _nearest_own(clip: Described) -> Pairs:
    distance, found = _ask(clip.rows, clip.rows, min(_LOOKED, len(clip.rows)))
    asking = np.repeat(clip.frames, distance.shape[1])
    at = clip.frames[found].ravel()
    pairs = Pairs(*(np.full(len(asking), clip.clip), asking, np.full(len(asking), clip.clip), at, distance.ravel()))
    return _first(pairs.only(np.abs(at - asking) >= _AWAY), OWN)


def _ask(rows: Single, asking: Single, count: int) -> tuple[Array, Ints]:
    """Return distances (M, count) and positions of the nearest rows (N, D) of each asking row (M, D)."""
    distance, found = cKDTree(rows).query(asking, k=np.arange(1, count + 1))
    return np.round(distance, 6), np.asarray(
        found, np.int64
    )  # sums may differ in the last digit with the place of a row in the tree


_BIN = round(RATE)  # frames within which a clip gets its best pairs
_OWN_BIN = 3 * _BIN  # the same for pairs within one clip
_RANK = 0.01  # weighted legs for each second of a clip that is nearer to the other clip: a third clip may be as good


class Wanted(NamedTuple):
    """A transition to try: the first clip near a frame, into the second clip near a frame."""

    first: int
    left: int
    second: int
    entered: int


def shortlist(pairs: Pairs, tries: int) -> Iterator[Wanted]:
    """Yield the transitions to try around the frames of one clip, in both directions.

    pairs: of frames of the one clip, as `nearest_of` returns them. tries: pairs for each second of the clip. Each
    second takes the nearest other clips. The seconds that are near to the same other clip are ranked, and each place
    down adds to the distance. So a clip is tried where it is nearest. The ranks of other clips do not depend on what is
    chosen, so an added clip changes few choices.
    """
    own = pairs.clip == pairs.other
    for part, width in ((pairs.only(~own), _BIN), (pairs.only(own), _OWN_BIN)):
        bins = part.frame // width
        nearest = _places((part.at, part.frame, part.distance), (part.other, bins)) == 0
        best, bins = part.only(nearest), bins[nearest]
        rank = best.distance + _RANK * _places((best.frame, best.distance), (best.other,))
        chosen = best.only(_places((best.other, rank), (bins,)) < tries)
        for clip, frame, other, at in zip(*(column.tolist() for column in chosen[:4]), strict=True):
            yield Wanted(clip, frame, other, at)
            yield Wanted(other, at, clip, frame)


def _places(keys: Sequence[Array | Ints], groups: Sequence[Ints]) -> Ints:
    """Return the place of each element in the order of its group, from 0; the last key counts most."""
    order = np.lexsort((*keys, *groups))
    new = np.zeros(len(order), dtype=bool)
    for column in groups:
        new |= np.diff(column[order], prepend=column[order[:1]] - 1) != 0
    starts = np.flatnonzero(new)
    found = np.empty(len(order), np.int64)
    found[order] = np.arange(len(order)) - np.repeat(starts, np.diff([*starts, len(order)]))
    return found
