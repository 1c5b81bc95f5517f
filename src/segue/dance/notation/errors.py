"""Errors in the text of a pattern, with step, row and symbol."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from segue.checks import near_names
from segue.dance.notation.symbols import Row
from segue.errors import FileFormatError, printable

_LONGEST = 40  # characters of the user's text in a message


class NotationError(FileFormatError):
    """The text of a pattern cannot be read.

    sentence: the message without its place. step: number from 1. row, symbol: place in the grid.
    """

    def __init__(
        self,
        message: str,
        path: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
        *,
        step: int | None = None,
        row: Row | None = None,
        symbol: str | None = None,
    ) -> None:
        where = [part for part in (None if step is None else f"step {step}", row) if part]
        super().__init__(f"{', '.join(where)}: {message}" if where else message, path, line, column)
        self.sentence, self.step, self.row, self.symbol = message, step, row, symbol


def shown(text: str) -> str:
    """Return a piece of the user's text, printable and shortened."""
    safe = printable(text)
    return safe if len(safe) <= _LONGEST else f"{safe[: _LONGEST - 3]}..."


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ", did you mean ...?" with known names of similar spelling, or an empty text."""
    near = near_names(name, known, 2)
    return f", did you mean {' or '.join(near)}?" if near else ""
