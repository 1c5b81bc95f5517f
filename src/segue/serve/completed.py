"""Motions for the screen: gaps and missing joints are held still, conflicts show their first motion."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from segue.body.figure import Poses
from segue.motion.functions import Function, Piece, PoseSource
from segue.motion.interval import TINY, Interval, Track
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, Sample, State
from segue.typing import Array


class _Held:
    """A source that stays as a function is at one time."""

    def __init__(self, function: Function, time: float) -> None:
        self.duration = 1.0
        self._state = function.state(np.array([time]))

    def state(self, times: Array) -> State:
        """Return the same state at all times, at rest."""

        def still(sample: Sample) -> Sample:
            value = np.repeat(sample.value, len(times), axis=0)
            velocity = np.zeros((len(times), *sample.velocity.shape[1:]))
            return Sample(value, velocity, np.zeros_like(velocity))

        return State(still(self._state.root), still(self._state.balls), still(self._state.hinges))


def is_complete(motion: Motion) -> bool:
    """Return whether every joint has one value at every time from start to stop."""
    if not motion.tracks.is_full_body:
        return False
    for track in motion.tracks.unique_tracks:
        edges = [motion.start, *(edge for part in track for edge in (part.start, part.stop)), motion.stop]
        if any(part.is_conflict for part in track):
            return False
        if any(high - low > TINY for low, high in zip(edges[::2], edges[1::2], strict=True)):
            return False
    return True


def completed(motion: Motion) -> Motion:
    """Return a motion that has one pose at every time, to be shown.

    In a gap, a joint keeps the value before the gap, or the first value after it. A joint that the motion does not
    have is in its rest pose. Of several functions in a conflict, the first counts.
    """
    if not motion.tracks or is_complete(motion):
        return motion
    rest = Piece(PoseSource(motion.figure, _rest(motion), motion.fps))
    whole = {name: _whole(motion.tracks.get(name), motion.start, motion.stop, rest) for name in TRACKS}
    return Motion(whole, motion.source)


def _rest(motion: Motion) -> Poses:
    found = Poses.zero(2)
    return Poses(found.root + np.array([0.0, motion.figure.leg_length, 0.0]), found.balls, found.hinges)


def _whole(track: Track | None, start: float, stop: float, rest: Function) -> Track:
    if not track:
        return Track((Interval(start, stop, (rest,)),))
    known = [Interval(part.start, part.stop, part.functions[:1]) for part in track]
    parts: list[Interval] = []
    if known[0].start - start > TINY:
        parts.append(_held(start, known[0].start, known[0], known[0].start))
    for before, after in pairwise(known):
        parts.append(before)
        if after.start - before.stop > TINY:
            parts.append(_held(before.stop, after.start, before, before.stop))
    parts.append(known[-1])
    if stop - known[-1].stop > TINY:
        parts.append(_held(known[-1].stop, stop, known[-1], known[-1].stop))
    return Track(tuple(parts))


def _held(start: float, stop: float, beside: Interval, time: float) -> Interval:
    return Interval(start, stop, (Piece(_Held(beside.functions[0], time)),))
