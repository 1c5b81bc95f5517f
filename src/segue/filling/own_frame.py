"""Transitions from one piece to another, solved in the place and time of the first piece's source.

In a chain, a change of one transition moves all later motion rigidly on the floor and in time. A later transition on
level ground then has the same solution, if it is solved where the source of its first piece is. The solution depends on
the two pieces and the options alone, so that it can be remembered.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass, replace

from segue.filling.options import Options
from segue.filling.prior import learned_prior
from segue.filling.solving import Patch
from segue.motion.clip_source import ClipSource
from segue.motion.fills import CutTimes, FillReport
from segue.motion.functions import Piece, Placement, TimeMap
from segue.motion.ground import AUTO, Ground
from segue.motion.interval import TINY, Interval, Track
from segue.motion.motion import FigureSource, Motion
from segue.motion.track_table import TrackTable

_REACH = 1.5  # s beside a cut point that the solve looks at
_DIGITS = 9  # of a time in s that follows from a time map

Solve = Callable[[Motion, float, Motion, float, float, Options], tuple[Motion, Placement]]
"""Joins two motions: first, leave, second, enter, duration, options. Also returns where the second motion is placed."""


def same_person(one: FigureSource, other: FigureSource) -> bool:
    """Return whether two motions have one skeleton, even if the figure was fitted differently."""
    if isinstance(one, ClipSource) and isinstance(other, ClipSource):
        return one.skeleton == other.skeleton
    return one is other


@dataclass(frozen=True)
class _Part:
    """The piece of a motion beside a cut point, in the place and time of its source.

    start, stop: of the piece, and at: the cut point, in s of `piece`. moved: the move on the floor, rigid, from the
    source's place to the motion's.
    """

    piece: Piece
    start: float
    stop: float
    at: float
    moved: Placement

    @classmethod
    def of(cls, motion: Motion, at: float, towards: int) -> _Part | None:
        """Return the piece that ends (-1) or begins (1) at a cut point; None if the solve looks at more than that."""
        tracks = motion.tracks
        if not (tracks.is_full_body and len(tracks.unique_tracks) == 1):
            return None
        part = tracks["root"].at(at + 2 * towards * TINY)
        if part is None or part.is_conflict or not isinstance(part.functions[0], Piece):
            return None
        edge, end = (part.start, motion.start) if towards < 0 else (part.stop, motion.stop)
        if abs(edge - at) < _REACH + TINY and edge != end:
            return None
        piece = part.functions[0]
        shift, (turn, x, z, scale, rise) = piece.time.shift / piece.time.rate, piece.placement

        def own(time: float) -> float:
            return round(time + shift, _DIGITS) if shift else time

        bare = Piece(piece.source, TimeMap(piece.time.rate), piece.mirror, Placement(scale=scale, rise=rise))
        start, stop = (part.start, at) if towards < 0 else (at, part.stop)
        return cls(bare, own(start), own(stop), own(at), Placement(turn, x, z))

    @property
    def key(self) -> tuple[object, ...]:
        """The piece, without its place and time in the motion."""
        piece = self.piece
        return id(piece.source), piece.time, piece.mirror, piece.placement, self.start, self.stop

    def motion(self, source: FigureSource, ground: Ground | None) -> Motion:
        """Return the piece as a motion; ground: under it, if it is known."""
        track = Track((Interval(self.start, self.stop, (self.piece,)),))
        made = Motion(TrackTable.from_shared(track), source)
        if ground is not None:
            made.__dict__["ground"] = ground  # the value of its cached property
        return made


@dataclass(frozen=True)
class OwnFrame:
    """Two motions to be joined, by the pieces beside their cut points; arguments as for `join`, mode "free"."""

    first: Motion
    second: Motion
    leave: float
    enter: float
    duration: float
    options: Options
    one: _Part
    other: _Part
    ground: Ground | None

    @classmethod
    def of(
        cls, first: Motion, leave: float, second: Motion, enter: float, duration: float, options: Options
    ) -> OwnFrame | None:
        """Return the transition in its own frame; None where place or time matter, as for targets or uneven ground."""
        if options.targets or options.terms or "enforce" in options.choices.values():
            return None
        if options.prior is not None and options.prior is not learned_prior():
            return None
        one, other = _Part.of(first, leave, -1), _Part.of(second, enter, 1)
        if one is None or other is None:
            return None
        if options.ground == AUTO:
            if not (first.ground.is_flat and second.ground.is_flat):
                return None
            options = options._with(ground=None)
        ground = None
        if options.ground is not None or not same_person(first.source, second.source):
            ground = second.ground
            if not ground.is_flat or (isinstance(options.ground, Ground) and not options.ground.is_flat):
                return None
        return cls(first, second, leave, enter, duration, options, one, other, ground)

    @property
    def key(self) -> tuple[object, ...]:
        """The values from which the solution follows."""
        options = self.options
        grounds = [each.plane for each in (options.ground, self.ground) if isinstance(each, Ground)]
        return (
            *self.one.key,
            *self.other.key,
            *(id(self.first.source), id(self.second.source), self.duration, len(grounds), *grounds),
            *(options.goal, options.coefficients, tuple(sorted(options.choices.items())), options.limits),
            *(options.tolerance, options.iterations, id(options.prior), options.variant, options.root),
        )

    def joined(self, solve: Solve) -> tuple[Motion, Placement]:
        """Return the motions joined, and the second one's placement; solve: joins two motions where they are."""

        def solved() -> tuple[Motion, Placement]:
            first, second = self.one.motion(self.first.source, None), self.other.motion(self.second.source, self.ground)
            return solve(first, self.one.at, second, self.other.at, self.duration, self.options)

        memory = _memory.get()
        return self._placed(*(solved() if memory is None else memory.recalled(self, solved)))

    def _placed(self, made: Motion, placement: Placement) -> tuple[Motion, Placement]:
        """Return the motions joined as their pieces are, where the first one is, and the second one's placement."""
        first, second, leave, enter = self.first, self.second, self.leave, self.enter
        gap = made.tracks["root"].intervals[1].functions[0]
        assert isinstance(gap, Piece)
        patch = copy(gap.source)
        assert isinstance(patch, Patch)
        assert isinstance(patch.report, FillReport)
        cut = CutTimes(leave, enter, (first.stop - leave, enter - second.start))
        patch.report = replace(patch.report, cut=cut)
        here, shift = self.one.moved, enter - leave - self.duration
        onto = here.after(placement.after(_inverse(self.other.moved)))

        def moved(interval: Interval) -> Interval | None:
            part = interval.between(enter, second.stop)
            return part and part.retimed(1.0, shift).placed(onto)

        before = first.tracks.changed(lambda interval: interval.between(first.start, leave))
        filled = Piece(patch, TimeMap(1.0, -leave), False, here)
        between = TrackTable.from_shared(Track((Interval(leave, leave + self.duration, (filled,)),)))
        return Motion(before + between + second.tracks.changed(moved), made.source), onto


