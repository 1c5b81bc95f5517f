"""The residual along a motion: the part of the target's skeleton that the figure cannot express, at any time.

A piece of a clip on the target's skeleton, or of a cycle made of one, has a residual. Any other function (computed
poses, a mirror image, another body) has none. Along a run of functions without residual, the residual goes from that of
the function before the run to that of the function after it. It leaves and arrives with their rates, so the seams show
neither in position nor in velocity.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.curves.quaternion_kernels import kernel_array
from segue.motion._rate_kernels import body_vectors, frames_to_fit, steady_rates
from segue.motion._retarget_kernels import Edge, bridge_residual
from segue.motion.clip_source import ClipSource
from segue.motion.functions import Blend, Function, Piece
from segue.motion.interval import TINY, Interval, Track
from segue.motion.retargeter import Residual, SkeletonSource
from segue.motion.track_table import TrackTable
from segue.typing import Array, Ints

_STEP = 1e-5
"""Seconds between the samples of a difference quotient, which then equals the rate of the clip's curves."""

_MOVE, _TURN = 0.1, 1.0
"""Rates, in m/s and rad/s, that are negligible; see `steady_rates`."""

_MOVE_NOISE, _TURN_NOISE = 1.0, 10.0
"""Changes of rate by jitter, m/s and rad/s, above which a fit counts, as for the figure's velocities at seams of gaps.
If the figure jitters and the clip does not, the residual undoes the jitter, and both must stop at once."""

_ENDS, _PELVIS_AT_ENDS, _JOINTS_AT_ENDS = 2.5, 0.25, 0.4
"""Suspect frames at the ends of a clip, and the factors of those thresholds there."""

_FINE = 100.0
"""Frames a second for which the thresholds hold; at lower rates they grow in proportion."""

_FASTEST = 5.0
"""Rad/s at most: a faster residual would have to stop within a few frames and show as a jump."""

_SETTLING = 0.2
"""Seconds in which a changing residual comes to rest: a rate kept for longer would move it far away."""

_EXCURSION = float(np.radians(3.0))
"""Rad that a residual rotation may go before it rests. Jitter of markers, as in fingers, would exceed it."""


class _Span(NamedTuple):
    """A function with a residual, or a run of functions without one and the functions that touch it on both sides."""

    start: float
    stop: float
    function: Function | None
    before: Function | None = None
    after: Function | None = None

    @property
    def key(self) -> Hashable:
        """A key that spans with the same residuals share."""
        if self.function is not None:
            return _key(self.function)
        return self.start, self.stop, _key(self.before), _key(self.after)


class ResidualTracks:
    """The residuals of a motion's tracks on the target's skeleton."""

    def __init__(self, tracks: TrackTable, target: ClipSource) -> None:
        self._tracks = tracks
        self._target = target
        self._matching: dict[int, bool] = {}

    def at(self, times: Array, within: float) -> Residual:
        """Return the residual at times with the same active functions as at the time `within`.

        Each joint's turns come from the function of its track, all positions from the function of the root's.
        """
        root = self._span(self._tracks["root_position"], within)
        whole = self._along(root, times)
        if len(self._tracks.unique_tracks) == 1:
            return whole
        others: dict[Hashable, tuple[_Span, list[Ints]]] = {}
        root_key = root.key
        for track, joints in self._target.retargeter.joints_of_track.items():
            span = self._span(self._tracks[track], within)
            key = span.key
            if key != root_key:
                others.setdefault(key, (span, []))[1].append(joints)
        for span, several in others.values():
            joints = np.concatenate(several)
            whole.turns[:, joints] = self._along(span, times).turns[:, joints]
        return whole

    def _has_residual(self, function: Function) -> bool:
        """Return whether a function has a residual: it shows the target's skeleton unmirrored."""
        if isinstance(function, Piece):
            source = function.source
            if id(source) not in self._matching:
                same = isinstance(source, SkeletonSource) and source.skeleton == self._target.skeleton
                self._matching[id(source)] = same
            return self._matching[id(source)] and not function.mirror
        if isinstance(function, Blend):
            return self._has_residual(function.first) and self._has_residual(function.second)
        return False

    def _span(self, track: Track, within: float) -> _Span:
        parts = track.intervals
        here = track.index(within)
        function = parts[here].functions[0]
        if self._has_residual(function):
            return _Span(parts[here].start, parts[here].stop, function)
        start, before = self._reach(parts, here, -1)
        stop, after = self._reach(parts, here, 1)
        return _Span(start, stop, None, before, after)

    def _reach(self, parts: Sequence[Interval], here: int, step: int) -> tuple[float, Function | None]:
        """Return where a run of functions without residual ends in one direction, and the function that touches it."""
        edge = parts[here].stop if step > 0 else parts[here].start
        for part in parts[here + 1 :] if step > 0 else reversed(parts[:here]):
            near, far = (part.start, part.stop) if step > 0 else (part.stop, part.start)
            if abs(near - edge) > TINY:
                break
            if self._has_residual(part.functions[0]):
                return edge, part.functions[0]
            edge = far
        return edge, None

    def _along(self, span: _Span, times: Array) -> Residual:
        if span.function is not None:
            return _residual_of(span.function, times, self._target)
        edges = [
            _edge_of(function, edge, towards, self._target)
            for function, edge, towards in ((span.before, span.start, -1), (span.after, span.stop, 1))
            if function is not None
        ]
        mean = () if edges else (_at_rest(_edge(self._target.mean_residual)),)
        # a run with one neighbour keeps that neighbour's last residual
        before = edges[0] if span.before is not None else _at_rest((*edges, *mean)[0])
        after = edges[-1] if span.after is not None else _at_rest((*edges, *mean)[0])
        settling = min(_SETTLING, span.stop - span.start)
        return Residual(*bridge_residual(times, span.start, span.stop, before, after, _STEP, settling, _EXCURSION))


