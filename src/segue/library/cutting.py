"""Where to cut: the best moments at which to leave one motion and to enter another, and how long to take.

First every moment of the one is compared with every moment of the other (`segue.library.cutting_map`), for a few
durations; then the most promising pairs are tried, and ranked by what they really cost a body with mass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Unpack

from segue.errors import ArgumentError
from segue.library.cutting_map import DistanceMap, Minimum, compare
from segue.library.cutting_moments import AUTO, Moment, Window, windows_of
from segue.motion.motion import Motion, check_motion
from segue.transition.duration import checked_duration
from segue.transition.fill import MODES, check_whole
from segue.transition.join import transition
from segue.transition.options import OptionNames
from segue.transition.report import fills

__all__ = ["DURATIONS", "CutPoint", "cut_points", "distance_map", "tries"]

DURATIONS = (0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""How long transitions that are tried take, in s, where nobody says."""

_TRIED = 6  # pairs of moments that are tried for each duration
_KEEP = 0.15  # part by which a cut counts as worse that would drop all of both motions: strides repeat
_APART = 0.25  # s by which cuts differ that are worth offering besides each other
_ALIKE, _FAIR = 0.35, 0.6  # legs: distances up to which motions are said to be alike, and fairly alike


@dataclass(frozen=True)
class CutPoint:
    """A pair of moments between which one motion goes over into another.

    leave: a time of the first motion, enter: one of the second, duration: of the transition between them, all in s.
    distance: how unlike both motions are meanwhile, in legs of the person, see `DistanceMap`. effort: the energy of the
    transition by the objective, times its duration: short ones take strength, and in long ones a body would do more
    than go from the one to the other. notes: what could not be had, as in `FillReport`.
    """

    leave: float
    enter: float
    duration: float
    distance: float
    effort: float
    notes: tuple[str, ...] = ()

    def describe(self, first: str = "the first", second: str = "the second") -> str:
        """Return the cut as one sentence without a full stop; first, second: what the motions are called."""
        alike = (
            "much alike" if self.distance <= _ALIKE else "fairly alike" if self.distance <= _FAIR else "rather unlike"
        )
        return (
            f"{first} is left at {self.leave:.2f} s, {second} entered {self.duration:.2f} s later, at "
            f"{self.enter:.2f} s of its own: they are {alike} there"
        )


def cut_points(
    first: Motion,
    second: Motion,
    *,
    leave: Moment = "auto",
    enter: Moment = "auto",
    duration: float | str = "auto",
    mode: str = "free",
    count: int = 5,
    **options: Unpack[OptionNames],
) -> list[CutPoint]:
    """Return the best moments at which to leave the first motion and to enter the second, best first.

    leave, enter: between when and when to look, in s, or when exactly. "auto" is the second half of the first motion
    and the first half of the second, so that most of both stays, but for their very ends; None is the end of the first
    and the start of the second. duration: of the transition, in s; "auto" finds it too. mode: "free" looks for moments
    that are alike wherever the figure is and faces, "pinned" for those at which it is in the same place. count: how
    many at most. Options are those of `Options`, by which cuts are tried. Of cuts that are equally good, those come
    first that keep more of both.
    """
    _check(first, second, mode)
    windows = windows_of(first, second, leave, enter)
    seconds = _spans(duration)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ArgumentError(f"count is {count!r}: it must be a whole number above zero")
    tried: list[CutPoint] = []
    failure = ArgumentError("no moments are left to cut at: the motions are too short")
    for span, place in _promising(first, second, windows, seconds, mode):
        try:
            joined = transition(first, second, span, leave=place.leave, enter=place.enter, mode=mode, **options)
        except ArgumentError as error:  # these moments do not do, as where a foot that is to be held is in the air
            failure = error
            continue
        # what was filled before in either motion is there, too
        report = min(fills(joined), key=lambda fill: abs(fill.start - place.leave))
        tried.append(CutPoint(place.leave, place.enter, span, place.distance, report.energy * span, report.notes))
    if not tried:
        raise failure

    def cost(cut: CutPoint) -> tuple[int, float]:
        dropped = (first.stop - cut.leave) / first.duration + (cut.enter - second.start) / second.duration
        return len(cut.notes), cut.effort * (1.0 + 0.5 * _KEEP * dropped)

    return _distinct(sorted(tried, key=cost), count)


def distance_map(first: Motion, second: Motion, duration: float = 0.6, *, mode: str = "free") -> DistanceMap:
    """Return how unlike two motions are during transitions of some duration, for all moments of leaving and entering.

    mode: as for `cut_points`.
    """
    seconds = checked_duration(duration)
    _check(first, second, mode)
    return compare(first, second, seconds, pinned=mode == "pinned").during(seconds)


def tries(duration: float | str) -> list[float]:
    """Return how long each of the transitions takes that `cut_points` tries at most, in s."""
    return [span for span in _spans(duration) for _ in range(_TRIED)]


def _spans(duration: float | str) -> tuple[float, ...]:
    return DURATIONS if duration == AUTO else (checked_duration(duration),)


def _promising(
    first: Motion, second: Motion, windows: tuple[Window, Window], seconds: Sequence[float], mode: str
) -> Iterator[tuple[float, Minimum]]:
    """Yield durations with pairs of moments at which motions are alike for as long, as many as are worth trying."""
    anchors = windows[0][0], windows[1][0]
    compared = compare(first, second, max(seconds), pinned=mode == "pinned", anchors=anchors)
    for span in seconds:
        for place in compared.during(span).minima(*windows, _TRIED, keep=_KEEP):
            yield span, place


def _distinct(cuts: Sequence[CutPoint], count: int) -> list[CutPoint]:
    """Return so many cuts that are apart from each other, in their order."""
    kept: list[CutPoint] = []
    for cut in cuts:
        if all(max(abs(cut.leave - other.leave), abs(cut.enter - other.enter)) > _APART for other in kept):
            kept.append(cut)
    return kept[:count]


def _check(first: Motion, second: Motion, mode: str) -> None:
    if mode not in MODES:
        raise ArgumentError(f"the mode is '{mode}': it must be one of {', '.join(MODES)}")
    for motion in (first, second):
        check_motion("cuts are looked for in", motion)
        check_whole(motion)
