"""Transitions: from one motion into another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Unpack

from segue.errors import ArgumentError
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.operators import affine, clip, clip_in_place
from segue.transition.duration import DURATIONS, effort_of, effort_per_second
from segue.transition.fill import MODES, fills, sp
from segue.transition.options import OptionNames

__all__ = ["Join", "transition", "transitions"]


def transition(
    first: Motion,
    second: Motion,
    duration: float | str = 0.6,
    *,
    leave: float | None = None,
    enter: float | None = None,
    mode: str = "free",
    **options: Unpack[OptionNames],
) -> Motion:
    """Return the first motion until `leave`, a transition of some seconds, and the second motion from `enter` on.

    leave, enter: times of the first and of the second motion; its end and its beginning where None. duration: s, or
    "auto": the shortest of a range that takes no more effort per second than the motions on both sides. mode: "free"
    moves the second motion on the floor to where the transition leads; "pinned" leaves both where they are. The motion
    is written on the first one's skeleton. Options are those of `Options`.
    """
    out = _until(first, leave)
    into = _from(second, enter)
    if duration != "auto":
        return _joined(out, into, _checked_duration(duration), mode, options)
    usual = max(effort_per_second(out, out.stop, -1, options), effort_per_second(into, into.start, 1, options))
    best: tuple[float, Motion] | None = None
    for seconds in DURATIONS:
        joined = _joined(out, into, seconds, mode, options)
        effort = effort_of(fills(joined)[-1]) / seconds
        if effort <= usual:
            return joined
        if best is None or effort < best[0]:
            best = (effort, joined)
    assert best is not None
    return best[1]


def _joined(out: Motion, into: Motion, duration: float, mode: str, options: OptionNames) -> Motion:
    if mode not in MODES:
        raise ArgumentError(f"the mode is '{mode}': it must be one of {', '.join(MODES)}")
    both = out + affine(into, out.stop + duration)
    return sp(Motion(both.tracks, out._with(into)), mode=mode, **options)


def _until(motion: Motion, leave: float | None) -> Motion:
    if leave is None:
        return motion
    if not (math.isfinite(leave) and motion.start + TINY < leave <= motion.stop + TINY):
        raise ArgumentError(
            f"the first motion cannot be left at {leave:g} s: it lasts from {motion.start:g} to {motion.stop:g} s"
        )
    return clip_in_place(motion, motion.start, min(leave, motion.stop))


def _from(motion: Motion, enter: float | None) -> Motion:
    if enter is None:
        return motion
    if not (math.isfinite(enter) and motion.start - TINY <= enter < motion.stop - TINY):
        raise ArgumentError(
            f"the second motion cannot be entered at {enter:g} s: it lasts from {motion.start:g} to {motion.stop:g} s"
        )
    return clip(motion, max(enter, motion.start), motion.stop)


def _checked_duration(duration: float | str) -> float:
    try:
        seconds = float(duration)
    except (TypeError, ValueError):
        raise ArgumentError(f'the duration is {duration!r}: a number of seconds or "auto" is needed') from None
    if not (math.isfinite(seconds) and seconds > TINY):
        raise ArgumentError(f"a transition of {seconds:g} s is none: its duration must be positive")
    return seconds


@dataclass(frozen=True)
class Join:
    """One transition among many: the arguments of `transition`."""

    first: Motion
    second: Motion
    duration: float | str = 0.6
    leave: float | None = None
    enter: float | None = None
    mode: str = "free"


def transitions(joins: Iterable[Join], *, threads: int | None = None, **options: Unpack[OptionNames]) -> list[Motion]:
    """Return many transitions, made on all cores at once; the same motions as one after another.

    threads: how many to use; as many as the machine has cores where None.
    """
    wanted: Sequence[Join] = list(joins)

    def make(join: Join) -> Motion:
        return transition(
            join.first, join.second, join.duration, leave=join.leave, enter=join.enter, mode=join.mode, **options
        )

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(make, wanted))
