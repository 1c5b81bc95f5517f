"""The text of a script, and places in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


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
