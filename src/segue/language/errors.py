"""Errors of the language, with their place in the source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rich.cells import cell_len

from segue.checks import near_names
from segue.errors import SegueError, one_line

_WIDEST = 100  # columns of a source line that are shown


class LanguageError(SegueError, ValueError):
    """A script cannot be parsed, or cannot be run.

    `str` gives one sentence with the place; `pointed` adds the source line with a caret under what is meant.
    """

    def __init__(self, message: str, place: Place) -> None:
        self.message = one_line(message)
        self.place = place
        super().__init__(f"{place.source.name}:{place.line}:{place.column}: {self.message}")

    @property
    def line(self) -> int:
        """Line of the source, from 1."""
        return self.place.line

    @property
    def column(self) -> int:
        """Column of the line, from 1."""
        return self.place.column

    @property
    def pointer(self) -> str:
        """The source line and, below it, a caret under the place of the error."""
        line = self.place.source.line(self.place.line)
        first = max(0, self.place.column - 1 - _WIDEST // 2) if len(line) > _WIDEST else 0
        # one character for each that cannot be shown, so that the caret stays in place
        part = line[first : first + _WIDEST].expandtabs(1)
        shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in part)
        at = self.place.column - 1 - first
        # on a terminal, characters may be two cells wide or zero
        indent, width = cell_len(shown[:at]), max(1, cell_len(shown[at : at + self.place.width]))
        return f"    {shown}\n    {' ' * indent}{'^' * width}"

    @property
    def pointed(self) -> str:
        """The sentence, the source line and the caret."""
        return f"{self}\n{self.pointer}"


class LimitError(LanguageError):
    """A script needs more steps, memory, time or frames than its limits allow."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return ": did you mean ...?" if a known name is spelt similarly, else an empty text."""
    near = near_names(name, sorted(set(known)), 3, cutoff=0.65)
    return f": did you mean {' or '.join(near)}?" if near else ""


@dataclass(frozen=True)
class Source:
    """The text of a script and its name in messages."""

    text: str
    name: str = "script"

    @cached_property
    def _lines(self) -> list[str]:
        # only the grammar's ends of lines: str.splitlines splits at more characters
        return [line.removesuffix("\r") for line in self.text.split("\n")]

    def line(self, number: int) -> str:
        """Return a line by its number from 1; an empty text beyond the last line."""
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    @property
    def end(self) -> Place:
        """The place after the last character."""
        return Place(self, len(self._lines), len(self._lines[-1]) + 1)


@dataclass(frozen=True)
class Place:
    """A place in a source: line and column from 1, and the number of columns."""

    source: Source
    line: int
    column: int
    width: int = 1

    def __repr__(self) -> str:
        return f"{self.line}:{self.column}"