def _edge_of(function: Function, at: float, towards: int, target: ClipSource) -> Edge:
    """Return the edge of a function's residual before a time (-1) or after it (1), with rates free of jitter."""
    fine = at + towards * _STEP * np.arange(3)
    beside = at + towards * np.arange(1, frames_to_fit(target.fps)) / target.fps
    beside = beside[_inside(function, beside)]
    residual = _residual_of(function, np.concatenate([fine, beside]), target)
    edge = _edge(Residual(residual.turns[:3], residual.pelvis_offset[:3], residual.positions[:3]))
    suspect, step, fine_step = _at_clip_end(function, at), towards / target.fps, towards * _STEP
    # at low frame rates quick movements look like jitter
    coarse = max(_FINE / target.fps, 1.0)
    frames = np.r_[0, 3 : 3 + len(beside)]
    near, far = body_vectors(kernel_array(edge[0]))[1:]
    rates, changed = steady_rates(
        body_vectors(kernel_array(residual.turns[frames])),
        (2.0 * near - 0.5 * far) / fine_step,
        step,
        3,
        _TURN,
        coarse * _TURN_NOISE * (_JOINTS_AT_ENDS if suspect else 1.0),
        suspect,
    )
    rates = rates.reshape(-1, 3)
    speed, fastest = np.linalg.norm(rates, axis=1), coarse * _FASTEST
    joints = np.flatnonzero((changed > 0.0) | (speed > fastest))
    if len(joints):
        slowed = (rates * np.minimum(1.0, fastest / np.maximum(speed, fastest))[:, None])[joints]
        turned = quaternion.exp(fine_step * slowed)
        for row in (1, 2):
            edge[0][row, joints] = quaternion.multiply(edge[0][row - 1, joints], turned)
    pelvis_offset = edge[1]
    moving, _ = steady_rates(
        kernel_array(residual.pelvis_offset[frames]),
        (2.0 * pelvis_offset[1] - 0.5 * pelvis_offset[2] - 1.5 * pelvis_offset[0]) / fine_step,
        step,
        3,
        _MOVE,
        coarse * _MOVE_NOISE * (_PELVIS_AT_ENDS if suspect else 1.0),
        suspect,
    )
    pelvis_offset[1:] = pelvis_offset[0] + fine_step * np.array([[1.0], [2.0]]) * moving
    return edge


def _at_clip_end(function: Function, at: float) -> bool:
    """Return whether a time is at an end of the clip that a function shows, where frames are suspect."""
    if not (isinstance(function, Piece) and isinstance(function.source, ClipSource)):
        return False
    own = function.time.rate * at + function.time.shift
    return min(own, function.source.duration - own) * function.source.fps < _ENDS


def _inside(function: Function, times: Array) -> npt.NDArray[np.bool_]:
    """Return at which times (N,) the clip of a piece has frames; at none for a blend."""
    if not (isinstance(function, Piece) and isinstance(function.source, ClipSource)):
        return np.zeros(len(times), dtype=bool)
    own = function.time.rate * times + function.time.shift
    inside: npt.NDArray[np.bool_] = (own >= 0.0) & (own <= function.source.duration)
    return inside


def _edge(residual: Residual) -> Edge:
    return residual.turns, residual.pelvis_offset, residual.positions


def _at_rest(edge: Edge) -> Edge:
    """Return an edge with the same value and zero rate."""
    turns, pelvis_offset, positions = (np.repeat(part[:1], 3, axis=0) for part in edge)
    return turns, pelvis_offset, positions


def _key(function: Function | None) -> Hashable:
    """Return a key that functions with the same residuals share."""
    if isinstance(function, Piece):
        return id(function.source), function.time, function.placement
    if isinstance(function, Blend):
        return _key(function.first), _key(function.second), function.start, function.stop
    return None


def _residual_of(function: Function, times: Array, target: SkeletonSource) -> Residual:
    """Return a function's residual against the predictions of the target's figure."""
    if isinstance(function, Blend):
        first, second = _residual_of(function.first, times, target), _residual_of(function.second, times, target)
        share = function.weight(times)[0]
        return Residual(
            quaternion.slerp(first.turns, second.turns, share[:, None]),
            first.pelvis_offset + share[:, None] * (second.pelvis_offset - first.pelvis_offset),
            first.positions + share[:, None, None] * (second.positions - first.positions),
        )
    assert isinstance(function, Piece)
    assert isinstance(function.source, SkeletonSource)
    source, own = function.source, function.time.rate * times + function.time.shift
    residual = source.residual_at(own)
    if source.retargeter is not target.retargeter:
        # another clip of the skeleton has a calibration of its own
        poses = source.state(own).poses
        residual = target.retargeter.residual(*source.retargeter.to_skeleton(poses, residual), poses)
    return source.retargeter.placed(residual, function.placement)
