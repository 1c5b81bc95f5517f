"""Read a step from the cells of one column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from segue.dance.notation.checking import Severity, step_findings
from segue.dance.notation.errors import NotationError, nearest, shown
from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Head, Modifier, Step, Turn
from segue.dance.notation.symbols import DITTO, OTHER_NAMES, Row, Side, Symbol, symbols_of

_Meaning = TypeVar("_Meaning")


class Word(NamedTuple):
    """A word in a cell as typed, with its line and column from 1."""

    text: str
    line: int
    column: int

    @property
    def says_nothing(self) -> bool:
        """Whether it consists of hyphens or dashes alone."""
        return not self.text.strip("-\N{EN DASH}\N{EM DASH}\N{HORIZONTAL BAR}")


@dataclass(frozen=True)
class Cell:
    """Cell of a row and a step, with the line and column of its first word or of its bar."""

    source: str
    row: Row
    step: int
    line: int
    column: int
    words: tuple[Word, ...]

    def error(self, message: str, at: Word | None = None) -> NotationError:
        """Return an error about the cell, or about a word in it."""
        line, column = (self.line, self.column) if at is None else (at.line, at.column)
        symbol = None if at is None else at.text
        return NotationError(message, self.source, line, column, step=self.step, row=self.row, symbol=symbol)

    def symbols(self) -> list[tuple[Symbol, Word]]:
        """Return the symbols in the cell, each with its word."""
        known = symbols_of(self.row)
        found: list[tuple[Symbol, Word]] = []
        for word in self._words_apart():
            symbol = known.get(word.text.upper())
            if symbol is None:
                raise self.error(self._unknown(word), word)
            for other, _ in found:
                if other == symbol:
                    raise self.error(f"{symbol.text} is written twice, once is enough", word)
                if other.kind == symbol.kind and not symbol.many:
                    raise self.error(
                        f"{other.text} and {symbol.text} exclude each other: write one {symbol.kind}", word
                    )
            found.append((symbol, word))
        return found

    def _words_apart(self) -> list[Word]:
        """Return the words without hyphens, and 1/8L split into 1/8 and L."""
        apart: list[Word] = []
        for word in self.words:
            if word.says_nothing:
                if len(self.words) > 1:
                    raise self.error(
                        f"'{shown(word.text)}' leaves the cell empty: remove it, or the other symbols", word
                    )
            elif self.row is Row.TURN and word.text[:-1] in symbols_of(Row.TURN) and len(word.text) > 1:
                end = len(word.text) - 1
                apart += [Word(word.text[:end], *word[1:]), Word(word.text[end:], word.line, word.column + end)]
            else:
                apart.append(word)
        return apart

    def _unknown(self, word: Word) -> str:
        """Return why a word is not a symbol of this row, and what would be right."""
        name = word.text.upper()
        said = f"'{shown(word.text)}' is no symbol of this row"
        if name in OTHER_NAMES:
            return f"{said}: {OTHER_NAMES[name]}"
        at_home = [row for row in Row if name in symbols_of(row)]
        if at_home:
            return f"{said}: it belongs to the row {at_home[0]}"
        if DITTO in name:
            return f"{said}: {DITTO} stands alone, for the whole cell before it"
        known = symbols_of(self.row)
        return said + (nearest(name, known) or f": it has {', '.join(known)}")


def step_of(cells: Mapping[Row, Cell]) -> Step:
    """Return the step of a column's cells, or raise `NotationError` with step, row and symbol."""
    feet = cells[Row.FOOT]
    written = feet.symbols()
    foot, position = _only(written, Foot), _only(written, FootPosition)
    if foot is None:
        if not written:
            raise feet.error("nothing is written: every step needs a foot and its position, such as LF FWD, or HOLD")
        raise feet.error(f"{written[0][0].text} needs a foot before it, LF or RF", written[0][1])
    for symbol, word in written:
        if foot is not Foot.HOLD and symbol.foot not in (None, foot):
            raise feet.error(f"{foot} cannot close to itself: write CL/{symbol.foot}, CL or 1ST", word)
    step = Step(
        foot=foot,
        position=position,
        beats=_beats(cells),
        modifiers=_all(written, Modifier),
        footwork=_only(_symbols(cells, Row.FOOTWORK), Footwork),
        head=_only(_symbols(cells, Row.HEAD), Head),
        turn=_turn(cells),
        body=_all(_symbols(cells, Row.BODY), Body),
    )
    _raise_first(step, cells)
    return step


def _raise_first(step: Step, cells: Mapping[Row, Cell]) -> None:
    """Raise the first error in a single step, at its place in the text."""
    for finding in step_findings(step, cells[Row.FOOT].step):
        if finding.severity is Severity.ERROR and finding.row is not None:
            cell = cells[finding.row]
            meant = [word for word in cell.words if word.text.upper() == finding.symbol]
            raise cell.error(finding.message, meant[0] if meant else cell.words[0])


def _symbols(cells: Mapping[Row, Cell], row: Row) -> list[tuple[Symbol, Word]]:
    return cells[row].symbols() if row in cells else []


def _all(written: list[tuple[Symbol, Word]], kind: type[_Meaning]) -> frozenset[_Meaning]:
    return frozenset(symbol.stands_for for symbol, _ in written if isinstance(symbol.stands_for, kind))


def _only(written: list[tuple[Symbol, Word]], kind: type[_Meaning]) -> _Meaning | None:
    return next(iter(_all(written, kind)), None)


def _turn(cells: Mapping[Row, Cell]) -> Turn | None:
    written = _symbols(cells, Row.TURN)
    if not written:
        return None
    eighths, side = _only(written, int), _only(written, Side)
    cell = cells[Row.TURN]
    if eighths is None:
        raise cell.error(f"the turn has no amount: write 1/8 {side}, 1/4 {side} and so on, or NT", written[0][1])
    if eighths == 0:
        if side is not None:
            raise cell.error(f"NT is no turn, and has no side {side}", written[0][1])
        return None
    if side is None:
        word = written[0][1]
        raise cell.error(f"{word.text} is to the left or to the right: add L or R", word)
    return Turn(eighths, side is Side.LEFT)


def _beats(cells: Mapping[Row, Cell]) -> int:
    """Return the beats from the rows Beats and Timing, which must agree."""
    given: list[tuple[int, Cell]] = []
    for row in (Row.BEATS, Row.TIMING):
        for symbol, _ in _symbols(cells, row):
            assert isinstance(symbol.stands_for, int)
            given.append((symbol.stands_for, cells[row]))
    if not given:
        cell = cells.get(Row.BEATS) or cells[Row.TIMING]
        raise cell.error("nothing is written: every step needs its beats, 1 to 4, or S or Q")
    if given[0][0] != given[-1][0]:
        raise given[-1][1].error(f"this comes to {given[-1][0]}, but the row Beats has {given[0][0]}")
    return given[0][0]
