"""Runs of frames: what of a motion an edit leaves as it is, but for a move on the floor and in time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from segue.body.figure import Poses
from segue.filling.solving import Patch
from segue.motion.functions import IDENTITY, Function, Piece, Placement, TimeMap
from segue.motion.motion import Motion
from segue.motion.time_segments import ALL, ActiveFunctions
from segue.motion.tracks import State
from segue.typing import Array, Flags

Move = tuple[float, float, float, float]
"""A turn about the vertical through the origin, in rad, then a shift by (x, y, z), in m."""

_TIME_DIGITS = 9  # of a shift in s between functions
_PHASE_DIGITS = 6  # of a part of a frame: at 60 frames a second a fast hand moves 0.1 um in that time


@dataclass(frozen=True)
class Run:
    """Frames of a motion that the same functions give, in the place and time of these functions.

    first, count: frames of the motion. begin: number of the first one in the functions' time, where frame n is at
    (n + phase) / fps s. key: equal for runs whose frames of equal number are the same. move: to the motion's place.
    """

    first: int
    count: int
    begin: int
    phase: float
    fps: float
    functions: Sequence[tuple[Function, Flags]]
    key: tuple[object, ...]
    move: Move

    @property
    def stop(self) -> int:
        """The number after the last frame in the functions' time."""
        return self.begin + self.count

    def poses(self, first: int, count: int) -> Poses:
        """Return frames, counted in the functions' time, without the move."""
        times: Array = (np.arange(first, first + count, dtype=float) + self.phase) / self.fps
        whole = self.functions[0][0] if len(self.functions) == 1 else None
        active = ActiveFunctions(list(self.functions), ~ALL, [], whole)
        state = active.state(ALL, times)
        if state is None:
            state = State.still(count)
            active.write(ALL, times, 0, state)
        return state.poses


def runs_of(motion: Motion, lift: float) -> Iterator[Run]:
    """Yield the runs of a motion; lift: in m, added to heights."""
    fps, times = motion.fps, motion.times
    for chosen, _, active in motion.segments.runs(times):
        functions, shift, placement = _own(active.functions)
        number = (float(times[chosen.start]) + shift) * fps
        begin = math.floor(number)
        phase = round(number - begin, _PHASE_DIGITS)
        if phase >= 1.0:
            begin, phase = begin + 1, 0.0
        key = fps, phase, *((_token(function), tracks.tobytes()) for function, tracks in functions)
        move = placement.turn, placement.x, lift, placement.z
        yield Run(chosen.start, chosen.stop - chosen.start, begin, phase, fps, functions, key, move)


def _own(functions: Sequence[tuple[Function, Flags]]) -> tuple[list[tuple[Function, Flags]], float, Placement]:
    """Return functions in their own place and time, what to add to a time of the motion in s, and the move back.

    Functions that are not all pieces stay as they are, and so do those of which none has the whole root.
    """
    pieces = [(function, tracks) for function, tracks in functions if isinstance(function, Piece)]
    root = next((piece for piece, tracks in pieces if tracks[:2].all()), None)
    if root is None or len(pieces) < len(functions):
        return list(functions), 0.0, IDENTITY
    shift, (turn, x, z, scale, rise) = root.time.shift / root.time.rate, root.placement
    bare = Placement(scale=scale, rise=rise)
    own: list[tuple[Function, Flags]] = []
    for piece, tracks in pieces:
        rate = piece.time.rate
        time = TimeMap(rate, round(piece.time.shift - rate * shift, _TIME_DIGITS) + 0.0)
        # a move changes the root alone
        own.append((Piece(piece.source, time, piece.mirror, bare if piece is root else IDENTITY), tracks))
    return own, shift, Placement(turn, x, z)


def _token(function: Function) -> object:
    """Return what tells one function from another as long as both exist."""
    if not isinstance(function, Piece):
        return id(function)
    source = function.source
    # a remembered transition is copied for its report
    same = source.control if isinstance(source, Patch) else source
    return id(same), function.time, function.mirror, function.placement
