"""Write patterns as text whose columns line up, and make a plain pattern to begin with."""

from __future__ import annotations

from collections.abc import Callable

from segue.dance.notation.checking import finish
from segue.dance.notation.header import written_number
from segue.dance.notation.model import Body, Foot, FootPosition, Modifier, Part, Pattern, Step
from segue.dance.notation.parsing import Sheet
from segue.dance.notation.symbols import EMPTY, Row, symbols_of

_HEADER_WIDTH = len("difficulty: ")
_L, _R = Foot.LEFT, Foot.RIGHT
_WALK = (
    (_L, FootPosition.FORWARD),
    (_R, FootPosition.FORWARD),
    (_L, FootPosition.SECOND),
    (_R, FootPosition.FIRST),
)
_CHANGES = (
    (_L, FootPosition.FORWARD),
    (_R, FootPosition.SECOND),
    (_L, FootPosition.FIRST),
    (_R, FootPosition.FORWARD),
    (_L, FootPosition.SECOND),
    (_R, FootPosition.FIRST),
)


def write(pattern: Pattern) -> str:
    """Return the text of a pattern, which `parse` reads back to the same pattern."""
    lines = [f"{name + ':':{_HEADER_WIDTH}}{value}" for name, value in _headers(pattern)]
    return "\n".join([*lines, "", *grid(pattern)]) + "\n"


def grid(pattern: Pattern) -> list[str]:
    """Return the lines of a pattern's grid."""
    rows = [[str(row), *cells] for row, cells in _rows(pattern)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows]


def retitled(text: str, sheet: Sheet, dance: str, name: str) -> str:
    """Return a pattern's text under another name, with comments unchanged; sheet: parsed from the text."""
    lines = text.split("\n")
    for header in sheet.headers:
        value = {"dance": dance, "pattern": name}.get(header.name.casefold())
        if value is not None:
            key, colon, rest = lines[header.line - 1].partition(":")
            blanks = rest[: len(rest) - len(rest.lstrip())]
            lines[header.line - 1] = f"{key}{colon}{blanks}{value}"
    return "\n".join(lines)


def _headers(pattern: Pattern) -> list[tuple[str, str]]:
    return [
        ("dance", pattern.dance),
        ("pattern", pattern.name),
        ("part", pattern.part),
        ("commence", pattern.commence),
        ("finish", finish(pattern)),
        ("time", f"{pattern.beats_per_bar}/{pattern.beat_unit}"),
        ("tempo", f"{written_number(pattern.tempo)} bars a minute"),
        ("difficulty", str(pattern.difficulty)),
        *(("note", line.strip()) for note in pattern.notes for line in note.splitlines() if line.strip()),
    ]


def _rows(pattern: Pattern) -> list[tuple[Row, list[str]]]:
    rows = [(Row.NUMBER, [str(number) for number in range(1, len(pattern.steps) + 1)])]
    for row, said in _SAID.items():
        cells = [said(step) or EMPTY for step in pattern.steps]
        if row is Row.TURN and cells[0] == EMPTY:
            cells[0] = "NT"  # as figure 5.2 of [Lake1990] begins its row
        if row is not Row.BODY or any(step.body for step in pattern.steps):
            rows.append((row, cells))
    return rows


def _foot(step: Step) -> str:
    modifiers = [each for each in Modifier if each in step.modifiers]
    return " ".join(each for each in (step.foot, step.position, *modifiers) if each)


_SAID: dict[Row, Callable[[Step], str]] = {
    Row.FOOT: _foot,
    Row.HEAD: lambda step: step.head or "",
    Row.FOOTWORK: lambda step: step.footwork or "",
    Row.TURN: lambda step: str(step.turn) if step.turn else "",
    Row.BEATS: lambda step: str(step.beats),
    Row.BODY: lambda step: " ".join(each for each in Body if each in step.body),
}


def template(dance: str, name: str, like: Pattern | None = None) -> Pattern:
    """Return a plain pattern of whole bars; like: a pattern of the same dance, for time signature and tempo."""
    beats_per_bar = 4 if like is None else like.beats_per_bar
    moves = _CHANGES if beats_per_bar % 3 == 0 else _WALK
    beats = max(1, beats_per_bar // (len(moves) // 2 if moves is _CHANGES else len(moves)))
    return Pattern(
        dance=dance if like is None else like.dance,
        name=name,
        steps=tuple(Step(foot, position, beats) for foot, position in moves),
        part=Part.LEADER,
        beats_per_bar=beats_per_bar,
        beat_unit=4 if like is None else like.beat_unit,
        tempo=30.0 if like is None else like.tempo,
    )


def template_text(pattern: Pattern) -> str:
    """Return a pattern's text with the symbols of every row as comments above it."""
    rows = (Row.FOOT, Row.HEAD, Row.FOOTWORK, Row.TURN, Row.BEATS, Row.BODY)
    width = max(map(len, rows))
    comments = [f"# {row:{width}}  {' '.join(symbols_of(row))}" for row in rows]
    return "\n".join(["# What may stand in a row; ---- leaves the cell empty:", *comments, "", write(pattern)])
