"""The residual along one track: what the figure leaves out, for every time at which the track is defined.

A function that shows a take of the host's skeleton brings the take's residual. Any other (computed poses, a mirror
image, another body) is bare. Along a run of bare functions the residual goes from that of the function before the run
to that of the function after it, and leaves and arrives with their rates, so that the seams show neither in position
nor in velocity.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.motion.carry import Residual
from segue.motion.functions import Blend, Curve, Function
from segue.motion.interval import TINY, Track
from segue.motion.take import Take

__all__ = ["ResidualTrack"]

_RATE_SPAN = 1.0 / 30.0
"""Seconds over which a residual's rate is taken: longer than the noise of a capture at a high frame rate."""

_SETTLING = 0.2
"""Seconds in which a residual that was changing comes to rest: a rate held for longer would carry it far away."""


@dataclass(frozen=True)
class _Span:
    """A function that brings its residual, or a run of bare ones with the functions that touch it on both sides."""

    start: float
    stop: float
    function: Function | None
    before: Function | None = None
    after: Function | None = None


class _Space(NamedTuple):
    """How values of one kind are mixed, and how they change: by a vector that `added` applies and `apart` gives."""

    mix: Callable[[Array, Array, Array], Array]
    added: Callable[[Array, Array], Array]
    apart: Callable[[Array, Array], Array]


_ROTATIONS = _Space(
    quaternion.slerp,
    lambda q, vector: quaternion.multiply(q, quaternion.exp(vector)),
    lambda a, b: quaternion.log(quaternion.multiply(quaternion.conjugate(a), b)),
)
_VECTORS = _Space(lambda a, b, fraction: a + _column(fraction, a) * (b - a), np.add, lambda a, b: b - a)

_Part = Callable[[Residual], Array]


class ResidualTrack:
    """The residual that goes with one track of a motion, dressed as the host's skeleton."""

    def __init__(self, track: Track, host: Take) -> None:
        self._host = host
        self._spans = _spans(track, host)

    def turns(self, joint: int, times: Array, within: float) -> Array:
        """Return a joint's residual turns (T, 4) at times that share the interval about the time `within`."""
        return self._along(times, within, lambda residual: residual.turns[:, joint], _ROTATIONS)

    def seat(self, times: Array, within: float) -> Array:
        """Return where the pelvis joint sits (T, 3)."""
        return self._along(times, within, lambda residual: residual.seat, _VECTORS)

    def positions(self, times: Array, within: float) -> Array:
        """Return local positions (T, J, 3)."""
        return self._along(times, within, lambda residual: residual.positions, _VECTORS)

    def _along(self, times: Array, within: float, part: _Part, space: _Space) -> Array:
        span = self._spans[bisect_right(self._spans, within, key=lambda span: span.start) - 1]
        if span.function is not None:
            return _brought(span.function, times, part, space)
        edges = [
            (_brought(function, np.array([edge, edge + towards * _RATE_SPAN]), part, space), edge, towards)
            for function, edge, towards in ((span.before, span.start, -1), (span.after, span.stop, 1))
            if function is not None
        ]
        values = [brought[:1] for brought, _, _ in edges] or [part(self._host.mean_residual)]
        first, last = (np.repeat(value, len(times), axis=0) for value in (values[0], values[-1]))
        u = np.clip((times - span.start) / (span.stop - span.start), 0.0, 1.0)
        residual = space.mix(first, last, u * u * (3.0 - 2.0 * u))
        settling = min(_SETTLING, span.stop - span.start)
        for brought, edge, towards in edges:
            rate = space.apart(brought[:1], brought[1:]) / (towards * _RATE_SPAN)
            residual = space.added(residual, _column(_coasting(times - edge, settling), rate) * rate)
        return residual


def _spans(track: Track, host: Take) -> list[_Span]:
    """Return the track as spans in order of time: functions with a residual, and runs of touching bare ones."""
    spans: list[_Span] = []
    for interval in track:
        function = interval.functions[0] if _brings_residual(interval.functions[0], host) else None
        start, before = interval.start, None
        last = spans[-1] if spans and interval.start - spans[-1].stop <= TINY else None
        if last and last.function is None:
            spans.pop()
            start, before = last.start, last.before
            if function is not None:
                spans.append(_Span(start, interval.start, None, before, function))
                start = interval.start
        elif last:
            before = last.function
        spans.append(_Span(start, interval.stop, function, None if function else before))
    return spans


def _coasting(since: Array, settling: float) -> Array:
    """Return how far something that moves at rate 1 at time 0 gets before (or came after) it rests at its old place.

    The cubic that is 0 with slope 1 at 0, and 0 with slope 0 from `settling` seconds away on either side.
    """
    away = np.minimum(np.abs(since) / settling, 1.0)
    path: Array = since * (1.0 - away) ** 2
    return path


def _column(values: Array, like: Array) -> Array:
    """Return one number for each time, shaped to multiply arrays with time first."""
    return values.reshape(-1, *(1,) * (like.ndim - 1))


def _brings_residual(function: Function, host: Take) -> bool:
    """Whether a function shows takes of the host's own skeleton, not in the mirror."""
    if isinstance(function, Blend):
        return _brings_residual(function.first, host) and _brings_residual(function.second, host)
    return (
        isinstance(function, Curve)
        and isinstance(function.source, Take)
        and not function.mirror
        and function.source.clip.skeleton == host.clip.skeleton
    )


def _brought(function: Function, times: Array, part: _Part, space: _Space) -> Array:
    """Return the residual that a function's takes bring with them."""
    if isinstance(function, Blend):
        first, second = (_brought(each, times, part, space) for each in (function.first, function.second))
        return space.mix(first, second, function.weight(times)[0])
    assert isinstance(function, Curve)
    assert isinstance(function.source, Take)
    at = np.clip(function.time.rate * times + function.time.shift, 0.0, function.source.duration)
    return part(function.source.residual_at(at))