def _inverse(placement: Placement) -> Placement:
    """Return the inverse of a rigid move."""
    turned = Placement(-placement.turn)
    x, z = turned.turned(placement.x, placement.z)
    return Placement(-placement.turn, -x, -z)


class JoinMemory:
    """Transitions in their own frame, those unused for longest are forgotten; see `remembering`."""

    def __init__(self, most: int = 128) -> None:
        self._most = most
        self._known: OrderedDict[object, tuple[OwnFrame, tuple[Motion, Placement]]] = OrderedDict()
        self._lock = threading.Lock()
        self.solved = 0
        """How many transitions were solved."""

    def recalled(self, frame: OwnFrame, solve: Callable[[], tuple[Motion, Placement]]) -> tuple[Motion, Placement]:
        """Return a remembered transition, or solve it and remember it unless the solve was stopped."""
        key = frame.key
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key][1]
        made = solve()
        self.solved += 1
        if frame.options.stop is None or not frame.options.stop[0]:
            with self._lock:
                # the frame keeps the objects alive whose identity is in the key
                self._known[key] = frame, made
                while len(self._known) > self._most:
                    self._known.popitem(last=False)
        return made


_memory: ContextVar[JoinMemory | None] = ContextVar("memory of transitions", default=None)


@contextmanager
def remembering(memory: JoinMemory) -> Iterator[None]:
    """Use a memory for the transitions that are made within; their results do not depend on it."""
    token = _memory.set(memory)
    try:
        yield
    finally:
        _memory.reset(token)
