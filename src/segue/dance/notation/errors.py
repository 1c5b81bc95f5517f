"""What can be wrong with a pattern's text: a sentence, and the step, row and symbol it speaks of."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

from segue.dance.notation.symbols import Row
from segue.errors import FileFormatError, printable

_LONGEST = 40  # characters of the user's own text that a message repeats


class NotationError(FileFormatError):
    """A pattern's text cannot be understood.

    sentence: what is wrong. step: its number, from 1, and row, where the fault lies in the grid. symbol: which one.
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
        self.sentence, self.step, self.row, self.symbol = message, step, row, symbol
        where = [part for part in (None if step is None else f"step {step}", row) if part]
        super().__init__(f"{', '.join(where)}: {message}" if where else message, path, line, column)


def shown(text: str) -> str:
    """Return a piece of the user's text that is safe to print and not too long."""
    safe = printable(text)
    return safe if len(safe) <= _LONGEST else f"{safe[: _LONGEST - 3]}..."


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ", did you mean ...?" where a known name is spelt like this one but for its case, else nothing."""
    names = {each.casefold(): each for each in known}
    near = difflib.get_close_matches(name.casefold()[:100], names, n=2, cutoff=0.6)
    return f", did you mean {' or '.join(names[each] for each in near)}?" if near else ""
