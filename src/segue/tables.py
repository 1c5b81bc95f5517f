"""Read tables from TOML and JSON files; raise FileFormatError with the line and one sentence.

`read_table` returns a `Table`, whose methods return the values of keys, checked, as the types that the program uses:

    table = read_table("scene.toml", "scene file")
    table.check_keys(["fps", "box"])
    fps = table.number("fps", 60.0, above=0.0)
    boxes = [(box.text("name"), box.numbers("size", 3)) for box in table.tables("box")]
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from segue import checks
from segue.errors import FileFormatError, SegueError
from segue.filesystem import read_bytes
from segue.toml_spans import Place, TomlSpans

Value = TypeVar("Value")
Name = TypeVar("Name", bound=str)

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
_JSON_PARTS = re.compile(r"""("(?:[^"\\]|\\.)*")\s*(:?)|[{}\[\],]""")
_REQUIRED: Any = object()


def read_text(path: str | Path, what: str, needed: str) -> str:
    """Return a file's text; what: the kind of file, and needed: in what it must be written, for the complaint."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(f"this {what} is not text: {needed} in UTF-8 is needed", path) from None


def toml_table(text: str, path: str | Path, hint: str = "") -> dict[str, Any]:
    """Return the values of a text in TOML; hint: what would be right, for the error."""
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
    """Return the value of a text in JSON, which need not be a table."""
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


def read_table(path: str | Path, what: str, hint: str = "", text: str | None = None) -> Table:
    """Return the table of a file, JSON where its suffix says so and else TOML.

    what: the kind of file, and hint: what would be right where the file is not TOML, for errors. text: instead of what
    the file has.
    """
    is_json = Path(path).suffix.lower() == ".json"
    if text is None:
        text = read_text(path, what, "TOML or JSON" if is_json else "TOML")
    values = json_table(text, path) if is_json else toml_table(text, path, hint)
    if not isinstance(values, dict):
        raise FileFormatError(f"this {what} is {checks.shown(values)}: an object in braces is needed", path, 1)
    return Table(_Source(Path(path), text, is_json), values)


@dataclass(frozen=True, eq=False)
class _Source:
    """A file's text, and the lines on which its values stand."""

    path: Path
    text: str
    is_json: bool

    @cached_property
    def lines(self) -> dict[Place, int]:
        """The line of each value, counted from 1."""
        return _json_lines(self.text) if self.is_json else TomlSpans(self.text).lines

    def line_of(self, place: Place) -> int | None:
        """Return the line of a value, or of the nearest table around it whose line is known."""
        return next((self.lines[place[:n]] for n in range(len(place), 0, -1) if place[:n] in self.lines), None)


