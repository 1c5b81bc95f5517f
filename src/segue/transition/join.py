"""Transitions: from one motion into another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Unpack

from segue.errors import ArgumentError
from segue.motion.interval import TINY, Track
from segue.motion.motion import Motion
from segue.motion.operators import clip_in_place
from segue.motion.tracks import TRACKS
from segue.transition.duration import DURATIONS, effort_per_second
from segue.transition.fill import MODES, fill_known_gap, fills
from segue.transition.options import OptionNames, Options, options_of
from segue.transition.root import free_placement

__all__ = ["Join", "transition", "transitions"]

_ROOT = ("root_position", "root")


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
    chosen = options_of(options)
    if mode not in MODES:
        raise ArgumentError(f"the mode is '{mode}': it must be one of {', '.join(MODES)}")
    leaving, entering = _leaving(first, leave), _entering(second, enter)
    if duration != "auto":
        return _joined(first, leaving, second, entering, _checked_duration(duration), mode, chosen)
    usual = max(effort_per_second(first, leaving, -1, chosen), effort_per_second(second, entering, 1, chosen))
    best: tuple[float, Motion] | None = None
    for seconds in DURATIONS:
        joined = _joined(first, leaving, second, entering, seconds, mode, chosen)
        effort = fills(clip_in_place(joined, leaving, leaving + seconds))[0].energy / seconds
        if effort <= usual:
            return joined
        if best is None or effort < best[0]:
            best = (effort, joined)
    assert best is not None
    return best[1]


def _joined(
    first: Motion, leave: float, second: Motion, enter: float, duration: float, mode: str, options: Options
) -> Motion:
    placement = None
    if mode == "free":
        placement = free_placement(first.state([leave], _ROOT), second.state([enter], _ROOT), duration)
    # both are cut, moved and put together in one pass: a chain of operators would take longer than the solve
    shift = enter - leave - duration
    tracks = {}
    for name in TRACKS:
        parts = [part for own in first.tracks.get(name, ()) if (part := own.between(first.start, leave))]
        for own in second.tracks.get(name, ()):
            part = own.between(enter, second.stop)
            if part:
                moved = part.retimed(1.0, shift)
                parts.append(moved.placed(placement) if placement else moved)
        tracks[name] = Track(tuple(parts))
    return fill_known_gap(Motion(tracks, first._with(second)), leave, leave + duration, options)


def _leaving(motion: Motion, leave: float | None) -> float:
    if leave is None:
        return motion.stop
    leave = _number("leave", leave)
    if not (math.isfinite(leave) and motion.start + TINY < leave <= motion.stop + TINY):
        raise ArgumentError(
            f"the first motion cannot be left at {leave:g} s: it lasts from {motion.start:g} to {motion.stop:g} s"
        )
    return min(leave, motion.stop)


def _entering(motion: Motion, enter: float | None) -> float:
    if enter is None:
        return motion.start
    enter = _number("enter", enter)
    if not (math.isfinite(enter) and motion.start - TINY <= enter < motion.stop - TINY):
        raise ArgumentError(
            f"the second motion cannot be entered at {enter:g} s: it lasts from {motion.start:g} to {motion.stop:g} s"
        )
    return max(enter, motion.start)


def _number(name: str, value: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is {value!r}: a time in seconds is needed") from None


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
    if threads is not None and not (isinstance(threads, int) and threads > 0):
        raise ArgumentError(f"threads is {threads!r}: it must be a whole number above zero")

    def make(join: Join) -> Motion:
        return transition(
            join.first, join.second, join.duration, leave=join.leave, enter=join.enter, mode=join.mode, **options
        )

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(make, wanted))
