"""The ballroom notation: symbols, steps and patterns, read from text and written back."""

from segue.dance.notation.checking import Finding, Severity, check, eighths_turned, finish
from segue.dance.notation.errors import NotationError
from segue.dance.notation.follower import check_pair, partner_of
from segue.dance.notation.header import abbreviation
from segue.dance.notation.model import Alignment, Part, Pattern, Step, Turn
from segue.dance.notation.parsing import Sheet, errors_of, parse, read_sheet, row_of
from segue.dance.notation.symbols import SYMBOLS, Row, Symbol, symbols_of
from segue.dance.notation.writing import grid, retitled, write

__all__ = [
    "SYMBOLS",
    "Alignment",
    "Finding",
    "NotationError",
    "Part",
    "Pattern",
    "Row",
    "Severity",
    "Sheet",
    "Step",
    "Symbol",
    "Turn",
    "abbreviation",
    "check",
    "check_pair",
    "eighths_turned",
    "errors_of",
    "finish",
    "grid",
    "parse",
    "partner_of",
    "read_sheet",
    "retitled",
    "row_of",
    "symbols_of",
    "write",
]
