"""Errors of the language, and where in a source they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rich.cells import cell_len

from segue.checks import near_names
from segue.errors import SegueError, one_line

_WIDEST = 100  # columns of a source line that are shown


class LanguageError(SegueError, ValueError):
    """A script cannot be read, or cannot be carried out.

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
        """The source line and, below it, a caret under what is meant."""
        line = self.place.source.line(self.place.line)
        first = max(0, self.place.column - 1 - _WIDEST // 2) if len(line) > _WIDEST else 0
        # a mark for each character that cannot be shown, so that the caret stays below what is meant
        part = line[first : first + _WIDEST].expandtabs(1)
        shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in part)
        at = self.place.column - 1 - first
        # characters may be two cells wide on a terminal, or none
        indent, width = cell_len(shown[:at]), max(1, cell_len(shown[at : at + self.place.width]))
        return f"    {shown}\n    {' ' * indent}{'^' * width}"

    @property
    def pointed(self) -> str:
        """The sentence, the source line and the caret."""
        return f"{self}\n{self.pointer}"


class LimitError(LanguageError):
    """A script asks for more steps, memory, time or frames than it may have."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return ": did you mean ...?" where a known name is spelt like this one, else nothing."""
    near = near_names(name, sorted(set(known)), 3, cutoff=0.65)
    return f": did you mean {' or '.join(near)}?" if near else ""


@dataclass(frozen=True)
class Source:
    """The text of a script and what to call it in messages."""

    text: str
    name: str = "script"

    @cached_property
    def _lines(self) -> list[str]:
        # only what the grammar calls the end of a line: str.splitlines knows more of them
        return [line.removesuffix("\r") for line in self.text.split("\n")]

    def line(self, number: int) -> str:
        """Return a line by its number from 1; beyond the last one, nothing."""
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    @property
    def end(self) -> Place:
        """The place after the last character."""
        return Place(self, len(self._lines), len(self._lines[-1]) + 1)


@dataclass(frozen=True)
class Place:
    """Where something stands in a source: line and column from 1, and how many columns it takes there."""

    source: Source
    line: int
    column: int
    width: int = 1

    def __repr__(self) -> str:
        return f"{self.line}:{self.column}"
