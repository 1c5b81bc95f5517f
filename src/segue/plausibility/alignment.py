"""Align a motion with the motions it was made from: which frame of which source each of its frames shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.plausibility.observed import Observed
from segue.plausibility.planted import Flags, runs

__all__ = ["Piece", "align", "heading"]

_ALIKE = 0.03  # m, root mean square over all segments: poses that differ by less show the same moment
_SHORTEST = 0.25  # s: shorter pieces may be alike by chance
_LONGEST_HOLE = 0.1  # s: frames that a fault distorts, between frames that match
_BREAK = 0.2  # s by which the source's time jumps where a piece ends
_STRAIGHT = 0.75  # frames by which a piece played at one speed differs from a line, since whole frames are matched
_AT_ONCE = 512  # frames compared with all frames of a source at once


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
    if len(sources) == 1 and len(sources[0]) == len(seen):
        own, other = _features(seen, sources[0])
        alike = _rms(own - other) < _ALIKE
        if alike.mean() > 0.5:
            return [_piece(seen, sources[0], 0, np.arange(len(seen), dtype=float))]
    nearest, distance, which = _nearest(seen, sources)
    pieces = []
    for k, source in enumerate(sources):
        matched = _without_holes((distance < _ALIKE) & (which == k), round(_LONGEST_HOLE * seen.fps))
        for first, stop in runs(matched):
            at = nearest[first:stop].astype(float)
            sure = (distance[first:stop] < _ALIKE) & (which[first:stop] == k)
            at = np.interp(np.arange(len(at)), np.flatnonzero(sure), at[sure])
            jumps = np.flatnonzero(np.abs(np.diff(at)) > _BREAK * source.fps) + 1
            for a, b in zip([0, *jumps], [*jumps, len(at)], strict=True):
                if (b - a) * seen.dt >= _SHORTEST:
                    pieces.append(_piece(seen, source, first + a, _straightened(at[a:b], len(source))))
    return sorted(pieces, key=lambda piece: piece.first)


def heading(seen: Observed) -> Array:
    """Return (T,) the angle about the vertical to which the pelvis is turned, rad."""
    turned = seen.segments["pelvis"]
    return 2.0 * np.arctan2(turned[:, 2], turned[:, 0])


def _piece(seen: Observed, source: Observed, first: int, at: Array) -> Piece:
    slope = np.polyfit(np.arange(len(at)), at, 1)[0] if len(at) > 1 else 1.0
    return Piece(source, first, first + len(at), at, float(slope) * seen.fps / source.fps)


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
        turn = quaternion.exp(-heading(each)[:, None] * np.array([0.0, 1.0, 0.0]))
        places = np.stack([each.origins[name] - each.origins["pelvis"] for name in shared], axis=1)
        found.append(quaternion.rotate(turn[:, None], places))
    return found


def _rms(differences: Array) -> Array:
    found: Array = np.sqrt((differences**2).sum(axis=2).mean(axis=1))
    return found


def _nearest(seen: Observed, sources: Sequence[Observed]) -> tuple[npt.NDArray[np.int64], Array, npt.NDArray[np.int64]]:
    """Return for each frame (T,) the nearest frame of all sources, its distance in m, and the index of its source."""
    own, *others = _features(seen, *sources)
    segments = own.shape[1]
    flat = own.reshape(len(own), -1)
    best = np.full(len(own), np.inf)
    frame, which = np.zeros(len(own), dtype=np.int64), np.zeros(len(own), dtype=np.int64)
    for k, other in enumerate(others):
        rows = other.reshape(len(other), -1)
        squares = (rows**2).sum(axis=1)
        for first in range(0, len(flat), _AT_ONCE):
            part = flat[first : first + _AT_ONCE]
            distances = (part**2).sum(axis=1)[:, None] + squares - 2.0 * part @ rows.T
            near = distances.argmin(axis=1)
            least = np.take_along_axis(distances, near[:, None], axis=1)[:, 0]
            better = least < best[first : first + _AT_ONCE] - 1e-12
            for into, values in ((best, least), (frame, near), (which, np.full(len(near), k))):
                into[first : first + _AT_ONCE][better] = values[better]
    return frame, np.sqrt(np.maximum(best, 0.0) / segments), which


def _without_holes(flags: Flags, longest: int) -> Flags:
    """Return flags with short runs of false ones between true ones made true."""
    filled = flags.copy()
    for first, stop in runs(~flags):
        if first > 0 and stop < len(flags) and stop - first <= longest:
            filled[first:stop] = True
    return filled
