"""Cut points: at which moments to leave one motion and to enter another, and how long to take.

Every moment of the first motion is compared with every moment of the second (`segue.filling.cutting_map`), for a few
durations, and gets a cost in legs (`segue.filling.cutting`). `chosen_cut` takes the cheapest pair near the ends.
`cut_points` also solves the transitions of the most promising pairs, and adds what their solutions show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from segue.checks import integer
from segue.errors import ArgumentError
from segue.filling.cut_times import AUTO, CutTime, Window, exact_times, is_near, windows_of
from segue.filling.cutting_map import Comparison, DistanceMap, Footing, Minimum, compare
from segue.filling.gaps import check_whole
from segue.filling.joining import checked_duration, join
from segue.filling.options import OptionNames, Options, options_of
from segue.filling.stances import jumps_of, near_flight
from segue.motion.interrupt import interruptible
from segue.motion.motion import Motion, check_motion
from segue.typing import Array, Flags, Single

MODES = ("pinned", "free")
"""Whether what follows a gap stays where it is, or moves to where the gap leads."""

DURATIONS = (0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""Durations that are compared, in s, where none is given."""

_TRIED = 6  # pairs of moments that are tried for each duration
_NOTE = 0.1  # legs that a note on the solved transition costs, as of a foot that glides
_EFFORT = 0.06  # legs that effort costs for each factor of e
_APART = 0.25  # s by which cuts differ that are worth offering besides each other
_ALIKE, _FAIR = 0.35, 0.6  # legs: distances up to which motions are said to be alike, and fairly alike

_LEFT_OUT = 0.05  # legs a second that is left out
_JUMP = 1.5  # legs a second of a jump that is left out, besides: a jump is rarely what the user can spare
_CROUCH = 0.5  # legs that it costs to cut where the body gathers for a jump or lands from it
_MADE = 0.3  # legs a second of the transition: in longer ones more goes wrong, and a person would take a step
_PACE = (
    0.87  # s: motions that are 0.33 legs apart, as one step makes them, take 0.5 s; with even strength T^2 ~ distance
)
_HASTE = 1.0  # legs a second by which a transition is shorter than that
_GLIDE = 0.4  # legs that a foot costs for each leg by which it is elsewhere after the transition
_BORNE = 0.3  # legs that it is worth if the same foot stands before and after: somebody must bear the body
_MID_AIR = 10.0  # legs: more than all else together


@dataclass(frozen=True)
class CutPoint:
    """A pair of moments between which one motion goes over into another.

    leave: a time of the first motion, enter: one of the second, duration: of the transition between them, all in s.
    distance: how unlike both motions are meanwhile, in legs of the person, see `DistanceMap`. effort: the energy of the
    transition by the objective, times its duration; None where the transition was not solved. notes: what could not be
    had, as in `FillReport`. left_out: seconds of the first motion after `leave`, and of the second before `enter`.
    cost: what cuts are ranked by, in legs.
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
        """Return the cut as one sentence without a full stop; first, second: what the motions are called."""
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
    """Return the cuts that `transition` chooses from, best first; none where both times are given.

    Near the ends, times are compared and none is tried, which takes a millisecond.
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
    """Return the best moments at which to leave the first motion and to enter the second, best first.

    leave, enter: a window (from, to) to search, in s, or a time. "auto" is the second half of the first motion and the
    first half of the second, but for their very ends; None is the last second of the first motion and the first second
    of the second; "end" for `leave` and "start" for `enter` cut nothing off. duration: of the transition, in s; "auto"
    finds it too. mode: "free" looks for moments that are alike wherever the figure is and faces, "pinned" for those at
    which it is in the same place. count: how many at most. options, given: as for `transition`; cuts are tried without
    a library. Seconds that are left out count against a cut, and so does a duration in which a person could hardly do
    it. No cut is made in mid-air unless the windows hold nothing else, and then rather with both motions in the air.
    """
    chosen = options_of(options, given).without_library
    check_pair(first, second, mode)
    windows = windows_of(first, second, leave, enter)
    seconds = _spans(duration)
    integer("count", count, least=1)
    tried: list[CutPoint] = []
    failure = ArgumentError("no moments are left to cut at: the motions are too short")
    for span, place in _promising(first, second, windows, seconds, mode, _TRIED):
        try:
            joined = join(first, second, span, place.leave, place.enter, mode, chosen)
        except ArgumentError as error:  # these moments do not do, as where a foot that is to be held is in the air
            failure = error
            continue
        # what was filled before in either motion is there, too
        report = min(joined.fills, key=lambda fill: abs(fill.start - place.leave))
        effort = report.energy * span
        cost = place.cost + _NOTE * len(report.notes) + _EFFORT * float(np.log(max(effort, 1e-9)))
        found = _cut_point(first, second, span, place)
        tried.append(replace(found, effort=effort, notes=report.notes, cost=cost))
    if not tried:
        raise failure
    return _distinct(sorted(tried, key=lambda cut: cut.cost), count)


