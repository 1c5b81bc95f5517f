"""Join two motions at given times by a transition, and choose its duration."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from segue.errors import ArgumentError
from segue.filling.gaps import LONGEST, check_whole, fill_gap
from segue.filling.options import Options
from segue.filling.own_frame import OwnFrame, same_person
from segue.filling.placing import floor_rise, placed_by_steps, size_ratio
from segue.filling.root import free_placement, pinned_placement
from segue.filling.sides import GapContext, Side
from segue.filling.targets import check_inside
from segue.motion.box import Box
from segue.motion.fills import CutTimes
from segue.motion.functions import IDENTITY, Placement
from segue.motion.ground import AUTO, Ground, uneven
from segue.motion.interval import TINY, Interval
from segue.motion.motion import Motion
from segue.motion.operators import trim
from segue.motion.tracks import TRACKS
from segue.typing import Array

_LEVEL = (
    "the transition is made on level ground: no path over the ground found under both motions costs less than "
    "plain interpolation"
)
_CHEAPER = 0.99  # times the energy of plain interpolation: a path over found ground must cost less
_SAME_LEVEL = 0.02  # m between two floors that are one
_BROUGHT = 3.0  # m, size of the level ground that is added under the second motion

END, START = "end", "start"
"""The cut points that keep every frame of the first motion, and of the second."""

DURATIONS = tuple(np.round(np.arange(0.2, 1.25, 0.1), 10).tolist())
"""Durations in s that "auto" tries."""

_MODEST = 1.25  # effort of a transition, as a multiple of the effort inside the motions
_AS_SURE = 1.25  # doubt of a prior, as a multiple of the least doubt
_MARGIN = 0.05  # s that must remain outside the span that is filled for comparison


def join(
    first: Motion,
    second: Motion,
    duration: float | str,
    leave: float | str,
    enter: float | str,
    mode: str,
    options: Options,
) -> Motion:
    """Return two motions joined at given times; arguments as for `transition`."""
    leaving, entering = leave_time(first, leave), enter_time(second, enter)
    if duration != "auto":
        check_inside(options.targets, [(leaving, leaving + checked_duration(duration))])
        return _joined(first, leaving, second, entering, checked_duration(duration), mode, options)
    free = options.without_targets
    seconds, joined = _easiest(first, leaving, second, entering, mode, free.least_effort)
    if options.prior is not None:
        joined = _joined(first, leaving, second, entering, seconds, mode, free)
        if _doubt(joined, leaving) is not None:
            seconds, joined = _surest(first, leaving, second, entering, seconds, mode, free)
    check_inside(options.targets, [(leaving, leaving + seconds)])
    return _joined(first, leaving, second, entering, seconds, mode, options) if options.targets else joined


def _doubt(joined: Motion, leaving: float) -> float | None:
    """Return the error that a prior expects of a transition, as a multiple of its usual error in gaps as long.

    None if least effort leads the path, or if the prior does not know its error.
    """
    match = next(each for each in joined.fills if abs(each.start - leaving) < TINY).match
    if match is None or match.share <= 0.0 or match.error is None or not match.usual:
        return None
    return match.error / match.usual


def _surest(
    first: Motion, leaving: float, second: Motion, entering: float, shortest: float, mode: str, options: Options
) -> tuple[float, Motion]:
    """Return the first duration for which the prior is about as sure as for any longer one, and the motions joined.

    shortest: s, of modest effort.
    """
    tries = [each for each in DURATIONS if each >= shortest]
    made = [(each, _joined(first, leaving, second, entering, each, mode, options)) for each in tries]
    tried = [(doubt, *pair) for pair in made if (doubt := _doubt(pair[1], leaving)) is not None]
    least = min(doubt for doubt, _, _ in tried)
    return next((seconds, joined) for doubt, seconds, joined in tried if doubt <= _AS_SURE * least)


def _easiest(
    first: Motion, leaving: float, second: Motion, entering: float, mode: str, options: Options
) -> tuple[float, Motion]:
    """Return the shortest duration of modest effort, see `transition`, and the motions joined by it."""
    tried: list[tuple[float, float, Motion]] = []
    alone = replace(options, ground=None)
    for seconds in DURATIONS:
        joined = _joined(first, leaving, second, entering, seconds, mode, options)
        effort = trim(joined, leaving, leaving + seconds, keep_time=True).fills[0].energy / seconds
        usual = min(
            _effort_inside(first, leaving, -1, seconds, alone), _effort_inside(second, entering, 1, seconds, alone)
        )
        if effort <= _MODEST * usual:
            return seconds, joined
        tried.append((effort, seconds, joined))
    least = min(effort for effort, _, _ in tried)
    return next((seconds, joined) for effort, seconds, joined in tried if effort <= _MODEST * least)


def _effort_inside(motion: Motion, at: float, towards: int, duration: float, options: Options) -> float:
    """Return the energy per second of filling a gap in a motion that ends (-1) or begins (1) at a time.

    The gap is as long as the transition, or as long as the motion allows, and filled by the same objective. So noise of
    capture, which a filled gap does not have, does not count.
    """
    start, stop = (at - duration, at) if towards < 0 else (at, at + duration)
    start, stop = max(start, motion.start + _MARGIN), min(stop, motion.stop - _MARGIN)
    if stop - start < _MARGIN:
        return np.inf
    without = Motion(motion.tracks.erased(start, stop, tuple(TRACKS)), motion.source)
    report = fill_gap(without, start, stop, tuple(TRACKS), options).fills[0]
    return report.energy / (stop - start)


def _joined(
    first: Motion, leave: float, second: Motion, enter: float, duration: float, mode: str, options: Options
) -> Motion:
    """Return the motions joined, in their own frame if place and time do not matter."""
    movable = mode == "free" and duration <= LONGEST
    frame = OwnFrame.of(first, leave, second, enter, duration, options) if movable else None
    if frame is None:
        return _joined_here(first, leave, second, enter, duration, options, mode)[0]
    made, placement = frame.joined(_joined_here)
    if options.ground == AUTO:
        _keep_level(made, first.ground, second.ground.moved(placement))
    return made


def _joined_here(
    first: Motion,
    leave: float,
    second: Motion,
    enter: float,
    duration: float,
    options: Options,
    mode: str = "free",
    notes: tuple[str, ...] = (),
) -> tuple[Motion, Placement]:
    """Return the motions joined, on the ground found under them or else on level ground, and the second's placement."""
    host, placement = first._with(second), IDENTITY
    leaving, entering = Side.before(first, leave), Side.after(second, enter)
    scale, rise = 1.0, 0.0
    if not same_person(host, second.source):
        scale = size_ratio(host.figure, second.figure)
        rise = floor_rise(host.figure, second.figure, entering.state, scale, uneven(second.ground))
    shift = enter - leave - duration

    def composed(placement: Placement) -> tuple[Motion, GapContext]:
        def moved(interval: Interval) -> Interval | None:
            part = interval.between(enter, second.stop)
            return part and part.retimed(1.0, shift).placed(placement)

        before = first.tracks.changed(lambda interval: interval.between(first.start, leave))
        whole = Motion(before + second.tracks.changed(moved), host)
        check_whole(whole)
        sides = leaving.joined(entering, shift, placement)
        return whole, sides or GapContext.sample(whole, leave, leave + duration)

    if mode == "free":
        placement = free_placement(leaving.root, entering.root, duration, scale)._replace(rise=rise)
        if options.ground != AUTO or (first.ground.is_flat and second.ground.is_flat):
            placement = placed_by_steps(composed, placement, leave, leave + duration, options)
    elif scale != 1.0:
        placement = pinned_placement(entering.root, scale)
    placement = placement._replace(rise=rise)
    placement, ground = _on_ground(first, leaving.root.place, second, entering.root.place, placement, mode, options)
    found = ground is not None and options.ground == AUTO
    used = options if ground is None else replace(options, ground=ground)
    cut = CutTimes(leave, enter, (first.stop - leave, enter - second.start))
    joined, sides = composed(placement)
    made = fill_gap(joined, leave, leave + duration, tuple(TRACKS), used, sides, cut, notes)
    if not found:
        if ground is None and options.ground == AUTO:
            _keep_level(made, first.ground, second.ground.moved(placement))
        return made, placement
    report = next(each for each in made.fills if abs(each.start - leave) < TINY)
    if (report.match is not None and report.match.share > 0.0) or report.energy < _CHEAPER * report.start_energy:
        return made, placement
    # how two found grounds fit together is a guess, treads of the one may stand in the way of the other, and steps of a
    # prior over ground that is missed cost more than they mend
    plain = replace(options.least_effort, ground=None)
    return _joined_here(first, leave, second, enter, duration, plain, mode, (_LEVEL,))


