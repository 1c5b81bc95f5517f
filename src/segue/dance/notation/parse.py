"""From a pattern's text to the pattern, or to an error that names step, row and symbol."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from segue.dance.notation.cells import Cell, Word, step_of
from segue.dance.notation.check import finish
from segue.dance.notation.errors import NotationError, nearest, shown
from segue.dance.notation.header import HeaderLine, read_headers
from segue.dance.notation.model import MOST_STEPS, Alignment, Part, Pattern
from segue.dance.notation.symbols import DITTO, ROWS_NOT_DANCED, Row
from segue.errors import SegueWarning

_LONGEST = 100_000  # characters; a pattern of twelve steps has some two thousand

_NEEDED = (Row.FOOT, Row.BEATS)


@dataclass(frozen=True)
class Sheet:
    """A pattern as it stands in a text.

    cells: where each step's rows stand, one mapping a step. headers: the lines above the grid.
    """

    pattern: Pattern
    source: str
    cells: tuple[Mapping[Row, Cell], ...]
    headers: tuple[HeaderLine, ...]

    def place(self, step: int | None, row: Row | None) -> tuple[int | None, int | None]:
        """Return line and column of a cell, from 1; None where nothing is written there."""
        cell = None if step is None or row is None else self.cells[step - 1].get(row)
        return (None, None) if cell is None else (cell.line, cell.column)


@cache
def _grammar() -> Lark:
    """Return the parser of sheets, which is made when the first one is read: it takes a while."""
    grammar = files("segue.dance.notation").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="sheet", parser="lalr")


def parse(text: str, source: str | Path = "pattern") -> Pattern:
    """Return the pattern that a text says; source: what messages call it, its file's path."""
    return read_sheet(text, source).pattern


def read_sheet(text: str, source: str | Path = "pattern") -> Sheet:
    """Return the pattern that a text says together with where in the text everything stands."""
    name = str(source)
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
    columns = [{row: cells[index] for row, cells in rows.items()} for index in range(len(rows[Row.FOOT]))]
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
    return Sheet(pattern, name, tuple(columns), tuple(headers))


def _check_finish(pattern: Pattern, told: Alignment | None, headers: list[HeaderLine], source: str) -> None:
    """Raise where the header's finish is not where the turns lead."""
    if told is not None and told is not finish(pattern):
        (at,) = (line for line in headers if line.name.casefold() == "finish")
        said = f"'finish' is '{told}', but the turns lead from {pattern.commence} to {finish(pattern)}"
        raise NotationError(said, source, at.line, at.column)


def _header(tree: Tree[Token]) -> HeaderLine:
    key, *value = (token for token in tree.children if isinstance(token, Token))
    told = str(value[0]) if value else ""
    after = (value[0] if value else key).column or 1
    blanks = len(told) - len(told.lstrip())
    return HeaderLine(str(key).strip(), told.strip(), key.line or 1, after + blanks, key.column or 1)


def _rows(trees: list[Tree[Token]], source: str) -> dict[Row, tuple[Cell, ...]]:
    """Return the cells of each row, of equal number."""
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


def _row_named(label: Token, source: str) -> Row | None:
    """Return which row a label names; None, with a warning, for one that is not danced."""
    name = _folded(label)
    if name in _ROWS:
        return _ROWS[name]
    if name in _IGNORED:
        said = f"the row {label.strip()} is passed over, nothing here dances it"
        warnings.warn(f"{source}:{label.line}: {said}", SegueWarning, stacklevel=6)
        return None
    known = nearest(label.strip(), Row) or f": there are {', '.join(Row)}"
    raise NotationError(f"'{shown(label.strip())}' is no row of the grid{known}", source, label.line, label.column)


def _cells(children: list[Token | Tree[Token]], row: Row, source: str) -> tuple[Cell, ...]:
    """Return a row's cells, each of which follows its bar; one that is ditto has the words of the cell before it."""
    bars = [child for child in children if isinstance(child, Token)]
    trees = [child for child in children if isinstance(child, Tree)]
    if len(trees) > 1 and not trees[-1].children:
        trees.pop()  # what follows the bar at the end of a framed row is no cell
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
    """Raise where a row has more or fewer cells than most have, or there are too many steps."""
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
                said += ", write ---- where nothing is to be said"
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
    """Return what the parser stumbled on in plain words."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    line = lines[error.line - 1] if 0 < error.line <= len(lines) else ""
    if "|" in line:
        said = f"the row has no name: begin it with {Row.FOOT}, {Row.BEATS} or another, then a bar and the cells"
        return NotationError(said, source, error.line, error.column, step=1)
    said = f"'{shown(line.strip())}' is neither a line of the header, 'dance: waltz', nor a row with its cells"
    return NotationError(f"{said}, 'Beats | 1 | 1'", source, error.line, 1)
