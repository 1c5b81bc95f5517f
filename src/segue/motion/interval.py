"""Intervals and tracks: the times at which functions define a joint's value.

The set operators are those of [Rose1996], section 4, figures 4 and 5. The printed conditions and the figures disagree;
this module follows the figures: two intervals that merely touch do not intersect, and a difference contains only parts
of the first operand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from segue.errors import ArgumentError
from segue.motion.functions import Function, Placement

TINY = 1e-9
"""Tolerance in seconds, so that rounding in operators leaves no gaps or conflicts."""

_FEW = 6  # intervals, up to which a linear search is faster than bisection

_start = attrgetter("start")


@dataclass(frozen=True)
class Interval:
    """Functions of time on [start, stop], in seconds; more than one where motions conflict."""

    start: float
    stop: float
    functions: tuple[Function, ...]

    def __post_init__(self) -> None:
        if not self.stop - self.start > TINY:
            raise ArgumentError(
                f"an interval from {self.start:g} to {self.stop:g} s is empty: it must stop after it starts"
            )

    @property
    def is_conflict(self) -> bool:
        """Whether more than one function defines the interval."""
        return len(self.functions) > 1

    def between(self, start: float, stop: float) -> Interval | None:
        """Return the part within [start, stop], or None if it is empty."""
        low, high = max(self.start, start), min(self.stop, stop)
        return Interval(low, high, self.functions) if high - low > TINY else None

    def __and__(self, other: Interval) -> Interval | None:
        common = self.between(other.start, other.stop)
        return common and Interval(common.start, common.stop, self.functions + other.functions)

    def __sub__(self, other: Interval) -> tuple[Interval, ...]:
        if not self & other:
            return (self,)
        parts = self.between(self.start, other.start), self.between(other.stop, self.stop)
        return tuple(part for part in parts if part)

    def __add__(self, other: Interval) -> tuple[Interval, ...]:
        common = self & other
        parts = (*(self - other), *(other - self), *((common,) if common else ()))
        return tuple(sorted(parts, key=_start))

    def retimed(self, rate: float, shift: float) -> Interval:
        """Return the interval of t whose own time is rate * t + shift; rate may be negative."""
        ends = (self.start - shift) / rate, (self.stop - shift) / rate
        return Interval(min(ends), max(ends), tuple(f.retimed(rate, shift) for f in self.functions))

    def placed(self, placement: Placement) -> Interval:
        """Return the interval with every function moved on the floor."""
        return Interval(self.start, self.stop, tuple(f.placed(placement) for f in self.functions))

    def changed(self, change: Callable[[Function], Function]) -> Interval:
        """Return the interval with every function changed."""
        return Interval(self.start, self.stop, tuple(change(f) for f in self.functions))


@dataclass(frozen=True)
class Track:
    """The intervals of one joint's value, in order of time, never overlapping."""

    intervals: tuple[Interval, ...] = ()

    def __iter__(self) -> Iterator[Interval]:
        return iter(self.intervals)

    def __bool__(self) -> bool:
        return bool(self.intervals)

    @property
    def start(self) -> float:
        """When the first interval begins."""
        return self.intervals[0].start

    @property
    def stop(self) -> float:
        """When the last interval ends."""
        return self.intervals[-1].stop

    def at(self, time: float) -> Interval | None:
        """Return the interval at a time, the later of two that touch, or None if the track is undefined."""
        k = self.index(time)
        return self.intervals[k] if k >= 0 and time <= self.intervals[k].stop + TINY else None

    def index(self, time: float) -> int:
        """Return the index of the last interval that begins at a time or before it, or -1."""
        if len(self.intervals) > _FEW:
            return bisect_right(self.intervals, time + TINY, key=lambda interval: interval.start) - 1
        late, k = time + TINY, len(self.intervals)
        for interval in reversed(self.intervals):
            k -= 1
            if interval.start <= late:
                return k
        return -1

    def __and__(self, other: Track) -> Track:
        return Track(tuple(common for a, b in _overlaps(self, other) if (common := a & b)))

    def __sub__(self, other: Track) -> Track:
        left: list[Interval | None] = []
        first = 0
        for interval in self.intervals:
            while first < len(other.intervals) and other.intervals[first].stop <= interval.start:
                first += 1
            done, k = interval.start, first
            while k < len(other.intervals) and other.intervals[k].start < interval.stop:
                left.append(interval.between(done, other.intervals[k].start))
                done = other.intervals[k].stop
                k += 1
            left.append(interval.between(done, interval.stop))
        return Track(tuple(part for part in left if part))

    def __add__(self, other: Track) -> Track:
        if not self or not other:
            return self or other
        if other.start - self.stop >= -TINY:  # the usual case, in time that does not grow with the number of intervals
            return Track(self.intervals + other.intervals)
        merged = sorted(self.intervals + other.intervals, key=_start)
        if all(after.start - before.stop >= -TINY for before, after in pairwise(merged)):
            return Track(tuple(merged))
        parts = (*(self - other), *(other - self), *(self & other))
        return Track(tuple(sorted(parts, key=_start)))

    def changed(self, change: Callable[[Interval], Interval | None]) -> Track:
        """Return the track with every interval changed and sorted again; intervals that become None are left out."""
        if len(self.intervals) == 1:
            only = change(self.intervals[0])
            return Track((only,)) if only else Track()
        parts = [part for interval in self.intervals if (part := change(interval))]
        return Track(tuple(sorted(parts, key=_start)))


def _overlaps(a: Track, b: Track) -> Iterable[tuple[Interval, Interval]]:
    """Yield all pairs of intervals that may overlap, by a sweep over both tracks."""
    i = j = 0
    while i < len(a.intervals) and j < len(b.intervals):
        yield a.intervals[i], b.intervals[j]
        if a.intervals[i].stop <= b.intervals[j].stop:
            i += 1
        else:
            j += 1