def _keep_level(made: Motion, first: Ground, second: Ground) -> None:
    """Let a motion keep the level ground of its parts if both have one height; to find it again takes long."""
    if abs(first.plane[0] - second.plane[0]) < _SAME_LEVEL:
        made.__dict__["ground"] = first  # the value of its cached property


def _on_ground(
    first: Motion, leave: Array, second: Motion, enter: Array, placement: Placement, mode: str, options: Options
) -> tuple[Placement, Ground | None]:
    """Return the placement of the second motion, and the ground under both; None if it is level and not given.

    leave, enter: (3,) the root's place in m at the cut points of the first and the second motion. In mode "free" the
    second motion is also raised to the ground at its new place.
    """
    if options.ground is None or (options.ground == AUTO and first.ground.is_flat and second.ground.is_flat):
        return placement, None
    own = second.ground
    there = placement.moved(np.array([enter[0], own.height(enter[0], enter[2]), enter[2]]))
    if isinstance(options.ground, Ground):
        rise = float(options.ground.height(there[0], there[2]) - there[1]) if mode == "free" else 0.0
        return placement._replace(rise=placement.rise + rise), options.ground
    if mode == "free":
        placement = placement._replace(rise=placement.rise + float(first.ground.height(leave[0], leave[2])) - there[1])
    moved = own.moved(placement)
    level = float(moved.height(there[0], there[2]))
    joined = first.ground.joined(moved)
    if level > joined.height(there[0], there[2]) + TINY:
        # add the ground that the second motion stands on
        base = float(joined.height(there[0], there[2]))
        box = Box((there[0], 0.5 * (base + level), there[2]), (_BROUGHT, level - base, _BROUGHT))
        joined = joined.joined(Ground.boxes([box]))
    return placement, joined


def leave_time(motion: Motion, leave: float | str) -> float:
    """Return the time in s at which to leave a motion; raise unless some of it comes before."""
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
    """Return the time in s at which to enter a motion; raise unless some of it comes after."""
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


def checked_duration(duration: float | str) -> float:
    """Return the duration of a transition in s; raise unless it is positive."""
    try:
        seconds = float(duration)
    except (TypeError, ValueError):
        raise ArgumentError(f'the duration is {duration!r}: a number of seconds or "auto" is needed') from None
    if not (math.isfinite(seconds) and seconds > TINY):
        raise ArgumentError(f"the duration is {seconds:g} s: it must be positive and finite")
    return seconds
