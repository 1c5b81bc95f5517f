"""Text files that hold tables, in TOML or JSON: what they say, or in one sentence why they say nothing."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from segue.errors import FileFormatError
from segue.filesystem import read_bytes

_MOST_DOTS = 100  # in one key, for which Python's reader takes a time that grows with their square
_TOML_PARTS = re.compile(
    r"""
    \#[^\n]*                              # a comment
    | \"{3}(?:[^\\]|\\.)*?(?:\"{3}|\Z)    # texts, of many lines or of one: their dots are none of a key's
    | '{3}.*?(?:'{3}|\Z)
    | \"(?:[^"\\\n]|\\.)*(?:\"|\Z)?
    | '[^'\n]*'?
    | \. | [=,\[\]{}\n]                  # a dot, and what ends a key or a value
    """,
    re.DOTALL | re.VERBOSE,
)
_LARGEST = 2**63  # whole numbers of TOML have 64 bits


def read_text(path: str | Path, what: str, needed: str) -> str:
    """Return a file's text; what: the kind of file, and needed: in what it must be written, for the complaint."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(f"this {what} is not text: {needed} in UTF-8 is needed", path) from None


def toml_table(text: str, path: str | Path, hint: str = "") -> dict[str, Any]:
    """Return what text in TOML says; hint: what would be right, for the complaint."""
    _check_keys(text, path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(place[1]), int(place[2])) if place else (len(text.splitlines()), None)
        reason = re.sub(r"\s*\(at .*\)", "", str(error))
        raise FileFormatError(f"not TOML ({reason}){hint}", path, line, column) from None
    except RecursionError:
        raise FileFormatError(f"not TOML (its lists are too deep){hint}", path) from None
    except ValueError as error:  # a number with more digits than Python reads
        raise FileFormatError(f"not TOML ({_first_words(error)}){hint}", path) from None
    _check_numbers(table, path)
    return table


def _check_keys(text: str, path: str | Path) -> None:
    """Raise where a key has more parts than any file needs."""
    if text.count(".") <= _MOST_DOTS:
        return
    dots = 0
    for part in _TOML_PARTS.finditer(text):
        if part[0] == ".":
            dots += 1
            if dots > _MOST_DOTS:
                line = text.count("\n", 0, part.start()) + 1
                raise FileFormatError(f"not TOML (a key has more than {_MOST_DOTS} dots)", path, line)
        elif part[0] in "=,[]{}\n":
            dots = 0


def _check_numbers(table: dict[str, Any], path: str | Path) -> None:
    """Raise where a whole number is larger than TOML's are: Python reads any, and fails to compute with it later."""
    waiting: list[tuple[str, Any]] = list(table.items())
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.items()
        elif isinstance(value, list):
            waiting += ((key, item) for item in value)
        elif isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
            raise FileFormatError(f"not TOML ('{key}' is a whole number of more than 64 bits)", path)


def json_table(text: str, path: str | Path) -> Any:
    """Return what text in JSON says, which need not be a table."""
    try:
        return json.loads(text, parse_int=_whole_number)
    except json.JSONDecodeError as error:
        raise FileFormatError(f"not JSON ({error.msg})", path, error.lineno, error.colno) from None
    except RecursionError:
        raise FileFormatError("not JSON (its lists are too deep)", path) from None
    except ValueError as error:
        raise FileFormatError(f"not JSON ({_first_words(error)})", path) from None


def _whole_number(digits: str) -> int | float:
    """Return a whole number of JSON; one with more than 64 bits as any other number, which may be infinite."""
    value = int(digits)
    return value if -_LARGEST <= value < _LARGEST else float(digits)


def _first_words(error: ValueError) -> str:
    return re.split(r"[:;\n]", str(error))[0]
