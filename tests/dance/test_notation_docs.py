"""The page on the notation tells all symbols, and its examples are patterns."""

from __future__ import annotations

import re
from pathlib import Path

from segue.dance.notation import SYMBOLS, abbreviation, check, parse
from segue.dance.notation.header import HEADERS
from segue.dance.notation.model import Alignment
from segue.dance.patterns import SHIPPED, DanceLibrary

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


def test_every_symbol_is_told_as_the_program_knows_it() -> None:
    told = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    symbols = [row for row in told if not row[0].endswith(":")]
    assert symbols == [(symbol.text, symbol.name, symbol.meaning) for symbol in SYMBOLS]


def test_every_header_and_alignment_is_told() -> None:
    for name in HEADERS:
        assert f"`{name}:`" in PAGE
    for alignment in Alignment:
        assert f"| `{alignment}` | `{abbreviation(alignment)}` |" in PAGE


def test_examples_can_be_danced() -> None:
    blocks = re.findall(r"^```text\n(dance:.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        assert not [finding for finding in check(parse(block)) if "bars" not in finding.message]


def test_every_shipped_pattern_is_named() -> None:
    library = DanceLibrary(SHIPPED / "nobody's")
    for dance in library.dances():
        assert f"| {dance} | {', '.join(entry.name for entry in library.entries(dance))} |" in PAGE
