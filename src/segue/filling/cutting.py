"""Cut points: the times at which to leave one motion and to enter another, and the duration of the transition.

Every frame of the first motion is compared with every frame of the second (`segue.filling.cutting_map`), for a few
durations, and each pair gets a cost in leg lengths. `cut_times` takes the cheapest pair near the ends. `cut_points`
also solves the transitions of the cheapest pairs, and adds the effort and the notes of the solutions to the cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from segue.checks import integer
from segue.compiled.kernel import interruptible
from segue.errors import ArgumentError
from segue.filling.cut_times import AUTO, CutTime, Window, exact_times, is_near, windows_of
from segue.filling.cutting_map import Comparison, DistanceMap, Minimum, Stances, compare
from segue.filling.gaps import check_whole
from segue.filling.joining import checked_duration, join
from segue.filling.options import OptionNames, Options, options_of
from segue.filling.stances import jumps_of, near_flight
from segue.motion.motion import Motion, check_motion
from segue.typing import Array, Flags, Single

MODES = ("pinned", "free")
"""Whether the motion after a gap stays in place ("pinned"), or moves to where the gap leads ("free")."""

DURATIONS = (0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""Durations in s that are compared if the duration is "auto"."""

_TRIED = 6  # pairs of cut points that are solved for each duration
_NOTE = 0.1  # legs that each note on the solved transition costs, for example on foot slide
_EFFORT = 0.06  # legs that effort costs for each factor of e
_APART = 0.25  # s between the cut points of two cuts that are both returned
_ALIKE, _FAIR = 0.35, 0.6  # legs: distances up to which motions are described as much alike, and fairly alike

_LEFT_OUT = 0.05  # legs for each second that is left out
_JUMP = 1.5  # legs in addition for each second of a jump that is left out: users rarely want to lose a jump
_CROUCH = 0.5  # legs that a cut costs in the crouch before a jump or in the landing
_MADE = 0.3  # legs for each second of the transition: longer transitions have more faults and miss a step
# s for one leg of distance; one step, 0.33 legs, takes 0.5 s. At equal strength the distance grows as duration squared
_PACE = 0.87
_HASTE = 1.0  # legs for each second by which a transition is shorter than that
_GLIDE = 0.4  # legs for each leg that a standing foot moves during the transition
_BORNE = 0.3  # legs subtracted if the same foot stands before and after: a foot must carry the body
_MID_AIR = 10.0  # legs: more than all other terms together


@dataclass(frozen=True)
class CutPoint:
    """A pair of cut points, and the transition between them.

    leave: a time of the first motion, enter: one of the second, duration: of the transition between them, all in s.
    distance: the distance of both motions during the transition, in leg lengths, see `DistanceMap`. effort: the
    objective's energy of the transition, times its duration; None if the transition was not solved. notes: as in
    `FillReport`. left_out: seconds of the first motion after `leave`, and of the second before `enter`.
    cost: rank of the cut in legs, lower is better.
    """

    leave: float
    enter: float
    duration: float
    distance: float
    effort: float | None = None
    notes: tuple[str, ...] = ()
    left_out: tuple[float, float] = (0.0, 0.0)
    cost: float = 0.0

    def describe(self, first: str = "the first", second: str = "the second") -> str:
        """Return the cut as one sentence without a full stop; first, second: names of the motions."""
        alike = (
            "much alike" if self.distance <= _ALIKE else "fairly alike" if self.distance <= _FAIR else "rather unlike"
        )
        return (
            f"{first} is left at {self.leave:.2f} s, {second} entered {self.duration:.2f} s later, at "
            f"{self.enter:.2f} s of its own: they are {alike} there"
        )


def cuts_between(
    first: Motion,
    second: Motion,
    duration: float | str,
    leave: CutTime,
    enter: CutTime,
    mode: str,
    options: Options,
) -> list[CutPoint]:
    """Return the cuts that `transition` chooses from, best first; none if both times are given.

    Near the ends, frames are compared but no transition is solved, which takes a millisecond.
    """
    if exact_times(leave, enter) is not None:
        return []
    if not is_near(leave, enter):
        return cut_points(first, second, leave=leave, enter=enter, duration=duration, mode=mode, options=options)
    places = _promising(first, second, windows_of(first, second, leave, enter), _spans(duration), mode, 1)
    span, place = min(places, key=lambda each: each[1].cost)
    return [_cut_point(first, second, span, place)]


