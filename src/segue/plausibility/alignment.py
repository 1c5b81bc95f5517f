"""Align a motion with the motions it was made from: which frame of which source each of its frames shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.curves.sampled import runs
from segue.plausibility.observed import Observed
from segue.typing import Array, Flags

_ALIKE = 0.03  # m, root mean square over all segments: poses that differ by less show the same frame
_COPIED = 0.001  # m, as above: a frame that differs by less was copied from its source
_CHANGED = 1e-4  # m^2 that a frame costs if it was not copied: copies decide, even where a body hardly moves
_STILL = 0.01  # m, as above: a piece that is so much like its source at the same speed plays at that speed
_SHORTEST = 0.25  # s: shorter pieces may be alike by chance
_LONGEST_HOLE = 0.1  # s: frames that a fault distorts, between frames that match
_BREAK = 0.2  # s by which the source's time jumps where a piece ends
_STRAIGHT = 0.75  # frames by which a piece played at one speed differs from a line, since whole frames are matched
_FASTEST = 3.0  # times the speed of its source that a motion may play
_UNEVEN = 1e-6  # m^2 that an uneven step through a source costs, to choose among poses that are the same
_NOWHERE = 1e3  # m
_MOST_CELLS = 6e7  # pairs of frames to compare: of longer motions only every second frame, or fewer


@dataclass(frozen=True, eq=False)
class Piece:
    """Frames first to stop (excluded) of a motion that show a source.

    at: (stop - first,) the source's frame for each, a whole number where a frame was copied. speed: seconds of the
    source for each second of the motion.
    """

    source: Observed
    first: int
    stop: int
    at: Array
    speed: float


def align(seen: Observed, sources: Sequence[Observed]) -> list[Piece]:
    """Return the pieces of a motion that its sources show, in order of time; frames that none shows are in no piece."""
    own, *others = _features(seen, *sources)
    if len(sources) == 1 and len(sources[0]) == len(seen):
        alike = _rms(own - others[0]) < _ALIKE
        if alike.mean() > 0.5:
            return [Piece(sources[0], 0, len(seen), np.arange(len(seen), dtype=float), seen.fps / sources[0].fps)]
    nearest, distance, which = _nearest(seen, sources, own, others)
    pieces = []
    for k, source in enumerate(sources):
        matched = _without_holes((distance < _ALIKE) & (which == k), round(_LONGEST_HOLE * seen.fps))
        for first, stop in runs(matched):
            at = nearest[first:stop].astype(float)
            sure = (distance[first:stop] < _ALIKE) & (which[first:stop] == k)
            at = np.interp(np.arange(len(at)), np.flatnonzero(sure), at[sure])
            jumps = np.flatnonzero(np.abs(np.diff(at)) > _BREAK * source.fps) + 1
            for a, b in zip([0, *jumps], [*jumps, len(at)], strict=True):
                low, high = _copied_part(seen, distance, first + a, first + b)
                if (high - low) * seen.dt >= _SHORTEST:
                    part = _straightened(at[low - first : high - first], len(source))
                    speed = _speed(own[low:high], others[k], part, source.fps / seen.fps)
                    pieces.append(Piece(source, low, high, part, speed))
    return sorted(pieces, key=lambda piece: piece.first)


def _copied_part(seen: Observed, distance: Array, first: int, stop: int) -> tuple[int, int]:
    """Return the part of frames first to stop that begins and ends with a copy, if there are enough copies.

    The frames of a transition beside a copied part are like its source, too. They are no part of it, for they neither
    keep its speed nor stand where its feet stand. The part reaches to the ends of the motion where it did before.
    """
    copied = first + np.flatnonzero(distance[first:stop] < _COPIED)
    if len(copied) * seen.dt < _SHORTEST:
        return first, stop
    return first if first == 0 else int(copied[0]), stop if stop == len(seen) else int(copied[-1]) + 1


def heading(seen: Observed) -> Array:
    """Return (T,) the angle about the vertical to which the pelvis is turned, rad."""
    return quaternion.headings(seen.segments["pelvis"])


def _speed(own: Array, other: Array, at: Array, usual: float) -> float:
    """Return how many times as fast as its source a piece plays; 1 for a body that is too still to show it.

    own: (K, S, 3) places of the piece's frames. other: those of its source. at: (K,) the source's frame for each.
    usual: frames of the source for each frame of the piece at the same speed.
    """
    count = np.arange(len(at))
    steady = np.median(at - usual * count) + usual * count
    whole = np.clip(np.round(steady), 0, len(other) - 1).astype(int)
    if _rms(own - other[whole]).max() < _STILL:
        return 1.0
    return float(np.polyfit(count, at, 1)[0]) / usual if len(at) > 1 else 1.0


def _straightened(at: Array, frames: int) -> Array:
    """Return a line through the matched frames if they lie on one, and else their moving average."""
    count = np.arange(len(at))
    line = np.polyval(np.polyfit(count, at, 1), count)
    if np.abs(line - at).max() > _STRAIGHT:
        width = min(9, len(at) - 1 + len(at) % 2)
        line = np.convolve(
            np.pad(at, width // 2, mode="reflect", reflect_type="odd"), np.full(width, 1 / width), "valid"
        )
    whole = np.round(line)
    if np.abs(line - whole).max() < 0.05:
        line = whole
    return np.clip(line, 0.0, frames - 1.0)


def _features(*seen: Observed) -> list[Array]:
    """Return for each motion (T, S, 3) where segments are from the pelvis, m, turned to face one way."""
    shared = [name for name in seen[0].origins if all(name in each.origins for each in seen)]
    found = []
    for each in seen:
        turn = quaternion.about_up(-heading(each))
        places = np.stack([each.origins[name] - each.origins["pelvis"] for name in shared], axis=1)
        found.append(quaternion.rotate(turn[:, None], places))
    return found


def _rms(differences: Array) -> Array:
    found: Array = np.sqrt((differences**2).sum(axis=2).mean(axis=1))
    return found


def _nearest(
    seen: Observed, sources: Sequence[Observed], own: Array, others: Sequence[Array]
) -> tuple[npt.NDArray[np.int64], Array, npt.NDArray[np.int64]]:
    """Return for each frame (T,) the frame of a source that it shows best, the distance in m, and which source.

    The frames of a source follow each other, at up to three times their speed, unless a jump to another place matches
    for long enough: the path of least cost. Strides of a walk are too similar to match single frames by themselves.
    """
    steps = int(np.ceil(_FASTEST * max(source.fps for source in sources) / seen.fps))
    stride = max(1, int(np.ceil(np.sqrt(len(own) * sum(map(len, others)) / _MOST_CELLS))))
    rows = [other[::stride].reshape(len(other[::stride]), -1) for other in others]
    # frames that are like nothing part the sources, so that no path goes from one to the next without a jump
    apart = np.full((steps, rows[0].shape[1]), _NOWHERE)
    whole = np.concatenate([part for other in rows for part in (apart, other)])
    frames = np.concatenate([np.append(np.zeros(steps), stride * np.arange(len(other))) for other in rows])
    which = np.concatenate([np.full(steps + len(other), k) for k, other in enumerate(rows)])
    flat = own[::stride].reshape(len(own[::stride]), -1)
    path, distance = _path(flat, whole, own.shape[1], steps, seen.fps / stride, sources[0].fps / seen.fps)
    back = np.minimum(np.arange(len(own)) // stride, len(path) - 1)
    found = frames[path].astype(np.int64)[back]
    if stride > 1:
        found = np.minimum(
            found + np.arange(len(own)) % stride, np.array([len(o) for o in others])[which[path][back]] - 1
        )
    return found, distance[back], which[path][back]


def _path(
    own: Array, other: Array, segments: int, steps: int, fps: float, usual: float
) -> tuple[npt.NDArray[np.int64], Array]:
    """Return (T,) rows of `other` (S, F) along which rows of `own` (T, F) go at the least cost, and their distances."""
    jump, squares = _ALIKE**2 * _LONGEST_HOLE * fps, (other**2).sum(axis=1)
    back = np.zeros((len(own), len(other)), dtype=np.int8)
    origins = np.zeros(len(own), dtype=np.int64)
    cost = np.zeros(len(other))
    for k, row in enumerate(own):
        away = np.maximum((row @ row + squares - 2.0 * other @ row) / segments, 0.0)
        if k:
            origins[k] = int(cost.argmin())
            best = np.full(len(other), cost[origins[k]] + jump)
            back[k] = -1
            for step in range(steps + 1):
                through = np.full(len(other), np.inf)
                through[step:] = cost[: len(other) - step] + _UNEVEN * abs(step - usual)
                better = through < best
                best[better], back[k][better] = through[better], step
            cost = best
        cost = cost + np.minimum(away, (2.0 * _ALIKE) ** 2) + _CHANGED * (away > _COPIED**2)
        cost[away > 0.5 * _NOWHERE**2] = np.inf
    path = np.zeros(len(own), dtype=np.int64)
    path[-1] = int(cost.argmin())
    for k in range(len(own) - 1, 0, -1):
        step = int(back[k, path[k]])
        path[k - 1] = origins[k] if step < 0 else path[k] - step
    return path, np.sqrt(((own - other[path]) ** 2).sum(axis=1) / segments)


def _without_holes(flags: Flags, longest: int) -> Flags:
    """Return flags with short runs of false ones between true ones made true."""
    filled = flags.copy()
    for first, stop in runs(~flags):
        if first > 0 and stop < len(flags) and stop - first <= longest:
            filled[first:stop] = True
    return filled
