"""Read the header of a pattern: dance, name, part, alignment, time signature, tempo, difficulty and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from segue.dance.notation.errors import NotationError, nearest, shown
from segue.dance.notation.model import Alignment, Part

_LONGEST_NAME = 60
_NAME = re.compile(r"[^\W_]+(?:[ '\N{RIGHT SINGLE QUOTATION MARK}-]+[^\W_]+)*")
_TEMPO = re.compile(r"(\d+(?:\.\d+)?)\s*(.*)")
_BARS, _BEATS = (
    re.compile(rf"(?:{unit}s?\s*(?:/|a|per)\s*min(?:ute|\.)?|{short})?")
    for unit, short in (("(?:bar|measure)", "mpm"), ("beat", "bpm"))
)
_SLOWEST, _FASTEST = 5.0, 120.0  # bars a minute
_TIMES = (2, 3, 4, 6, 8, 9, 12)
_UNITS = (2, 4, 8, 16)
_HARDEST = 5


class HeaderLine(NamedTuple):
    """A header line as written: name, value, and their line and columns from 1."""

    name: str
    value: str
    line: int
    column: int
    name_column: int


@dataclass(frozen=True)
class _Header:
    """Rule of a header: function that reads its value, example for errors, and whether it is required."""

    read: Callable[[str], Any]
    example: str
    needed: bool = False


def read_headers(lines: list[HeaderLine], source: str) -> dict[str, Any]:
    """Return the values of headers by name, without optional ones that are missing."""
    values: dict[str, Any] = {}
    notes: list[str] = []
    for line in lines:
        name = _SAME.get(_folded(line.name), _folded(line.name))
        if name not in HEADERS:
            raise NotationError(_unknown(line, name), source, line.line, line.name_column)
        if name == "note":
            notes.append(" ".join(line.value.split()))
            continue
        text = " ".join(re.split(r"(?:^|\s)#", line.value)[0].split())
        if name in values:
            raise NotationError(f"'{name}' is given twice: keep one of the lines", source, line.line, line.column)
        try:
            values[name] = HEADERS[name].read(text)
        except ValueError as error:
            said = f"'{name}' is '{shown(text)}': {error}, such as '{name}: {HEADERS[name].example}'"
            raise NotationError(said, source, line.line, line.column) from None
    for name, header in HEADERS.items():
        if header.needed and name not in values:
            raise NotationError(f"the line '{name}: ...' is missing, such as '{name}: {header.example}'", source)
    values["tempo"] = _in_bars(values["tempo"], values["time"], source, lines)
    return values | {"note": tuple(note for note in notes if note)}


def written_number(number: float) -> str:
    """Return a number as people write it, 30 instead of 30.0, exactly readable."""
    return repr(float(number)).removesuffix(".0")


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _unknown(line: HeaderLine, name: str) -> str:
    if "|" in line.value:
        return f"'{shown(line.name)}:' begins a row of the grid: a row's name is followed by a bar, not by a colon"
    known = nearest(name, HEADERS) or f": there are {', '.join(HEADERS)}"
    return f"'{shown(line.name)}' is no line of a header{known}"


def checked_name(text: str) -> str:
    """Return a name of a dance or pattern, or raise ValueError with the allowed characters."""
    if not _NAME.fullmatch(text) or len(text) > _LONGEST_NAME:
        raise ValueError(f"a name has letters, digits, blanks and hyphens, {_LONGEST_NAME} at most")
    return text


def _part(text: str) -> Part:
    word = _folded(text)
    for part, others in ((Part.LEADER, ("lead", "man")), (Part.FOLLOWER, ("follow", "lady"))):
        if word in (part, *others):
            return part
    raise ValueError("it is leader or follower")


def _alignment(text: str) -> Alignment:
    words = _folded(text).replace("center", "centre").replace("diagonal to", "diagonally to")
    found = _ALIGNMENTS.get(words.replace(".", ""))
    if found is None:
        near = nearest(words, [str(each) for each in Alignment])
        raise ValueError(f"an alignment is needed{near.removesuffix('?') or ''}")
    return found


class _Tempo(NamedTuple):
    number: float
    in_bars: bool


def _tempo(text: str) -> _Tempo:
    match = _TEMPO.fullmatch(_folded(text))
    unit = match[2] if match else None
    if match is None or unit is None or not (_BARS.fullmatch(unit) or _BEATS.fullmatch(unit)):
        raise ValueError("bars a minute are needed")
    return _Tempo(float(match[1]), bool(_BARS.fullmatch(unit)))


def _in_bars(tempo: _Tempo, time: tuple[int, int], source: str, lines: list[HeaderLine]) -> float:
    """Return the tempo in bars per minute, or raise if it cannot be danced."""
    bars = tempo.number if tempo.in_bars else tempo.number / time[0]
    if not _SLOWEST <= bars <= _FASTEST:
        (at,) = (line for line in lines if _folded(line.name) == "tempo")
        asked = f"{written_number(tempo.number)} {'bars' if tempo.in_bars else 'beats'} a minute"
        said = f"'tempo' is {asked}: {_SLOWEST:g} to {_FASTEST:g} bars a minute can be danced"
        raise NotationError(said, source, at.line, at.column)
    return bars


def _time(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,2}) ?/ ?(\d{1,2})", text, re.ASCII)
    beats, unit = (int(match[1]), int(match[2])) if match else (0, 0)
    if beats not in _TIMES or unit not in _UNITS:
        raise ValueError("a time signature is needed, the beats of a bar and their unit")
    return beats, unit


def _difficulty(text: str) -> int:
    if text not in map(str, range(1, _HARDEST + 1)):
        raise ValueError(f"1 (easy) to {_HARDEST} is possible")
    return int(text)


HEADERS: Mapping[str, _Header] = MappingProxyType(
    {
        "dance": _Header(checked_name, "foxtrot", needed=True),
        "pattern": _Header(checked_name, "forward basic", needed=True),
        "part": _Header(_part, "leader"),
        "commence": _Header(_alignment, Alignment.FACING_LINE),
        "finish": _Header(_alignment, Alignment.FACING_LINE),
        "time": _Header(_time, "4/4", needed=True),
        "tempo": _Header(_tempo, "30 bars a minute", needed=True),
        "difficulty": _Header(_difficulty, "1"),
        "note": _Header(str, "small steps"),
    }
)
"""Header lines, in the order in which they are written."""

_SAME = {"time signature": "time", "notes": "note", "level": "difficulty"}

_ABBREVIATIONS: Mapping[Alignment, str] = MappingProxyType(
    {
        Alignment.FACING_LINE: "F LOD",
        Alignment.BACKING_LINE: "B LOD",
        Alignment.FACING_WALL: "F W",
        Alignment.FACING_CENTRE: "F C",
        Alignment.DIAGONAL_WALL: "F DW",
        Alignment.DIAGONAL_CENTRE: "F DC",
        Alignment.BACKING_DIAGONAL_WALL: "B DW",
        Alignment.BACKING_DIAGONAL_CENTRE: "B DC",
    }
)
_ALIGNMENTS: Mapping[str, Alignment] = MappingProxyType(
    {
        "backing wall": Alignment.FACING_CENTRE,
        "backing centre": Alignment.FACING_WALL,
        "b w": Alignment.FACING_CENTRE,
        "b c": Alignment.FACING_WALL,
        **{str(each): each for each in Alignment},
        **{short.lower(): each for each, short in _ABBREVIATIONS.items()},
    }
)


def abbreviation(alignment: Alignment) -> str:
    """Return the abbreviation of an alignment on step sheets: F LOD for facing line of dance."""
    return _ABBREVIATIONS[alignment]
