"""The front door: a pattern by its name, or several, danced alone or by a couple."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

from segue.body.figure import Figure
from segue.dance.notation.follower import partner_of
from segue.dance.notation.model import Part, Pattern
from segue.dance.patterns import DanceLibrary
from segue.dance.performance.couple import CouplePerformance, couple_of
from segue.dance.performance.hold import Holding
from segue.dance.performance.perform import FPS, perform
from segue.dance.planning.model import Plan, Tempo, checked_tempo, read_tempo
from segue.dance.planning.plan import plan
from segue.errors import ArgumentError
from segue.motion.motion import Motion

Dances = str | Pattern | Iterable[str | Pattern]
"""What is danced: a pattern, by its name such as "foxtrot/forward basic" or as it is, or several in order."""

_MOST_PATTERNS = 10_000
_BARS = (1, 100_000)


class Wishes(TypedDict, total=False):
    """What can be said of one dancer's dance.

    part: "leader" or "follower". tempo: bars a minute, or beats a minute as "120bpm"; the first pattern's own if not
    given. repeat: how often all is danced; bars: instead, for how many bars at least. figure: of 1.75 m if not given.
    library: where names are looked up; the shipped dances and the user's own if not given.
    """

    part: Part | str
    tempo: str | float | None
    repeat: int
    bars: int | None
    figure: Figure | None
    library: DanceLibrary | None


def solo(dances: Dances, *, fps: float = FPS, **wishes: Unpack[Wishes]) -> Motion:
    """Return the motion of one dancer; wishes: part, tempo, repeat, bars, figure and library, as in `Wishes`."""
    return perform(planned(dances, **wishes), fps=fps)


def planned(dances: Dances, **wishes: Unpack[Wishes]) -> Plan:
    """Return the plan of one dancer; wishes: part, tempo, repeat, bars, figure and library, as in `Wishes`."""
    unknown = set(wishes) - set(Wishes.__annotations__)
    if unknown:
        raise ArgumentError(f"{unknown.pop()} is nothing to wish of a dance: {', '.join(Wishes.__annotations__)} are")
    part, library = _part(wishes.get("part", Part.LEADER)), wishes.get("library")
    wanted = repeated(patterns_of(dances, part, library), wishes.get("repeat", 1), wishes.get("bars"))
    return plan(wanted, wishes.get("figure") or Figure.standard(), tempo=_tempo(wishes.get("tempo"), wanted))


def couple(
    dances: Dances,
    *,
    tempo: str | float | None = None,
    repeat: int = 1,
    bars: int | None = None,
    leader: Figure | None = None,
    follower: Figure | None = None,
    holding: Holding | None = None,
    library: DanceLibrary | None = None,
    fps: float = FPS,
) -> CouplePerformance:
    """Return both parts of patterns danced by a couple in hold; options as in `Wishes` and for `couple_of`."""
    given = _listed(dances)
    leads, follows = (repeated(patterns_of(given, part, library), repeat, bars) for part in Part)
    return couple_of(
        leads, follows, leader=leader, follower=follower, tempo=_tempo(tempo, leads), holding=holding, fps=fps
    )


def patterns_of(dances: Dances, part: Part, library: DanceLibrary | None = None) -> tuple[Pattern, ...]:
    """Return one part of what is danced, pattern by pattern; of patterns that are given, the partner's is derived."""
    shelf = DanceLibrary() if library is None else library
    found = tuple(_pattern(given, part, shelf.pattern) for given in _listed(dances))
    if not found:
        raise ArgumentError("there is nothing to dance: at least one pattern is needed")
    return found


def _pattern(given: str | Pattern, part: Part, find: Callable[[str | Path, Part], Pattern]) -> Pattern:
    if isinstance(given, str | Path):
        return find(given, part)
    if not isinstance(given, Pattern):
        raise ArgumentError(f"{given!r} is no pattern: a name such as 'foxtrot/forward basic' is needed")
    return given if given.part is part else partner_of(given)


def _listed(dances: Dances) -> tuple[str | Pattern, ...]:
    return (dances,) if isinstance(dances, str | Path | Pattern) else tuple(dances)


def repeated(patterns: Sequence[Pattern], repeat: int = 1, bars: int | None = None) -> tuple[Pattern, ...]:
    """Return patterns as often as they are wanted, or often enough for so many bars."""
    if bars is not None:
        if not (isinstance(bars, int) and _BARS[0] <= bars <= _BARS[1]):
            raise ArgumentError(f"bars is {bars}: it must be a whole number from {_BARS[0]} to {_BARS[1]}")
        beats = sum(pattern.beats for pattern in patterns)
        repeat = math.ceil(bars * patterns[0].beats_per_bar / max(beats, 1))
    if not (isinstance(repeat, int) and repeat >= 1):
        raise ArgumentError(f"repeat is {repeat}: it must be a whole number, 1 or more")
    if repeat * len(patterns) > _MOST_PATTERNS:
        raise ArgumentError(
            f"{repeat} times {len(patterns)} patterns are too many to dance at once: at most {_MOST_PATTERNS} can be"
        )
    return tuple(patterns) * repeat


def _part(part: Part | str) -> Part:
    try:
        return Part(part)
    except ValueError:
        raise ArgumentError(f"the part is '{part}': it must be {' or '.join(Part)}") from None


def _tempo(tempo: str | float | None, patterns: Sequence[Pattern]) -> Tempo | None:
    beats = patterns[0].beats_per_bar
    if isinstance(tempo, float):
        return checked_tempo(Tempo(tempo, beats))
    return None if tempo is None else read_tempo(str(tempo), beats)
