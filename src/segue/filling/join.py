"""Transitions: from one motion into another."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Unpack

import numpy as np

from segue.errors import ArgumentError
from segue.filling.duration import DURATIONS, MODEST, checked_duration, effort_inside
from segue.filling.fill import MODES, check_whole, fill_known_gap
from segue.filling.options import OptionNames, Options, options_of
from segue.filling.root import free_placement, pinned_placement
from segue.filling.sides import Side
from segue.filling.size import floor_rise, size_ratio
from segue.motion.box import Box
from segue.motion.clip_source import ClipSource
from segue.motion.fills import CutTimes
from segue.motion.functions import IDENTITY, Placement
from segue.motion.ground import Ground
from segue.motion.interrupt import interruptible
from segue.motion.interval import TINY, Interval
from segue.motion.motion import Motion
from segue.motion.operators import trim
from segue.motion.pose_source import PoseSource
from segue.typing import Array

__all__ = ["END", "START", "enter_time", "leave_time", "transition"]

_BROUGHT = 3.0  # m, size of the level ground that a motion brings along

END, START = "end", "start"
"""Where a motion is left, and where one is entered, so that nothing of it is left out."""


@interruptible
def transition(
    first: Motion,
    second: Motion,
    duration: float | str = 0.6,
    *,
    leave: float | str,
    enter: float | str,
    mode: str = "free",
    **options: Unpack[OptionNames],
) -> Motion:
    """Return the first motion until `leave`, a transition of some seconds, and the second motion from `enter` on.

    leave, enter: times of the first and of the second motion in s, or "end" and "start". duration: s, or
    "auto": the shortest of a range that takes hardly more effort than filling as long a gap in the motions themselves,
    or, where none is that easy, hardly more than the easiest.
    mode: "free" moves the second motion on the floor to where the transition leads; "pinned" leaves both where they
    are. The motion is written on the first one's skeleton; paths of a person of another size are scaled to its legs.
    Options are those of `Options`.
    """
    chosen = options_of(options)
    if mode not in MODES:
        raise ArgumentError(f"the mode is '{mode}': it must be one of {', '.join(MODES)}")
    for motion in (first, second):
        if not isinstance(motion, Motion):
            raise ArgumentError(f"a transition joins two motions, not {motion!r}")
        check_whole(motion)
    leaving, entering = leave_time(first, leave), enter_time(second, enter)
    if duration != "auto":
        return _joined(first, leaving, second, entering, checked_duration(duration), mode, chosen)
    # how long it should take is a question of least effort, whatever is known of the way
    plain = replace(chosen, prior=None)
    seconds, joined = _easiest(first, leaving, second, entering, mode, plain)
    return joined if chosen.prior is None else _joined(first, leaving, second, entering, seconds, mode, chosen)


def _easiest(
    first: Motion, leaving: float, second: Motion, entering: float, mode: str, options: Options
) -> tuple[float, Motion]:
    """Return the shortest duration that takes hardly more effort than it must, and the motions joined by it."""
    tried: list[tuple[float, float, Motion]] = []
    alone = replace(options, ground=None)
    for seconds in DURATIONS:
        joined = _joined(first, leaving, second, entering, seconds, mode, options)
        effort = trim(joined, leaving, leaving + seconds, keep_time=True).fills[0].energy / seconds
        usual = min(
            effort_inside(first, leaving, -1, seconds, alone), effort_inside(second, entering, 1, seconds, alone)
        )
        if effort <= MODEST * usual:
            return seconds, joined
        tried.append((effort, seconds, joined))
    least = min(effort for effort, _, _ in tried)
    return next((seconds, joined) for effort, seconds, joined in tried if effort <= MODEST * least)


def _joined(
    first: Motion, leave: float, second: Motion, enter: float, duration: float, mode: str, options: Options
) -> Motion:
    host, placement = first._with(second), IDENTITY
    leaving, entering = Side.before(first, leave), Side.after(second, enter)
    scale, rise = 1.0, 0.0
    if not _same_person(host, second.source):
        scale = size_ratio(host.figure, second.figure)
        rise = floor_rise(host.figure, second.figure, entering.state, scale)
    if mode == "free":
        placement = free_placement(leaving.course, entering.course, duration, scale)
    elif scale != 1.0:
        placement = pinned_placement(entering.course, scale)
    placement = placement._replace(rise=rise)
    placement, ground = _on_ground(first, leaving.course.place, second, entering.course.place, placement, mode, options)
    options = replace(options, ground=ground)
    shift = enter - leave - duration

    def moved(interval: Interval) -> Interval | None:
        part = interval.between(enter, second.stop)
        return part and part.retimed(1.0, shift).placed(placement)

    tracks = first.tracks.changed(lambda interval: interval.between(first.start, leave)) + second.tracks.changed(moved)
    sides = leaving.joined(entering, shift, placement)
    cut = CutTimes(leave, enter, (first.stop - leave, enter - second.start))
    return fill_known_gap(Motion(tracks, host), leave, leave + duration, options, sides, cut)


def _on_ground(
    first: Motion, leave: Array, second: Motion, enter: Array, placement: Placement, mode: str, options: Options
) -> tuple[Placement, Ground | None]:
    """Return where the second motion is placed, and the ground under both; None where that is level and not given.

    leave, enter: (3,) where the root is when the first motion is left and the second is entered. A motion that may be
    moved is also raised to the ground where it comes to be.
    """
    if options.ground is None:
        return placement, None
    own = second.ground
    there = placement.moved(np.array([enter[0], own.height(enter[0], enter[2]), enter[2]]))
    if isinstance(options.ground, Ground):
        rise = float(options.ground.height(there[0], there[2]) - there[1]) if mode == "free" else 0.0
        return placement._replace(rise=placement.rise + rise), options.ground
    if first.ground.is_flat and own.is_flat:
        return placement, None
    if mode == "free":
        placement = placement._replace(rise=placement.rise + float(first.ground.height(leave[0], leave[2])) - there[1])
    moved = own.moved(placement)
    level = float(moved.height(there[0], there[2]))
    joined = first.ground.joined(moved)
    if level > joined.height(there[0], there[2]) + TINY:
        # the second motion brings the ground along that it stands on
        base = float(joined.height(there[0], there[2]))
        box = Box((there[0], 0.5 * (base + level), there[2]), (_BROUGHT, level - base, _BROUGHT))
        joined = joined.joined(Ground.boxes([box]))
    return placement, joined


def _same_person(one: ClipSource | PoseSource, other: ClipSource | PoseSource) -> bool:
    """Whether motions are of one skeleton, however differently the figure was fitted to it."""
    if isinstance(one, ClipSource) and isinstance(other, ClipSource):
        return one.skeleton == other.skeleton
    return one is other


def leave_time(motion: Motion, leave: float | str) -> float:
    """Return the time in s at which a motion is left, checked: some of it must come before."""
    if leave == END:
        return motion.stop
    leave = _number("leave", leave)
    if not (math.isfinite(leave) and motion.start + TINY < leave <= motion.stop + TINY):
        raise ArgumentError(
            f"the first motion cannot be left at {leave:g} s: it lasts from {motion.start:g} to {motion.stop:g} s, "
            "and some of it must come before the transition"
        )
    return min(leave, motion.stop)


def enter_time(motion: Motion, enter: float | str) -> float:
    """Return the time in s at which a motion is entered, checked: some of it must come after."""
    if enter == START:
        return motion.start
    enter = _number("enter", enter)
    if not (math.isfinite(enter) and motion.start - TINY <= enter < motion.stop - TINY):
        raise ArgumentError(
            f"the second motion cannot be entered at {enter:g} s: it lasts from {motion.start:g} to {motion.stop:g} s, "
            "and some of it must come after the transition"
        )
    return max(enter, motion.start)


def _number(name: str, value: float | str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is {value!r}: a time in seconds is needed") from None
