"""Reading JSON that may hold anything: each field is asked for by name and kind, and refused in one sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from segue.errors import FileFormatError

__all__ = ["Fields", "parse_object"]

_Value = TypeVar("_Value")

_SHOWN = 40  # characters of a wrong value that are told


class Fields:
    """The fields of one JSON object, with the place it was read from.

    values: the object. path, line: where it stands, for what is said of it.
    """

    def __init__(self, values: Mapping[str, Any], path: Path, line: int) -> None:
        self._values = values
        self.path = path
        self.line = line

    def wrong(self, message: str) -> FileFormatError:
        """Return an error that says where this object stands."""
        return FileFormatError(message, self.path, self.line)

    def _get(self, name: str, what: str, take: Callable[[Any], _Value | None]) -> _Value:
        if name not in self._values:
            raise self.wrong(f"the field '{name}' is missing: {what} is needed")
        value = take(self._values[name])
        if value is None:
            shown = repr(self._values[name])
            shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
            raise self.wrong(f"'{name}' is {shown}: {what} is needed")
        return value

    def text(self, name: str) -> str:
        """Return a text."""
        return self._get(name, "a text", lambda value: value if isinstance(value, str) else None)

    def matching(self, name: str, accepts: Callable[[str], object], what: str) -> str:
        """Return a text that a test accepts; what: such a text in words."""
        return self._get(name, what, lambda value: value if isinstance(value, str) and accepts(value) else None)

    def count(self, name: str, *, least: int = 0, below: int | None = None) -> int:
        """Return a whole number, not less than one and below the other."""
        what = f"a whole number of at least {least}" if below is None else f"a whole number from {least} to {below - 1}"

        def take(value: Any) -> int | None:
            fits = isinstance(value, int) and not isinstance(value, bool) and value >= least
            return value if fits and (below is None or value < below) else None

        return self._get(name, what, take)

    def number(self, name: str) -> float:
        """Return a finite number."""
        return self._get(name, "a finite number", _finite)

    def positive(self, name: str) -> float:
        """Return a finite number above zero."""
        return self._get(name, "a positive number", lambda value: _above_zero(_finite(value)))

    def positive_or_none(self, name: str) -> float | None:
        """Return a finite number above zero, or None where the field is null."""
        return None if self._values.get(name, ...) is None else self.positive(name)

    def text_or_none(self, name: str) -> str | None:
        """Return a text, or None where the field is null."""
        return None if self._values.get(name, ...) is None else self.text(name)

    def vector(self, name: str) -> tuple[float, float, float]:
        """Return three finite numbers."""

        def take(value: Any) -> tuple[float, float, float] | None:
            if not isinstance(value, list) or len(value) != 3:
                return None
            x, y, z = map(_finite, value)
            return None if x is None or y is None or z is None else (x, y, z)

        return self._get(name, "a list of three finite numbers", take)

    def stretches(self, name: str, length: int) -> tuple[tuple[int, int], ...]:
        """Return pairs of frames (first, one after the last) that follow each other within so many frames."""

        def take(value: Any) -> tuple[tuple[int, int], ...] | None:
            if not isinstance(value, list):
                return None
            reached, pairs = 0, []
            for pair in value:
                if not (isinstance(pair, list) and len(pair) == 2 and all(type(frame) is int for frame in pair)):
                    return None
                if not reached <= pair[0] < pair[1] <= length:
                    return None
                reached = pair[1]
                pairs.append((pair[0], pair[1]))
            return tuple(pairs)

        return self._get(name, f"a list of stretches, in order, within {length} frames", take)

    def inner(self, name: str) -> Fields:
        """Return the fields of an object within this one."""
        values = self._get(name, "an object", lambda value: value if isinstance(value, dict) else None)
        return Fields(values, self.path, self.line)


def parse_object(text: bytes, path: Path, line: int) -> Fields:
    """Return the one JSON object in a text."""

    def refuse(word: str) -> float:
        raise ValueError(f"{word} is no number")

    try:
        values = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"is not JSON ({error}): the file is damaged", path, line) from None
    if not isinstance(values, dict):
        raise FileFormatError(f"is {type(values).__name__} where an object is needed: the file is damaged", path, line)
    return Fields(values, path, line)


def _finite(value: Any) -> float | None:
    if type(value) is float:  # nearly all are: thousands of clips have dozens each
        return value if math.isfinite(value) else None
    if type(value) is not int:
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _above_zero(value: float | None) -> float | None:
    return value if value is not None and value > 0 else None