def cut_times(
    first: Motion,
    second: Motion,
    duration: float | str,
    leave: CutTime,
    enter: CutTime,
    mode: str,
    options: Options,
) -> tuple[float | str, float | str, float | str]:
    """Return the duration of a transition, and when it leaves and enters; arguments as for `cuts_between`."""
    if (exact := exact_times(leave, enter)) is not None:
        return duration, *exact
    best = cuts_between(first, second, duration, leave, enter, mode, options)[0]
    return best.duration, best.leave, best.enter


@interruptible
def cut_points(
    first: Motion,
    second: Motion,
    *,
    leave: CutTime = "auto",
    enter: CutTime = "auto",
    duration: float | str = "auto",
    mode: str = "free",
    count: int = 5,
    options: Options | None = None,
    **given: Unpack[OptionNames],
) -> list[CutPoint]:
    """Return the best cut points at which to leave the first motion and to enter the second, best first.

    leave, enter: a window (from, to) to search, in s, or a time. "auto" is the second half of the first motion and the
    first half of the second, without 0.2 s at their ends; None is the last second of the first motion and the first
    second of the second; "end" for `leave` and "start" for `enter` keep every frame. duration: of the transition, in s;
    "auto" searches it too. mode: "free" compares poses regardless of place and heading, "pinned" compares place and
    heading too. count: at most so many cuts. options, given: as for `transition`; transitions are solved without a
    library. Seconds that are left out raise the cost of a cut, and so does a duration too short for the distance. Cuts
    in mid-air are returned only if the windows hold no others, preferably with both motions in the air.
    """
    chosen = options_of(options, given).least_effort
    check_pair(first, second, mode)
    windows = windows_of(first, second, leave, enter)
    seconds = _spans(duration)
    integer("count", count, least=1)
    tried: list[CutPoint] = []
    failure = ArgumentError("no cut points are left: the motions are too short")
    for span, place in _promising(first, second, windows, seconds, mode, _TRIED):
        try:
            joined = join(first, second, span, place.leave, place.enter, mode, chosen)
        except ArgumentError as error:  # for example a foot that must be held is in the air
            failure = error
            continue
        # gaps that were filled before in either motion have reports, too
        report = min(joined.fills, key=lambda fill: abs(fill.start - place.leave))
        effort = report.energy * span
        cost = place.cost + _NOTE * len(report.notes) + _EFFORT * float(np.log(max(effort, 1e-9)))
        found = _cut_point(first, second, span, place)
        tried.append(replace(found, effort=effort, notes=report.notes, cost=cost))
    if not tried:
        raise failure
    return _distinct(sorted(tried, key=lambda cut: cut.cost), count)


def ranked_cuts(
    first: Motion, second: Motion, leave: Window, enter: Window, durations: Sequence[float] = DURATIONS, count: int = 3
) -> list[CutPoint]:
    """Return cuts between two windows in s by their costs, cheapest first, without solving any transition.

    durations: of transitions in s, for each of which at most `count` cuts are returned. The times of cuts are whole
    frames of features from the end of `leave`, and from the start of `enter`.
    """
    found = _promising(first, second, (leave, enter), durations, "free", count)
    return sorted((_cut_point(first, second, span, place) for span, place in found), key=lambda cut: cut.cost)


def distance_map(first: Motion, second: Motion, duration: float = 0.6, *, mode: str = "free") -> DistanceMap:
    """Return the distance of two motions during transitions of a duration in s, for all pairs of cut points.

    mode: as for `cut_points`.
    """
    seconds = checked_duration(duration)
    check_pair(first, second, mode)
    return compare(first, second, seconds, pinned=mode == "pinned").during(seconds)


def tries(duration: float | str) -> list[float]:
    """Return the durations in s of the transitions that `cut_points` solves at most."""
    return [span for span in _spans(duration) for _ in range(_TRIED)]


