"""The residual along a motion: what the figure leaves out of the host's skeleton, for any time.

A function that shows a take of the host's skeleton, or a cycle made of one, brings its residual. Any other (computed
poses, a mirror image, another body) is bare. Along a run of bare functions the residual goes from that of the function
before the run to that of the function after it, and leaves and arrives with their rates, so that the seams show neither
in position nor in velocity.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.curves.quaternion_kernels import kernel_array
from segue.motion._rate_kernels import body_vectors, frames_to_fit, steady_rates
from segue.motion._residual_kernels import Edge, bridge_residual
from segue.motion.carry import Residual
from segue.motion.functions import Blend, Function, Piece
from segue.motion.interval import TINY, Interval, Track
from segue.motion.take import Take
from segue.motion.track_table import TrackTable
from segue.motion.wearer import Wearer
from segue.typing import Array, Ints

_MOMENT = 1e-5
"""Seconds between samples for a rate: so few that it is the very rate with which the clip's curves leave or arrive."""

_MOVE, _TURN = 0.1, 1.0
"""Rates, in m/s and rad/s, that do not matter; see `steady_rates`."""

_MOVE_NOISE, _TURN_NOISE = 1.0, 10.0
"""Changes of rate by jitter from which on a fit counts. They are those of the figure's velocities at the seams of gaps:
where the figure jitters and the clip does not, the residual undoes it, and both have to stop at once."""

_ENDS, _SEAT_AT_ENDS, _JOINTS_AT_ENDS = 2.5, 0.25, 0.4
"""So many frames are suspect at the ends of a clip, and what is left of that jitter there."""

_FINE = 100.0
"""Frames a second from which on all of this is so; with fewer, rates may be higher by as much."""

_FASTEST = 5.0
"""Rad/s at most: what is faster would have to rest within a few frames, and show as a jump in one of them."""

_SETTLING = 0.2
"""Seconds in which a residual that was changing comes to rest: a rate held for longer would carry it far away."""

_EXCURSION = float(np.radians(3.0))
"""How far a turn may go before it rests. A steady residual stays below; a marker's jitter, as in fingers, would not."""


class _Span(NamedTuple):
    """A function that brings its residual, or a run of bare ones with the functions that touch it on both sides."""

    start: float
    stop: float
    function: Function | None
    before: Function | None = None
    after: Function | None = None

    @property
    def key(self) -> Hashable:
        """The same for spans that have the same residuals."""
        if self.function is not None:
            return _key(self.function)
        return self.start, self.stop, _key(self.before), _key(self.after)


class ResidualTracks:
    """The residuals that go with the tracks of a motion, dressed as the host's skeleton."""

    def __init__(self, tracks: TrackTable, host: Take) -> None:
        self._tracks = tracks
        self._host = host
        self._worn: dict[int, bool] = {}

    def at(self, times: Array, within: float) -> Residual:
        """Return the residual at times at which the same functions rule as at the time `within`.

        Each joint's turns come from where its track's motion comes from, all positions from where the root's does.
        """
        shared = self._tracks["root_position"]
        root = self._span(shared, within)
        whole = self._along(root, times)
        others: dict[Hashable, tuple[_Span, list[Ints]]] = {}
        root_key = root.key
        for track, joints in self._host.carry.driven.items():
            if self._tracks[track] is shared:
                continue
            span = self._span(self._tracks[track], within)
            key = span.key
            if key != root_key:
                others.setdefault(key, (span, []))[1].append(joints)
        for span, several in others.values():
            joints = np.concatenate(several)
            whole.turns[:, joints] = self._along(span, times).turns[:, joints]
        return whole

    def _brings(self, function: Function) -> bool:
        """Whether a function shows takes of the host's own skeleton, not in the mirror."""
        if isinstance(function, Piece):
            source = function.source
            if id(source) not in self._worn:
                self._worn[id(source)] = isinstance(source, Wearer) and same_skeleton(source, self._host)
            return self._worn[id(source)] and not function.mirror
        if isinstance(function, Blend):
            return self._brings(function.first) and self._brings(function.second)
        return False

    def _span(self, track: Track, within: float) -> _Span:
        parts = track.intervals
        here = track.index(within)
        function = parts[here].functions[0]
        if self._brings(function):
            return _Span(parts[here].start, parts[here].stop, function)
        start, before = self._reach(parts, here, -1)
        stop, after = self._reach(parts, here, 1)
        return _Span(start, stop, None, before, after)

    def _reach(self, parts: Sequence[Interval], here: int, step: int) -> tuple[float, Function | None]:
        """Return where a run of bare functions ends in one direction, and what touches it there and is not bare."""
        edge = parts[here].stop if step > 0 else parts[here].start
        for part in parts[here + 1 :] if step > 0 else reversed(parts[:here]):
            near, far = (part.start, part.stop) if step > 0 else (part.stop, part.start)
            if abs(near - edge) > TINY:
                break
            if self._brings(part.functions[0]):
                return edge, part.functions[0]
            edge = far
        return edge, None

    def _along(self, span: _Span, times: Array) -> Residual:
        if span.function is not None:
            return _brought(span.function, times, self._host)
        edges = [
            _edge_of(function, edge, towards, self._host)
            for function, edge, towards in ((span.before, span.start, -1), (span.after, span.stop, 1))
            if function is not None
        ]
        mean = () if edges else (_at_rest(_edge(self._host.mean_residual)),)
        # what has one neighbour only settles where it was when they parted
        before = edges[0] if span.before is not None else _at_rest((*edges, *mean)[0])
        after = edges[-1] if span.after is not None else _at_rest((*edges, *mean)[0])
        settling = min(_SETTLING, span.stop - span.start)
        return Residual(*bridge_residual(times, span.start, span.stop, before, after, _MOMENT, settling, _EXCURSION))


