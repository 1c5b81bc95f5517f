"""Rows of the grid, and their symbols with meanings [Lake1990, section 5.2]."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Head, Modifier
from segue.tables import read_text, toml_table


class Row(StrEnum):
    """Row of the grid, by its written name."""

    NUMBER = "Step Number"
    FOOT = "Foot Position"
    HEAD = "Head Position"
    FOOTWORK = "Footwork"
    TURN = "Amount of Turn"
    BEATS = "Beats"
    TIMING = "Timing"
    BODY = "CBM and Sway"


ROWS_NOT_DANCED = (
    "Alignment",
    "Arms",
    "Beats and Bars",
    "Dance Position",
    "Lead and Follow",
    "Musical Counts",
    "Rise and Fall",
)
"""Rows of the full N.C.D.T.O. sheet that Segue skips with a warning."""

EMPTY = "----"
"""An empty cell; any number of hyphens is read as empty."""

DITTO = '"'
"""A cell that repeats the cell before it."""


class Side(StrEnum):
    """Direction of a turn, seen by the dancer."""

    LEFT = "L"
    RIGHT = "R"


Meaning = Foot | FootPosition | Modifier | Head | Footwork | Body | Side | int
"""Meaning of a symbol; numbers are eighths of a turn, or beats."""


class Symbol(NamedTuple):
    """A symbol of the notation.

    text: as written. row: its row. kind: its kind, and many: whether a cell may have more than one of this kind. name,
    meaning: for dancers. foot: the only foot that it is for, if not both.
    """

    text: str
    row: Row
    kind: str
    many: bool
    name: str
    meaning: str
    stands_for: Meaning
    foot: Foot | None = None


_MEANINGS: Mapping[str, Callable[[str], Meaning]] = MappingProxyType(
    {
        "foot": Foot,
        "position": FootPosition,
        "modifier": Modifier,
        "head position": Head,
        "footwork": Footwork,
        "side": Side,
        "symbol of the body": Body,
    }
)


def _read() -> Iterator[Symbol]:
    path = Path(__file__).with_name("symbols.toml")
    for kind in toml_table(read_text(path, "file of symbols", "TOML"), path)["kind"]:
        name, row, many = kind["name"], Row(kind["row"]), kind.get("many", False)
        for each in kind["symbols"]:
            meant: Meaning = each["number"] if "number" in each else _MEANINGS[name](each.get("same", each["text"]))
            foot = Foot(each["foot"]) if "foot" in each else None
            yield Symbol(each["text"], row, name, many, each["name"], each["meaning"], meant, foot)


SYMBOLS: tuple[Symbol, ...] = tuple(_read())
"""All symbols, in the order of tables."""

OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "4TH": "fourth position is written FWD or BWD",
        "SLOW": "a slow step is written S, or 2",
        "QUICK": "a quick step is written Q, or 1",
        "LEFT": "the left foot is written LF, a turn to the left L",
        "RIGHT": "the right foot is written RF, a turn to the right R",
        "LOD": "alignments stand in the header, such as 'commence: facing line of dance'",
        "HT": "heel and then toe is written H-T",
        "TH": "toe and then heel is written T-H",
        "&": "half beats are written by counting in eighths: 'time: 8/8'",
    }
)
"""Common wrong names of symbols, with the right ones."""


def symbols_of(row: Row) -> Mapping[str, Symbol]:
    """Return the symbols of a row by text; Timing has the symbols of Beats."""
    return _BY_ROW[Row.BEATS if row is Row.TIMING else row]


_BY_ROW: Mapping[Row, Mapping[str, Symbol]] = MappingProxyType(
    {row: MappingProxyType({each.text: each for each in SYMBOLS if each.row is row}) for row in Row}
)
