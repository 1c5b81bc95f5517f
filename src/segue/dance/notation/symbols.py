"""The rows of the grid and the symbols that may stand in them, with what each means [Lake1990, section 5.2]."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Head, Modifier

__all__ = ["DITTO", "EMPTY", "OTHER_NAMES", "ROWS_NOT_DANCED", "SYMBOLS", "Row", "Side", "Symbol", "symbols_of"]


class Row(StrEnum):
    """A row of the grid, under the name that it is written with."""

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
"""Rows of the full N.C.D.T.O. sheet that say nothing here: they are passed over, with a warning."""

EMPTY = "----"
"""A cell in which nothing is written; any number of hyphens is read as that."""

DITTO = '"'
"""A cell that says the same as the one before it."""


class Side(StrEnum):
    """Which way a turn goes, seen by the dancer."""

    LEFT = "L"
    RIGHT = "R"


class Symbol(NamedTuple):
    """A symbol of the notation.

    text: as it is written. row: where it may stand. kind: a cell has at most one of a kind, except modifiers and
    symbols of the body. meaning: what the dancer does. stands_for: what the model has for it; of a turn its eighths, of
    a timing its beats.
    """

    text: str
    row: Row
    kind: str
    name: str
    meaning: str
    stands_for: Foot | FootPosition | Modifier | Head | Footwork | Body | Side | int


def _kind(row: Row, kind: str, *symbols: tuple[str, str, str, object]) -> tuple[Symbol, ...]:
    return tuple(Symbol(text, row, kind, name, meaning, of) for text, name, meaning, of in symbols)  # type: ignore[arg-type]


SYMBOLS: tuple[Symbol, ...] = (
    *_kind(
        Row.FOOT,
        "foot",
        ("LF", "left foot", "the left foot moves", Foot.LEFT),
        ("RF", "right foot", "the right foot moves", Foot.RIGHT),
        ("HOLD", "hold", "neither foot moves for the whole step", Foot.HOLD),
    ),
    *_kind(
        Row.FOOT,
        "position",
        ("1ST", "first position", "beside the other foot, parallel to it", FootPosition.FIRST),
        ("2ND", "second position", "to the side, shoulder width from the other foot", FootPosition.SECOND),
        ("3RD", "third position", "heel against the middle of the other foot, turned out", FootPosition.THIRD),
        ("FWD", "fourth position, forward", "a walk forward on the foot's own track", FootPosition.FORWARD),
        ("BWD", "fourth position, backward", "a walk backward on the foot's own track", FootPosition.BACKWARD),
        ("5TH", "fifth position", "toe at the heel of the other foot, turned out", FootPosition.FIFTH),
        ("SIP", "step in place", "the weight changes to this foot where it stands", FootPosition.IN_PLACE),
        ("XIF", "cross in front", "crosses in front of the other foot", FootPosition.CROSS_FRONT),
        ("XIB", "cross behind", "crosses behind the other foot", FootPosition.CROSS_BEHIND),
        ("UNX", "uncross", "half a turn unwinds crossed feet to first position", FootPosition.UNCROSS),
        ("SWD", "sideward", "the N.C.D.T.O.'s name for 2ND", FootPosition.SECOND),
        ("CL", "close", "the N.C.D.T.O.'s name for 1ST", FootPosition.FIRST),
        ("CL/LF", "close to the left foot", "1ST, of the right foot", FootPosition.FIRST),
        ("CL/RF", "close to the right foot", "1ST, of the left foot", FootPosition.FIRST),
    ),
    *_kind(
        Row.FOOT,
        "modifier",
        ("CBMP", "contra-body movement position", "upper body turned towards the moving foot", Modifier.CONTRA_BODY),
        ("DIAG", "diagonally", "forward or backward and to the side at once", Modifier.DIAGONAL),
        ("LWD", "leftward", "to the dancer's left", Modifier.LEFTWARD),
        ("RWD", "rightward", "to the dancer's right", Modifier.RIGHTWARD),
        ("NW", "no weight", "the foot goes there, the weight stays where it is", Modifier.NO_WEIGHT),
        ("SS", "small step", "about half the usual distance", Modifier.SMALL),
        ("TO", "toe out", "the toe of the moving foot points outwards", Modifier.TOE_OUT),
        ("PAUSE", "pause", "the position is held for part of a beat", Modifier.PAUSE),
    ),
    *_kind(
        Row.HEAD,
        "head position",
        ("LL", "look left", "the head turns to the left", Head.LEFT),
        ("NP", "normal position", "the head looks straight ahead", Head.NORMAL),
        ("LR", "look right", "the head turns to the right", Head.RIGHT),
    ),
    *_kind(
        Row.FOOTWORK,
        "footwork",
        ("H", "heel", "lands on the heel, ends flat", Footwork.HEEL),
        ("T", "toe", "lands on the toe and stays on it", Footwork.TOE),
        ("H-T", "heel, toe", "lands on the heel and rises to the toe", Footwork.HEEL_TOE),
        ("T-H", "toe, heel", "lands on the toe and lowers until flat", Footwork.TOE_HEEL),
    ),
    *_kind(
        Row.TURN,
        "amount",
        ("NT", "no turn", "the body keeps its heading", 0),
        ("1/8", "an eighth", "45 degrees", 1),
        ("1/4", "a quarter", "90 degrees", 2),
        ("3/8", "three eighths", "135 degrees", 3),
        ("1/2", "a half", "180 degrees", 4),
        ("5/8", "five eighths", "225 degrees", 5),
        ("3/4", "three quarters", "270 degrees", 6),
    ),
    *_kind(
        Row.TURN,
        "side",
        ("L", "left", "counter-clockwise seen from above", Side.LEFT),
        ("R", "right", "clockwise seen from above", Side.RIGHT),
    ),
    *_kind(
        Row.BEATS,
        "number of beats",
        ("1", "one", "one beat", 1),
        ("2", "two", "two beats", 2),
        ("3", "three", "three beats", 3),
        ("4", "four", "four beats", 4),
        ("S", "slow", "two beats", 2),
        ("Q", "quick", "one beat", 1),
    ),
    *_kind(
        Row.BODY,
        "symbol of the body",
        ("CBM", "contra-body movement", "the body turns towards the moving foot", Body.CONTRA_BODY_MOVEMENT),
        ("SCBM", "slight contra-body movement", "the same, less", Body.SLIGHT_CONTRA_BODY_MOVEMENT),
        ("SWL", "sway left", "the body inclines to the left", Body.SWAY_LEFT),
        ("SWR", "sway right", "the body inclines to the right", Body.SWAY_RIGHT),
    ),
)
"""Every symbol, in the order in which tables show them."""

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
"""What people write for a symbol of another name, and what would be right."""


def symbols_of(row: Row) -> Mapping[str, Symbol]:
    """Return the symbols that may stand in a row, by their text; Timing has those of Beats."""
    return _BY_ROW[Row.BEATS if row is Row.TIMING else row]


_BY_ROW: Mapping[Row, Mapping[str, Symbol]] = MappingProxyType(
    {row: MappingProxyType({each.text: each for each in SYMBOLS if each.row is row}) for row in Row}
)
