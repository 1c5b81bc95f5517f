"""Outlines of text files, as pages show them: one class for each kind of file. Offsets are UTF-16 code units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class HeaderField:
    """A header line of a pattern: its name as in the notation, and its value with the value's span."""

    name: str
    value: str
    start: int
    stop: int


@dataclass(frozen=True)
class GridCell:
    """A cell of a grid. start, stop: all between its bars, blanks included. words: as written, without blanks."""

    words: str
    start: int
    stop: int


@dataclass(frozen=True)
class GridRow:
    """A row of a grid: its name in the notation, "" for an unknown name, and its cells.

    label: its name as written. start, stop: the line without its end.
    """

    name: str
    label: str
    start: int
    stop: int
    cells: tuple[GridCell, ...]


@dataclass(frozen=True)
class PatternOutline:
    """A pattern file: header lines and the grid, also of a text with errors.

    finish: the alignment that the turns lead to. partner: names and cells of the partner's rows, as they follow in
    closed hold. Both are empty while the pattern has errors. partner_file: the file of the partner's own part, "" where
    there is none.
    """

    what: Literal["pattern"]
    title: str
    part: str
    headers: tuple[HeaderField, ...]
    rows: tuple[GridRow, ...]
    finish: str
    partner: tuple[tuple[str, ...], ...]
    partner_file: str


Outline = PatternOutline
"""The outline of a text file of any kind; `what` names its class."""
