"""Parse the text of a pattern, with errors that name step, row and symbol."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from segue.dance.notation.cells import Cell, Word, step_of
from segue.dance.notation.checking import finish
from segue.dance.notation.errors import NotationError, nearest, shown
from segue.dance.notation.header import HeaderLine, read_headers
from segue.dance.notation.model import MOST_STEPS, Alignment, Part, Pattern
from segue.dance.notation.symbols import DITTO, ROWS_NOT_DANCED, Row
from segue.errors import SegueWarning

_LONGEST = 100_000  # characters; a pattern of twelve steps has some two thousand

_NEEDED = (Row.FOOT, Row.BEATS)


@dataclass(frozen=True)
class Sheet:
    """A pattern with the places of its cells and headers in the text.

    cells: cells by row, one mapping per step. headers: the lines above the grid.
    """

    pattern: Pattern
    source: str
    cells: tuple[Mapping[Row, Cell], ...]
    headers: tuple[HeaderLine, ...]

    def place(self, step: int | None, row: Row | None) -> tuple[int | None, int | None]:
        """Return line and column of a cell from 1, or None for an empty cell."""
        cell = None if step is None or row is None else self.cells[step - 1].get(row)
        return (None, None) if cell is None else (cell.line, cell.column)


@cache
def _grammar() -> Lark:
    """Return the parser of sheets, made on first use because it takes time."""
    grammar = files("segue.dance.notation").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="sheet", parser="lalr")


def parse(text: str, source: str | Path = "pattern") -> Pattern:
    """Parse a pattern; source: its name or path in messages."""
    return read_sheet(text, source).pattern


def read_sheet(text: str, source: str | Path = "pattern") -> Sheet:
    """Parse a pattern and keep the places of its cells."""
    name = str(source)
    values, headers, columns = _read(text, name)
    beats_per_bar, beat_unit = values["time"]
    pattern = Pattern(
        dance=values["dance"],
        name=values["pattern"],
        steps=tuple(step_of(column) for column in columns),
        part=values.get("part", Part.LEADER),
        commence=values.get("commence", Alignment.FACING_LINE),
        beats_per_bar=beats_per_bar,
        beat_unit=beat_unit,
        tempo=values["tempo"],
        difficulty=values.get("difficulty", 1),
        notes=values["note"],
    )
    _check_finish(pattern, values.get("finish"), headers, name)
    return Sheet(pattern, name, columns, tuple(headers))


def errors_of(text: str, source: str | Path = "pattern") -> list[NotationError]:
    """Return what keeps a text from being a pattern: the first error of each step, or the one error before them."""
    found: list[NotationError] = []
    try:
        for column in _read(text, str(source))[2]:
            try:
                step_of(column)
            except NotationError as error:
                found.append(error)
        if not found:
            read_sheet(text, source)
    except NotationError as error:
        found.append(error)
    return found


def _read(text: str, name: str) -> tuple[dict[str, Any], list[HeaderLine], tuple[dict[Row, Cell], ...]]:
    """Return the values of the header, its lines, and the cells of each step by row."""
    if len(text) > _LONGEST:
        raise NotationError(f"{len(text):,} characters are too many for a pattern of at most {MOST_STEPS} steps", name)
    try:
        tree = _grammar().parse(text.replace("\r\n", "\n").replace("\r", "\n") + "\n")
    except UnexpectedInput as error:
        raise _explained(error, text, name) from None
    headers = [_header(line) for line in tree.find_data("header")]
    headers.sort(key=lambda line: line.line)
    lines = [line for line in tree.children if isinstance(line, Tree) and line.data == "row"]
    if not lines:
        raise NotationError("there is no grid: rows such as 'Foot Position | LF FWD | RF FWD' are needed", name)
    values = read_headers(headers, name)
    rows = _rows(lines, name)
    columns = tuple({row: cells[index] for row, cells in rows.items()} for index in range(len(rows[Row.FOOT])))
    return values, headers, columns


def _check_finish(pattern: Pattern, written: Alignment | None, headers: list[HeaderLine], source: str) -> None:
    """Raise NotationError if the header's finish does not agree with the turns."""
    if written is not None and written is not finish(pattern):
        (at,) = (line for line in headers if line.name.casefold() == "finish")
        said = f"'finish' is '{written}', but the turns lead from {pattern.commence} to {finish(pattern)}"
        raise NotationError(said, source, at.line, at.column)


def _header(tree: Tree[Token]) -> HeaderLine:
    key, *value = (token for token in tree.children if isinstance(token, Token))
    text = str(value[0]) if value else ""
    after = (value[0] if value else key).column or 1
    blanks = len(text) - len(text.lstrip())
    return HeaderLine(str(key).strip(), text.strip(), key.line or 1, after + blanks, key.column or 1)


def _rows(trees: list[Tree[Token]], source: str) -> dict[Row, tuple[Cell, ...]]:
    """Return the cells of each row, all rows of equal length."""
    rows: dict[Row, tuple[Cell, ...]] = {}
    for tree in trees:
        (label,) = (child for child in tree.children if isinstance(child, Token) and child.type == "LABEL")
        row = _row_named(label, source)
        if row is None:
            continue
        if row in rows:
            raise NotationError("the row is given twice: keep one of them", source, label.line, label.column, row=row)
        rows[row] = _cells(tree.children[tree.children.index(label) + 1 :], row, source)
    for needed in _NEEDED:
        if needed not in rows and not (needed is Row.BEATS and Row.TIMING in rows):
            raise NotationError("the row is missing: every step needs it", source, row=needed)
    _check_lengths(rows, source)
    _check_numbers(rows.pop(Row.NUMBER, ()))
    return rows


