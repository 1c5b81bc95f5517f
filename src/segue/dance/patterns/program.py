"""Programs: what is danced, in order, as a text file with a pattern a line.

foxtrot/forward basic x 4
foxtrot/promenade            # once
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from segue.dance.notation.model import Pattern
from segue.errors import FileFormatError, SegueError
from segue.filesystem import atomic_write
from segue.tables import read_text

MOST_REPEATS = 1000
"""How often a line's pattern is danced, at most: more is a slip of the pen."""

_LINE = re.compile(r"(?P<dance>[^/]+)/(?P<name>[^/]+?)(?:\s+[x×](?P<times>\s+\S+|\s*[-+.\d]\S*|))?", re.IGNORECASE)


class ProgramLine(NamedTuple):
    """A pattern by its title, such as "foxtrot/forward basic", how often it is danced, and its line in the file."""

    title: str
    times: int = 1
    line: int | None = None


@dataclass(frozen=True)
class Program:
    """Patterns in the order in which they are danced; path: of the file they were read from."""

    lines: tuple[ProgramLine, ...]
    path: Path | None = None

    def patterns(self, find: Callable[[str], Pattern]) -> tuple[Pattern, ...]:
        """Return all patterns in order, repeats written out; find: looks a title up in a dance library."""
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
    """Return what a program file says; empty lines and what follows a # are passed over."""
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


def program_text(patterns: Iterable[str]) -> str:
    """Return a program's text for titles in order, neighbours that are alike on one line."""
    lines: list[ProgramLine] = []
    for title in patterns:
        if lines and lines[-1].title == title and lines[-1].times < MOST_REPEATS:
            lines[-1] = ProgramLine(title, lines[-1].times + 1)
        else:
            lines.append(ProgramLine(title))
    return "".join(f"{title} x {times}\n" if times > 1 else f"{title}\n" for title, times, _ in lines)


def write_program(patterns: Iterable[str], path: str | Path) -> None:
    """Write a program file for titles in order."""
    text = program_text(patterns)
    with atomic_write(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