@dataclass(frozen=True, eq=False)
class Table:
    """A table of a file: its values by key, and where it stands."""

    source: _Source
    values: dict[str, Any]
    place: Place = ()

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    @property
    def name(self) -> str:
        """How errors name the table."""
        return f"[{self._dotted()}]" if self.place else "this file"

    def _dotted(self, *keys: str) -> str:
        return ".".join(key for key in (*self.place, *keys) if isinstance(key, str))

    def error(self, message: str, *keys: str | int) -> FileFormatError:
        """Return an error at the line of a key, or of the table."""
        return FileFormatError(message, self.source.path, self.source.line_of((*self.place, *keys)))

    @contextmanager
    def at(self, *keys: str | int) -> Iterator[None]:
        """Give errors that are raised inside the line of a key."""
        try:
            yield
        except SegueError as error:
            if isinstance(error, FileFormatError) and error.path == self.source.path:
                raise
            raise self.error(str(error), *keys) from error

    def check_keys(self, known: Iterable[str]) -> None:
        """Raise at the first key that is not known, with the one that was probably meant."""
        known = tuple(known)
        for key in self.values:
            if key not in known:
                raise self.error(f"{self.name} has no '{key}': {checks.hint(key, known, 'there are')}", key)

    def number(
        self,
        key: str,
        default: float = _REQUIRED,
        *,
        least: float = -math.inf,
        most: float = math.inf,
        above: float = -math.inf,
        unit: str = "",
        needed: str = "",
    ) -> float:
        """Return a finite number; see `checks.number`. Without a default the key must be there."""

        def check(value: object) -> float:
            return checks.number(f"'{key}'", value, least=least, most=most, above=above, unit=unit, needed=needed)

        return self._checked(key, default, check, "a number")

    def integer(self, key: str, default: int = _REQUIRED, *, least: float = -math.inf, most: float = math.inf) -> int:
        """Return a whole number from least to most."""
        return self._checked(
            key, default, lambda value: checks.integer(f"'{key}'", value, least=least, most=most), "a whole number"
        )

    def numbers(self, key: str, count: int, default: tuple[float, ...] = _REQUIRED) -> tuple[float, ...]:
        """Return a list of so many finite numbers."""
        needed = f"a list of {count} numbers"

        def check(value: object) -> tuple[float, ...]:
            if not isinstance(value, list) or len(value) != count:
                raise self.error(f"'{key}' is {checks.shown(value)}: {needed} is needed", key)
            return tuple(checks.number(f"'{key}'", each, needed=f"{needed} is needed") for each in value)

        return self._checked(key, default, check, needed)

    def rows(self, key: str, count: int) -> list[tuple[float, ...]]:
        """Return a list of lists of so many finite numbers, which is empty where it is not there."""
        rows = self.values.get(key, [])
        if not isinstance(rows, list):
            raise self.error(f"'{key}' is {checks.shown(rows)}: a list of lists of {count} numbers is needed", key)
        return [Table(self.source, {key: row}, self.place).numbers(key, count) for row in rows]

    def text(self, key: str, default: str = _REQUIRED) -> str:
        """Return a text that is not empty."""
        return self._checked(key, default, lambda value: self._texts(key, [value], "a text in quotes")[0], "a text")

    def texts(self, key: str, default: tuple[str, ...] = _REQUIRED, what: str = "texts in quotes") -> tuple[str, ...]:
        """Return a list of texts that are not empty; what: the texts are, for the sentence."""
        return self._checked(
            key, default, lambda value: self._texts(key, value, f"a list of {what}"), f"a list of {what}"
        )

    def _texts(self, key: str, values: object, needed: str) -> tuple[str, ...]:
        if not isinstance(values, list) or not all(isinstance(each, str) and each for each in values):
            raise self.error(f"'{key}' is {checks.shown(self.values[key])}: {needed} is needed", key)
        return tuple(values)

    def flag(self, key: str, default: bool = _REQUIRED) -> bool:
        """Return true or false."""

        def check(value: object) -> bool:
            if not isinstance(value, bool):
                raise self.error(f"'{key}' is {checks.shown(value)}: true or false is needed", key)
            return value

        return self._checked(key, default, check, "true or false")

    def choice(self, key: str, choices: Iterable[Name], default: Name = _REQUIRED) -> Name:
        """Return a text that must be one of the choices."""
        known = tuple(choices)
        return self._checked(
            key, default, lambda value: checks.choice(f"'{key}'", value, known), f"one of {', '.join(known)}"
        )

    def table(self, key: str) -> Table:
        """Return the table of a key, which is empty where it is not there."""
        values = self.values.get(key, {})
        if not isinstance(values, dict):
            raise self.error(f"'{key}' must be a table: write [{self._dotted(key)}] before its values", key)
        return Table(self.source, values, (*self.place, key))

    def tables(self, key: str) -> list[Table]:
        """Return the list of tables of a key, which is empty where it is not there."""
        rows = self.values.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.error(f"'{key}' must be a list of tables: write [[{self._dotted(key)}]] before each", key)
        return [Table(self.source, row, (*self.place, key, k)) for k, row in enumerate(rows)]

    def _checked(self, key: str, default: Value, check: Callable[[object], Value], needed: str) -> Value:
        if key in self.values:
            with self.at(key):
                return check(self.values[key])
        if default is _REQUIRED:
            raise self.error(f"{self.name} has no '{key}': {needed} is needed", key)
        return default


def _json_lines(text: str) -> dict[Place, int]:
    """Return the line of each value of an object, and of each object in a list."""
    found: dict[Place, int] = {}
    place: list[str | int] = []  # of the value that is read, an index or a key for each bracket that is open
    line, last = 1, 0
    for part in _JSON_PARTS.finditer(text):
        line, last = line + text.count("\n", last, part.start()), part.start()
        sign = part[0][0]
        if sign == '"' and part[2] and place:
            place[-1] = json.loads(part[1])
            found.setdefault(tuple(place), line)
        elif sign in "{[":
            found.setdefault(tuple(place), line)
            place.append(0 if sign == "[" else "")
        elif sign in "}]" and place:
            place.pop()
        elif sign == "," and place and isinstance(place[-1], int):
            place[-1] += 1
    found.pop((), None)
    return found