def _folded(label: str) -> str:
    return " ".join(label.casefold().replace(".", " ").replace("&", " and ").split())


_ROWS = {_folded(row): row for row in Row} | {
    "step": Row.NUMBER,
    "steps": Row.NUMBER,
    "step numbers": Row.NUMBER,
    "foot": Row.FOOT,
    "feet": Row.FOOT,
    "foot positions": Row.FOOT,
    "head": Row.HEAD,
    "head positions": Row.HEAD,
    "turn": Row.TURN,
    "amt of turn": Row.TURN,
    "beat": Row.BEATS,
    "cbm": Row.BODY,
    "sway": Row.BODY,
}
_IGNORED = {_folded(name) for name in ROWS_NOT_DANCED}


def row_of(label: str) -> Row | None:
    """Return the row of a label as written, None for a label that is no row's."""
    return _ROWS.get(_folded(label))


def _row_named(label: Token, source: str) -> Row | None:
    """Return the row of a label; None, with a warning, for a row that Segue does not use."""
    row = row_of(label)
    if row is not None:
        return row
    if _folded(label) in _IGNORED:
        said = f"the row {label.strip()} is passed over, nothing here dances it"
        warnings.warn(f"{source}:{label.line}: {said}", SegueWarning, stacklevel=7)
        return None
    known = nearest(label.strip(), Row) or f": there are {', '.join(Row)}"
    raise NotationError(f"'{shown(label.strip())}' is no row of the grid{known}", source, label.line, label.column)


def _cells(children: list[Token | Tree[Token]], row: Row, source: str) -> tuple[Cell, ...]:
    """Return the cells of a row; a ditto cell has the words of the cell before it."""
    bars = [child for child in children if isinstance(child, Token)]
    trees = [child for child in children if isinstance(child, Tree)]
    if len(trees) > 1 and not trees[-1].children:
        trees.pop()  # a framed row ends with a bar, after which there is no cell
    cells: list[Cell] = []
    for bar, tree in zip(bars, trees, strict=False):
        tokens = [token for token in tree.children if isinstance(token, Token)]
        words = tuple(Word(str(token), token.line or 1, token.column or 1) for token in tokens)
        column = words[0].column if words else (bar.column or 0) + 1
        cell = Cell(source, row, len(cells) + 1, bar.line or 1, column, words)
        if [word.text for word in words] == [DITTO]:
            if not cells:
                raise cell.error(f"{DITTO} repeats the cell before it, and this is the first", words[0])
            cell = replace(cell, words=tuple(Word(word.text, *words[0][1:]) for word in cells[-1].words))
        cells.append(cell)
    return tuple(cells)


def _check_lengths(rows: Mapping[Row, tuple[Cell, ...]], source: str) -> None:
    """Raise NotationError if rows differ in length, or if there are too many steps."""
    counts = Counter(len(cells) for cells in rows.values())
    feet = len(rows[Row.FOOT])
    steps = max(counts, key=lambda count: (counts[count], count == feet))
    right = Row.FOOT if feet == steps else next(row for row, cells in rows.items() if len(cells) == steps)
    for row, cells in rows.items():
        gap = len(cells) - steps
        if gap:
            much = f"{abs(gap)} {'step' if abs(gap) == 1 else 'steps'} too {'short' if gap < 0 else 'long'}"
            said = f"the row is {much}: it has {len(cells)} where {right} has {steps}"
            if gap < 0:
                said += ", write ---- for a step without a symbol"
            cell = cells[-1 if gap < 0 else steps]
            first = min(len(cells), steps) + 1
            raise NotationError(said, source, cell.line, cell.column, step=first, row=row)
    if steps > MOST_STEPS:
        raise rows[Row.FOOT][MOST_STEPS].error(f"{steps} steps are too many: a pattern has at most {MOST_STEPS}")


def _check_numbers(cells: tuple[Cell, ...]) -> None:
    for number, cell in enumerate(cells, start=1):
        words = [word.text for word in cell.words]
        if words != [str(number)]:
            found = f"'{shown(' '.join(words))}'" if words else "nothing"
            raise cell.error(f"{found} stands where the number {number} belongs, or leave out the row")


def _explained(error: UnexpectedInput, text: str, source: str) -> NotationError:
    """Return a parser error as a NotationError with a plain sentence."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    line = lines[error.line - 1] if 0 < error.line <= len(lines) else ""
    if "|" in line:
        said = f"the row has no name: begin it with {Row.FOOT}, {Row.BEATS} or another, then a bar and the cells"
        return NotationError(said, source, error.line, error.column, step=1)
    said = f"'{shown(line.strip())}' is neither a line of the header, 'dance: waltz', nor a row with its cells"
    return NotationError(f"{said}, 'Beats | 1 | 1'", source, error.line, 1)