def distance_map(first: Motion, second: Motion, duration: float = 0.6, *, mode: str = "free") -> DistanceMap:
    """Return how unlike two motions are during transitions of some duration, for all moments of leaving and entering.

    mode: as for `cut_points`.
    """
    seconds = checked_duration(duration)
    check_pair(first, second, mode)
    return compare(first, second, seconds, pinned=mode == "pinned").during(seconds)


def tries(duration: float | str) -> list[float]:
    """Return how long each of the transitions takes that `cut_points` tries at most, in s."""
    return [span for span in _spans(duration) for _ in range(_TRIED)]


def _spans(duration: float | str) -> tuple[float, ...]:
    return DURATIONS if duration == AUTO else (checked_duration(duration),)


def _promising(
    first: Motion, second: Motion, windows: tuple[Window, Window], seconds: Sequence[float], mode: str, count: int
) -> Iterator[tuple[float, Minimum]]:
    """Yield durations with pairs of moments that cost little, at most so many for each duration."""
    compared = compare(first, second, max(seconds), pinned=mode == "pinned", windows=windows)
    for span in seconds:
        found = compared.during(span)
        for place in found.minima(*windows, count, _costs_of(compared, found)):
            yield span, place


def _cut_point(first: Motion, second: Motion, duration: float, place: Minimum) -> CutPoint:
    left_out = first.stop - place.leave, place.enter - second.start
    return CutPoint(place.leave, place.enter, duration, place.distance, left_out=left_out, cost=place.cost)


def _distinct(cuts: Sequence[CutPoint], count: int) -> list[CutPoint]:
    """Return so many cuts that are apart from each other, in their order."""
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
    """Return what each cut of a map costs, (L, E) in legs; compared: what the map was made from."""
    distances = found.distances
    haste = np.maximum(_PACE * np.sqrt(distances) - found.duration, 0.0)
    costs = distances + _HASTE * haste + _MADE * found.duration
    costs += _feet(*compared.footing, found.duration)
    left, entered = (footing.aloft for footing in compared.footing)
    after, before = jumps_of(left, compared.step), jumps_of(entered, compared.step)
    costs += _losses(compared.leaves[-1] - compared.leaves, after.seconds[-1] - after.seconds)[:, None]
    costs += _losses(compared.enters - compared.enters[0], before.seconds)
    costs += _CROUCH * (after.about[:, None] | before.about)
    costs += _mid_air(left, entered)
    return costs.astype(np.float32, copy=False)


def _feet(left: Footing, entered: Footing, duration: float) -> Single:
    """Return what feet cost, (L, E) in legs: those that stand before and after a transition should not have to move.

    The root goes on at the mean of its speeds at both ends, and the feet are where they are beside it. The cost is
    negative where a foot can stay and bear the body throughout.
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
    """Return what cuts in mid-air cost, (L, E) in legs; where a window holds nothing else, both may be in the air."""
    one = near_flight(left)[:, None] | near_flight(entered)
    both = left[:, None] & entered
    return np.where(both, np.float32(0.5 * _MID_AIR), np.where(one, np.float32(_MID_AIR), np.float32(0.0)))


def _losses(seconds: Array, flights: Array) -> Array:
    return _LEFT_OUT * seconds + _JUMP * flights