def _spans(duration: float | str) -> tuple[float, ...]:
    return DURATIONS if duration == AUTO else (checked_duration(duration),)


def _promising(
    first: Motion, second: Motion, windows: tuple[Window, Window], seconds: Sequence[float], mode: str, count: int
) -> Iterator[tuple[float, Minimum]]:
    """Yield durations with the cheapest pairs of cut points, at most `count` for each duration."""
    compared = compare(first, second, max(seconds), pinned=mode == "pinned", windows=windows)
    for span in seconds:
        found = compared.during(span)
        for place in found.minima(*windows, count, _costs_of(compared, found)):
            yield span, place


def _cut_point(first: Motion, second: Motion, duration: float, place: Minimum) -> CutPoint:
    left_out = first.stop - place.leave, place.enter - second.start
    return CutPoint(place.leave, place.enter, duration, place.distance, left_out=left_out, cost=place.cost)


def _distinct(cuts: Sequence[CutPoint], count: int) -> list[CutPoint]:
    """Return the first `count` cuts that are at least 0.25 s from each other, in their order."""
    kept: list[CutPoint] = []
    for cut in cuts:
        if all(max(abs(cut.leave - other.leave), abs(cut.enter - other.enter)) > _APART for other in kept):
            kept.append(cut)
    return kept[:count]


def check_pair(first: Motion, second: Motion, mode: str) -> None:
    """Raise unless a transition can join two motions of the whole body in some mode."""
    if mode not in MODES:
        raise ArgumentError(f"the mode is '{mode}': it must be one of {', '.join(MODES)}")
    for motion in (first, second):
        check_motion("a transition joins", motion)
        check_whole(motion)


def _costs_of(compared: Comparison, found: DistanceMap) -> Single:
    """Return the cost of each cut of a map, (L, E) in legs; compared: the comparison behind the map."""
    distances = found.distances
    haste = np.maximum(_PACE * np.sqrt(distances) - found.duration, 0.0)
    costs = distances + _HASTE * haste + _MADE * found.duration
    costs += _feet(*compared.stances, found.duration)
    left, entered = (stances.aloft for stances in compared.stances)
    after, before = jumps_of(left, compared.step), jumps_of(entered, compared.step)
    costs += _losses(compared.leaves[-1] - compared.leaves, after.seconds[-1] - after.seconds)[:, None]
    costs += _losses(compared.enters - compared.enters[0], before.seconds)
    costs += _CROUCH * (after.about[:, None] | before.about)
    costs += _mid_air(left, entered)
    return costs.astype(np.float32, copy=False)


def _feet(left: Stances, entered: Stances, duration: float) -> Single:
    """Return the cost of feet, (L, E) in legs: feet that stand before and after a transition should not move.

    The root moves at the mean of its velocities at both ends, and the feet keep their place relative to the root. The
    cost is negative where a foot can stay and carry the body throughout.
    """
    costs = np.zeros((len(left.aloft), len(entered.aloft)), np.float32)
    shared = np.zeros_like(costs)
    half = np.float32(0.5 * duration)
    for foot in (0, 1):
        here, there = left.places[:, foot] - half * left.pace, entered.places[:, foot] + half * entered.pace
        apart = np.hypot(here[:, None, 0] - there[:, 0], here[:, None, 1] - there[:, 1])
        both = left.stands[:, None, foot] * entered.stands[:, foot]
        costs += _GLIDE * both * apart
        np.maximum(shared, both, out=shared)
    return costs - _BORNE * shared


def _mid_air(left: Flags, entered: Flags) -> Single:
    """Return the cost of cuts in mid-air, (L, E) in legs; it is lower if both motions are in the air."""
    one = near_flight(left)[:, None] | near_flight(entered)
    both = left[:, None] & entered
    return np.where(both, np.float32(0.5 * _MID_AIR), np.where(one, np.float32(_MID_AIR), np.float32(0.0)))


def _losses(seconds: Array, flights: Array) -> Array:
    return _LEFT_OUT * seconds + _JUMP * flights
