"""Erase untrusted frames: curves without the frames of a gap, and a figure fitted without bad frames."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from segue.curves.interpolate import Hole
from segue.errors import ArgumentError, warn_user
from segue.motion.clip_source import ClipSource
from segue.motion.functions import Blend, Function, Piece, PoseSource
from segue.motion.interval import TINY, Interval, Track
from segue.motion.motion import Motion
from segue.motion.options import UntrustedSpan, is_bad

_SAME_FRAME = 1e-6  # of a frame
_SAMPLED = (ClipSource, PoseSource)


def refitted(motion: Motion, spans: Iterable[tuple[float, float]], tracks: Collection[str]) -> Motion:
    """Return the motion with figures fitted without some tracks in some spans of time, if the capture is bad there.

    Bad joints may have pulled the fit of the other joints with them. If the capture is good, the motion is returned
    unchanged.
    """
    erased = motion.tracks.only(tracks).unique_tracks
    shown = {(clip_source, hole) for track in erased for clip_source, hole, _ in _shown(track, spans)}
    bad = {clip_source for clip_source, hole in shown if is_bad(clip_source.fit(), hole)}
    if not bad:
        return motion
    untrusted: dict[ClipSource, dict[Hole, set[str]]] = {clip_source: {} for clip_source in bad}
    for name in tracks:
        for clip_source, hole, piece in _shown(motion.tracks[name], spans):
            if clip_source in bad:
                untrusted[clip_source].setdefault(hole, set()).add(piece.source_track(name))
    # patches and cycles fit a figure of the present size only
    rescale = all(_is_clip(f) for track in motion.tracks.unique_tracks for part in track for f in part.functions)
    new = {
        clip_source: clip_source.refit_without(
            [UntrustedSpan(hole, frozenset(names)) for hole, names in sorted(holes.items())], rescale=rescale
        )
        for clip_source, holes in untrusted.items()
    }
    made: dict[ClipSource, ClipSource] = {}

    def change(function: Function) -> Function:
        if isinstance(function, Blend):
            return replace(function, first=change(function.first), second=change(function.second))
        if not (isinstance(function, Piece) and isinstance(function.source, ClipSource)):
            return function
        old = function.source
        if old.unpatched not in new:
            return function
        if old not in made:
            made[old] = old.with_fit_of(new[old.unpatched])
        return replace(function, source=made[old])

    source = motion.source
    if isinstance(source, ClipSource) and source.unpatched in new:
        source = new[source.unpatched]
    return Motion(motion.tracks.changed(lambda interval: interval.changed(change)), source)


def _is_clip(function: Function) -> bool:
    return isinstance(function, Piece) and isinstance(function.source, ClipSource)


def _shown(track: Track, spans: Iterable[tuple[float, float]]) -> Iterator[tuple[ClipSource, Hole, Piece]]:
    """Yield the clips of a track in some spans of time: the source without holes, the frames of the span, the piece.

    Spans without a frame are left out.
    """
    for start, stop in spans:
        for interval in track:
            ends = max(start, interval.start), min(stop, interval.stop)
            for function in interval.functions if ends[0] < ends[1] else ():
                if not (isinstance(function, Piece) and isinstance(function.source, ClipSource)):
                    continue
                clip_source, (rate, shift) = function.source, function.time
                low, high = sorted(clip_source.fps * (rate * at + shift) for at in ends)
                hole = (
                    max(math.floor(low + _SAME_FRAME), 0),
                    min(math.ceil(high - _SAME_FRAME), len(clip_source.clip) - 1),
                )
                if hole[1] - hole[0] > 1:
                    yield clip_source.unpatched, hole, function


def distrusted(motion: Motion, start: float, stop: float, tracks: Sequence[str]) -> tuple[Motion, float, float]:
    """Return the motion without some tracks from start to stop, and those times widened to whole frames.

    Curves of sampled sources are made again from the frames outside.
    """
    opened, closed = start, stop
    whole = len(tracks) == len(motion.tracks)
    chosen = motion.tracks if whole else motion.tracks.only(tracks)
    for track in chosen.unique_tracks:
        for at, towards in ((start, -1), (stop, 1)):
            interval = track.at(at)
            function = interval.functions[0] if interval is not None else None
            if isinstance(function, Piece) and isinstance(function.source, _SAMPLED):
                edge = _frame_time(function, at, towards)
                opened, closed = min(opened, edge), max(closed, edge)
    if opened <= motion.start + TINY or closed >= motion.stop - TINY:
        raise ArgumentError(
            f"the gap from {start:g} to {stop:g} s leaves no whole frame of the motion on one side: make it shorter"
        )
    without: dict[tuple[int, Hole], ClipSource | PoseSource] = {}
    empty: set[Hole] = set()

    def mend(function: Function) -> Function:
        if not (isinstance(function, Piece) and isinstance(function.source, _SAMPLED)):
            return function
        source = function.source
        low, high = sorted(source.fps * (function.time.rate * at + function.time.shift) for at in (opened, closed))
        hole = (max(round(low), 0), min(round(high), round(source.duration * source.fps)))
        if hole[1] - hole[0] < 2:
            empty.add(hole)
            return function
        key = (id(source), hole)
        if key not in without:
            without[key] = source.without_frames([hole])
        return replace(function, source=without[key])

    def change(interval: Interval) -> Interval:
        apart = interval.stop < opened - TINY or interval.start > closed + TINY
        return interval if apart else interval.changed(mend)

    new = chosen.changed(change).erased(opened, closed, tracks)
    if empty and not without:
        warn_user(
            f"no frame lies between {opened:g} and {closed:g} s, and the frames at both ends stay: no frame is erased; "
            "make the gap longer"
        )
    others = {name: track for name, track in motion.tracks.items() if name not in tracks}
    return Motion(new if whole else {**others, **new}, motion.source), opened, closed


def _frame_time(function: Piece, at: float, towards: int) -> float:
    """Return the motion's time of the frame of a curve's source at a time or next to it, earlier (-1) or later (1)."""
    source = function.source
    assert isinstance(source, _SAMPLED)
    rate, shift = function.time
    frame = source.fps * (rate * at + shift)
    outward = towards * (1 if rate > 0 else -1)
    whole = math.floor(frame + _SAME_FRAME) if outward < 0 else math.ceil(frame - _SAME_FRAME)
    return (whole / source.fps - shift) / rate
