"""Sequences of patterns: by name, repeated, or read from a program file with one pattern per line.

foxtrot/forward basic x 4
foxtrot/promenade            # once
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from segue.dance.notation.follower import partner_of
from segue.dance.notation.model import Part, Pattern
from segue.dance.patterns.store import DanceLibrary
from segue.errors import ArgumentError, FileFormatError, SegueError
from segue.tables import read_text

Dances = str | Path | Pattern | Iterable[str | Path | Pattern]
"""A pattern by its name, such as "foxtrot/forward basic", by its file or as a value; or several, in order."""

MOST_REPEATS = 1000
"""The most repetitions of one line of a program."""

_MOST_PATTERNS = 10_000
_BARS = (1, 100_000)

_LINE = re.compile(r"(?P<dance>[^/]+)/(?P<name>[^/]+?)(?:\s+[x×](?P<times>\s+\S+|\s*[-+.\d]\S*|))?", re.IGNORECASE)


def patterns_of(
    dances: Dances, part: Part | str | None = None, library: DanceLibrary | None = None
) -> tuple[Pattern, ...]:
    """Return patterns in order, names looked up in a library.

    part: a pattern of the other part is turned into its partner's; None: the leader's part of names, and patterns that
    are values as they are. library: shipped dances and the user's own if not given.
    """
    wanted = None if part is None else _part(part)
    listed = (dances,) if isinstance(dances, str | Path | Pattern) else tuple(dances)
    if not listed:
        raise ArgumentError("there is nothing to dance: at least one pattern is needed")
    found = []
    for given in listed:
        if isinstance(given, str | Path):
            library = DanceLibrary() if library is None else library
            given = library.pattern(given, wanted or Part.LEADER)
        if not isinstance(given, Pattern):
            raise ArgumentError(f"{given!r} is no pattern: a name such as 'foxtrot/forward basic' is needed")
        found.append(given if wanted in (None, given.part) else partner_of(given))
    return tuple(found)


def _part(part: Part | str) -> Part:
    try:
        return Part(part)
    except ValueError:
        raise ArgumentError(f"the part is '{part}': it must be {' or '.join(Part)}") from None


def repeated(patterns: Sequence[Pattern], repeat: int = 1, bars: int | None = None) -> tuple[Pattern, ...]:
    """Return patterns repeated so many times, or, if bars are given, often enough for so many bars."""
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


class ProgramLine(NamedTuple):
    """A pattern by its title, such as "foxtrot/forward basic", its repetitions, and its line in the file."""

    title: str
    times: int = 1
    line: int | None = None


@dataclass(frozen=True)
class Program:
    """Patterns in order; path: of the program file."""

    lines: tuple[ProgramLine, ...]
    path: Path | None = None

    def patterns(self, find: Callable[[str], Pattern]) -> tuple[Pattern, ...]:
        """Return all patterns in order with repetitions; find: function from title to pattern."""
        found: list[Pattern] = []
        for title, times, line in self.lines:
            try:
                pattern = find(title)
            except SegueError as error:
                if self.path is None:
                    raise
                raise FileFormatError(str(error), self.path, line) from error
            found += [pattern] * times
        return tuple(found)


def read_program(path: str | Path) -> Program:
    """Read a program file; empty lines and comments after # are skipped."""
    lines = []
    for number, written in enumerate(read_text(path, "program", "a pattern a line").splitlines(), start=1):
        said = written.partition("#")[0].strip()
        if said:
            lines.append(_parsed(said, path, number))
    if not lines:
        raise FileFormatError('this program is empty: a line such as "foxtrot/forward basic x 4" is needed', path)
    return Program(tuple(lines), Path(path))


def _parsed(said: str, path: str | Path, number: int) -> ProgramLine:
    match = _LINE.fullmatch(said)
    if match is None:
        raise FileFormatError(
            f"'{said}' names no pattern: dance/pattern is needed, such as \"foxtrot/forward basic x 4\"", path, number
        )
    times = "1" if match["times"] is None else match["times"].strip()
    if not (times.isascii() and times.isdigit() and len(times) <= len(str(MOST_REPEATS))) or not (
        1 <= int(times) <= MOST_REPEATS
    ):
        raise FileFormatError(
            f"'{said}' is repeated '{times}' times: a whole number from 1 to {MOST_REPEATS} is needed after the x",
            path,
            number,
        )
    return ProgramLine(f"{match['dance'].strip()}/{match['name'].strip()}", int(times), number)
