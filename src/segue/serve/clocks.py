"""The place of a part of a script in the shown motion: its time, and its place on the floor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from segue.motion.fills import FillReport
from segue.motion.functions import IDENTITY, Blend, Function, Piece, Placement
from segue.motion.motion import Motion
from segue.typing import Array


@dataclass(frozen=True)
class Clock:
    """A part's own time and place as functions of the shown motion's: time is rate * t + shift.

    moved: the move on the floor from the part's world to the shown motion's.
    """

    rate: float = 1.0
    shift: float = 0.0
    moved: Placement = IDENTITY

    def own(self, time: float) -> float:
        """Return the part's time at a time of the shown motion."""
        return self.rate * time + self.shift

    def shown(self, time: float) -> float:
        """Return the time of the shown motion at a time of the part."""
        return (time - self.shift) / self.rate

    def own_place(self, place: Array) -> Array:
        """Return a place (3,) of the shown motion's world, in m, in the part's own world."""
        x, y, z = place
        inverse = Placement(-self.moved.turn, scale=1.0 / self.moved.scale)
        level = inverse.turned(x - self.moved.x, z - self.moved.z)
        return np.array([level[0], (y - self.moved.rise) / self.moved.scale, level[1]])


@dataclass(frozen=True)
class _Use:
    piece: Piece
    start: float
    stop: float


def pieces_of(motion: Motion) -> Iterator[tuple[Piece, float, float]]:
    """Yield the pieces of sources that a motion is made of, with the times at which they define it."""
    for track in motion.tracks.unique_tracks:
        for part in track:
            for function in part.functions:
                for piece in _pieces(function):
                    yield piece, part.start, part.stop


def _pieces(function: Function) -> Iterator[Piece]:
    if isinstance(function, Blend):
        yield from _pieces(function.first)
        yield from _pieces(function.second)
    elif isinstance(function, Piece):
        yield function


class ShownParts:
    """The pieces of the shown motion by their sources, to find where parts of the script stand in it."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self._uses: dict[int, list[_Use]] = {}
        for piece, start, stop in pieces_of(motion):
            uses = self._uses.setdefault(id(piece.source), [])
            if not any(each.piece == piece and each.start == start for each in uses):
                uses.append(_Use(piece, start, stop))

    def clock(self, part: Motion) -> Clock | None:
        """Return where a part stands; None where nothing of it is shown. Of several uses the first counts."""
        if part is self.motion:
            return Clock()
        found = sorted(
            ((piece, start, stop) for piece, start, stop in pieces_of(part) if id(piece.source) in self._uses),
            # a filled gap occurs once, a clip often several times
            key=lambda each: not isinstance(getattr(each[0].source, "report", None), FillReport),
        )
        for piece, start, stop in found:
            for use in self._uses[id(piece.source)]:
                if use.piece.mirror != piece.mirror:
                    continue
                rate = use.piece.time.rate / piece.time.rate
                shift = (use.piece.time.shift - piece.time.shift) / piece.time.rate
                ends = sorted(((start - shift) / rate, (stop - shift) / rate))
                if min(ends[1], use.stop) - max(ends[0], use.start) > 0.0:
                    return Clock(rate, shift, _between(piece.placement, use.piece.placement))
        return None


def _between(own: Placement, shown: Placement) -> Placement:
    """Return the move that follows a part's own placement to give the shown one."""
    scale, turn = shown.scale / own.scale, shown.turn - own.turn
    bare = Placement(turn, scale=scale)
    x, z = bare.turned(own.x, own.z)
    return Placement(turn, shown.x - x, shown.z - z, scale, shown.rise - scale * own.rise)
