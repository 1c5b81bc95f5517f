"""Cycles that last: repeated a number of times, or for a number of seconds."""

from __future__ import annotations

from segue.cycle.cycle import BareCycle, loop_of
from segue.errors import ArgumentError
from segue.motion.functions import Piece
from segue.motion.interval import TINY, Interval
from segue.motion.motion import Motion
from segue.motion.operators import finite
from segue.motion.tracks import describe

_WHOLE = 1e-6


def repeat(cycle: Motion, count: float | None = None, *, duration: float | None = None, phase: float = 0.0) -> Motion:
    """Return a cycle repeated `count` times, which need not be a whole number, or for `duration` seconds.

    phase: where in the cycle to begin, from 0 to 1 of a period; the motion begins when and where the cycle is then, but
    for time, which goes on from the cycle's start. A cycle may have been moved, mirrored or stretched before.
    """
    source = loop_of(cycle)
    if (count is None) == (duration is None):
        raise ArgumentError("say how often the cycle is repeated, or for how many seconds: one of the two")
    start, length = cycle.start, cycle.duration
    lasts = _positive("duration", duration) if count is None else length * _positive("count", count)
    ahead = finite("phase", phase)

    for name, track in cycle.tracks.items():
        if any(part.start > start + TINY or part.stop < start + length - TINY for part in track):
            raise ArgumentError(
                f"{describe(name)} is undefined in a part of the cycle: repeat it first, and take parts away then"
            )

    def longer(interval: Interval) -> Interval:
        function = interval.functions[0]
        assert isinstance(function, Piece), "loop_of has looked at them"
        period = _period(source, function)
        periods = length / period
        if abs(periods - round(periods)) > _WHOLE or round(periods) < 1:
            raise ArgumentError(
                f"the motion lasts {periods:.4g} periods of its cycle: only whole ones can be repeated without a seam"
            )
        return Interval(start, start + lasts, (function.retimed(1.0, ahead * period),))

    return Motion(cycle.tracks.changed(longer), cycle.host)


def _positive(name: str, value: float | None) -> float:
    number = finite(name, 0.0 if value is None else value)
    if number <= 0:
        raise ArgumentError(f"{name} is {number:g}: it must be a positive number")
    return number


def _period(source: BareCycle, function: Piece) -> float:
    return source.period / abs(function.time.rate)
