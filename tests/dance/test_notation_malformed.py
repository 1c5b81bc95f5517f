"""Three hundred spoilt pattern files: each is a pattern all the same, or is told off in one clear sentence."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable

import pytest

from segue.dance.notation import SYMBOLS, NotationError, Pattern, Row, check, parse, write
from segue.dance.patterns import SHIPPED, SUFFIX
from segue.errors import SegueWarning

COUNT = 300
FILES = sorted(SHIPPED.rglob(f"*{SUFFIX}"))
STRANGE = [
    "\x00",
    "\x1b[2J",
    "|",
    "||",
    ":",
    "#",
    '"',
    "----",
    "é",
    "\u202e",
    "\ud7ff",
    "\t",
    "\r",
    "1/8",
    "LF",
    "@",
    "\x85",
]

Spoil = Callable[[str, random.Random], str]


def grid_lines(lines: list[str]) -> list[int]:
    return [index for index, line in enumerate(lines) if "|" in line]


def delete_letters(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + text[at + chance.randint(1, 4) :]


def insert_something(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice(STRANGE) + text[at:]


def replace_a_letter(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("abLRX019/-|: \n") + text[at + 1 :]


def cut_off(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text))]


def drop_a_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


def repeat_a_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    return "\n".join([*lines[: at + 1], *lines[at:]])


def exchange_lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    one, other = (chance.randrange(len(lines)) for _ in range(2))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def _with_cell(text: str, chance: random.Random, change: Callable[[list[str], int], None]) -> str:
    lines = text.split("\n")
    line = chance.choice(grid_lines(lines))
    cells = lines[line].split("|")
    change(cells, chance.randrange(1, len(cells) - 1))
    lines[line] = "|".join(cells)
    return "\n".join(lines)


def drop_a_cell(text: str, chance: random.Random) -> str:
    return _with_cell(text, chance, lambda cells, at: cells.__delitem__(at))


def repeat_a_cell(text: str, chance: random.Random) -> str:
    return _with_cell(text, chance, lambda cells, at: cells.insert(at, cells[at]))


def empty_a_cell(text: str, chance: random.Random) -> str:
    return _with_cell(text, chance, lambda cells, at: cells.__setitem__(at, chance.choice([" ", " - ", " ---- "])))


def add_a_symbol(text: str, chance: random.Random) -> str:
    symbol = chance.choice(SYMBOLS).text
    return _with_cell(text, chance, lambda cells, at: cells.__setitem__(at, f"{cells[at]}{symbol} "))


def another_symbol(text: str, chance: random.Random) -> str:
    symbol = chance.choice(SYMBOLS).text
    return _with_cell(text, chance, lambda cells, at: cells.__setitem__(at, f" {symbol} "))


SPOILERS: tuple[Spoil, ...] = (
    delete_letters,
    insert_something,
    replace_a_letter,
    cut_off,
    drop_a_line,
    repeat_a_line,
    exchange_lines,
    drop_a_cell,
    repeat_a_cell,
    empty_a_cell,
    add_a_symbol,
    another_symbol,
)


def spoilt(number: int) -> str:
    """Return a shipped file with one to three faults, the same ones for a number."""
    chance = random.Random(number)
    text = chance.choice(FILES).read_text(encoding="utf-8")
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if len(grid_lines(text.split("\n"))) > 1:
            text = SPOILERS[number % len(SPOILERS)](text, chance)
    return text


def outcome(text: str) -> Pattern | NotationError:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)
        try:
            return parse(text, "spoilt.dance")
        except NotationError as error:
            return error


@pytest.mark.parametrize("number", range(COUNT))
def test_spoilt_files(number: int) -> None:
    text = spoilt(number)
    found = outcome(text)
    if isinstance(found, Pattern):
        assert parse(write(found)) == found
        check(found)
        return
    said = str(found)
    assert said.startswith("spoilt.dance:")
    assert said.isprintable()
    assert 20 < len(said) < 400
    assert not re.search(r"Traceback|Token\(|Tree\(|Error\b|None|<", said)
    if found.line is None:
        return
    line = re.split(r"\r\n|\n|\r", text)[found.line - 1]
    label = " ".join(line.strip(" |").split("|")[0].split())
    if "|" in line and label in set(Row) and "given twice" not in said and not line.startswith("note"):
        assert found.step is not None, said
        assert found.row == label, said
        assert f"step {found.step}, {label}: " in said


def test_the_spoilers_spoil() -> None:
    outcomes = [outcome(spoilt(number)) for number in range(COUNT)]
    errors = [found for found in outcomes if isinstance(found, NotationError)]
    assert len(errors) > COUNT / 2
    assert len({found.sentence for found in errors}) > 60
    assert sum(found.step is not None for found in errors) > COUNT / 4