def _edge_of(function: Function, at: float, towards: int, host: Take) -> Edge:
    """Return the edge of what a function brings up to a time (-1), or from then on (1), with rates free of jitter."""
    moments = at + towards * _MOMENT * np.arange(3)
    beside = at + towards * np.arange(1, frames_to_fit(host.fps)) / host.fps
    beside = beside[_inside(function, beside)]
    brought = _brought(function, np.concatenate([moments, beside]), host)
    edge = _edge(Residual(brought.turns[:3], brought.seat[:3], brought.positions[:3]))
    suspect, step, moment = _ends(function, at), towards / host.fps, towards * _MOMENT
    # at low frame rates quick movements look like jitter
    coarse = max(_FINE / host.fps, 1.0)
    frames = np.r_[0, 3 : 3 + len(beside)]
    near, far = body_vectors(kernel_array(edge[0]))[1:]
    rates, changed = steady_rates(
        body_vectors(kernel_array(brought.turns[frames])),
        (2.0 * near - 0.5 * far) / moment,
        step,
        3,
        _TURN,
        coarse * _TURN_NOISE * (_JOINTS_AT_ENDS if suspect else 1.0),
        suspect,
    )
    rates = rates.reshape(-1, 3)
    speed, fastest = np.linalg.norm(rates, axis=1), coarse * _FASTEST
    joints = np.flatnonzero((changed > 0.0) | (speed > fastest))
    turned = quaternion.exp(moment * (rates * np.minimum(1.0, fastest / np.maximum(speed, fastest))[:, None])[joints])
    for row in (1, 2):
        edge[0][row, joints] = quaternion.multiply(edge[0][row - 1, joints], turned)
    seat = edge[1]
    moving, _ = steady_rates(
        kernel_array(brought.seat[frames]),
        (2.0 * seat[1] - 0.5 * seat[2] - 1.5 * seat[0]) / moment,
        step,
        3,
        _MOVE,
        coarse * _MOVE_NOISE * (_SEAT_AT_ENDS if suspect else 1.0),
        suspect,
    )
    seat[1:] = seat[0] + moment * np.array([[1.0], [2.0]]) * moving
    return edge


def _ends(function: Function, at: float) -> bool:
    """Whether a time is at an end of the clip that a function shows, whose first and last frames are suspect."""
    if not (isinstance(function, Piece) and isinstance(function.source, Take)):
        return False
    own = function.time.rate * at + function.time.shift
    return min(own, function.source.duration - own) * function.source.fps < _ENDS


def _inside(function: Function, times: Array) -> npt.NDArray[np.bool_]:
    """Return at which times (N,) the source of a function has frames; a blend's are not looked for."""
    if not (isinstance(function, Piece) and isinstance(function.source, Take)):
        return np.zeros(len(times), dtype=bool)
    own = function.time.rate * times + function.time.shift
    inside: npt.NDArray[np.bool_] = (own >= 0.0) & (own <= function.source.duration)
    return inside


def _edge(residual: Residual) -> Edge:
    return residual.turns, residual.seat, residual.positions


def _at_rest(edge: Edge) -> Edge:
    """Return an edge with the same value and no rate."""
    turns, seat, positions = (np.repeat(part[:1], 3, axis=0) for part in edge)
    return turns, seat, positions


def _key(function: Function | None) -> Hashable:
    """Return something that is the same for functions that bring the same residuals."""
    if isinstance(function, Piece):
        return id(function.source), function.time, function.placement
    if isinstance(function, Blend):
        return _key(function.first), _key(function.second), function.start, function.stop
    return None


def same_skeleton(a: Wearer, b: Wearer) -> bool:
    """Whether two sources have the same joints with the same offsets."""
    return a.skeleton == b.skeleton


def _brought(function: Function, times: Array, host: Wearer) -> Residual:
    """Return the residual that a function's takes bring with them, against what the host's figure predicts."""
    if isinstance(function, Blend):
        first, second = _brought(function.first, times, host), _brought(function.second, times, host)
        share = function.weight(times)[0]
        return Residual(
            quaternion.slerp(first.turns, second.turns, share[:, None]),
            first.seat + share[:, None] * (second.seat - first.seat),
            first.positions + share[:, None, None] * (second.positions - first.positions),
        )
    assert isinstance(function, Piece)
    assert isinstance(function.source, Wearer)
    source, own = function.source, function.time.rate * times + function.time.shift
    residual = source.residual_at(own)
    if source.carry is not host.carry:
        # another clip of the skeleton has a calibration of its own
        poses = source.state(own).poses
        residual = host.carry.residual(*source.carry.dress(poses, residual), poses)
    return source.carry.placed(residual, function.placement)
