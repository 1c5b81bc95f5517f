"""Checked access to a glTF document: every field is of the kind that was asked for, or an error is raised."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from segue.errors import FileFormatError

# where Segue keeps what glTF has no field for: in the `extras` of a joint's node the tip of a bone that no joint stands
# at, in those of an animation its frame rate, each a list of numbers
END_EXTRA = "segue_end"
FPS_EXTRA = "segue_fps"
BODY_EXTRA = "segue_body"  # of a mesh: that it is the simple body that Segue draws around any skeleton

_DEEPEST = 100  # JSON objects and lists inside one another
_LARGEST_COUNT = 2**53  # beyond it JSON numbers are not exact, and no file is that large


@dataclass(frozen=True)
class Item:
    """One JSON object of the document, with its place in it ("nodes[3]") for messages."""

    path: str | Path
    place: str
    fields: dict[str, Any]

    def fail(self, problem: str, key: str | None = None) -> NoReturn:
        """Raise the error with the place of the problem in the file."""
        raise FileFormatError(f"{self._at(key)} {problem}", self.path)

    def _at(self, key: str | None) -> str:
        return ".".join(part for part in (self.place, key) if part) or "the document"

    def _get(self, key: str, needed: bool) -> Any:
        value = self.fields.get(key)
        if value is None and needed:
            self.fail("is missing: glTF 2.0 demands it", key)
        return value

    def integer(self, key: str, default: int | None = None) -> int:
        """Return a number of things or bytes, zero or more; needed where there is no default."""
        value = self._get(key, needed=default is None)
        if value is None:
            assert default is not None
            return default
        return self._as_count(value, key)

    def _as_count(self, value: Any, key: str) -> int:
        # JSON knows no integers: 3.0 is one too
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= _LARGEST_COUNT or value != int(value):
            self.fail(f"is {_shown(value)}: a whole number of zero or more is needed", key)
        return int(value)

    def index(self, key: str, things: Sequence[Any], what: str) -> int:
        """Return an index into a list that must hold it; needed."""
        return self._as_index(self.integer(key), things, what, key)

    def _as_index(self, value: int, things: Sequence[Any], what: str, key: str) -> int:
        if value >= len(things):
            self.fail(f"is {value}: the file has {len(things)} {what}, counted from 0", key)
        return value

    def indices(self, key: str, things: Sequence[Any], what: str) -> list[int]:
        """Return a list of indices, empty where there is none."""
        return [
            self._as_index(self._as_count(value, f"{key}[{k}]"), things, what, f"{key}[{k}]")
            for k, value in enumerate(self._list(key))
        ]

    def numbers(self, key: str, count: int) -> list[float] | None:
        """Return finite numbers, exactly so many; None where the field is absent."""
        if self._get(key, needed=False) is None:
            return None
        values = self._list(key)
        if len(values) != count or not all(_is_finite_number(value) for value in values):
            self.fail(f"is {_shown(values)}: {count} finite numbers are needed", key)
        return [float(value) for value in values]

    def text(self, key: str, default: str = "") -> str:
        """Return a string."""
        value = self._get(key, needed=False)
        if value is None:
            return default
        if not isinstance(value, str):
            self.fail(f"is {_shown(value)}: a text is needed", key)
        return value

    def flag(self, key: str) -> bool:
        """Return true or false, false where the field is absent."""
        value = self._get(key, needed=False)
        if value is not None and not isinstance(value, bool):
            self.fail(f"is {_shown(value)}: true or false is needed", key)
        return bool(value)

    def items(self, key: str) -> list[Item]:
        """Return a list of objects, empty where there is none."""
        return [self._as_item(value, f"{key}[{k}]") for k, value in enumerate(self._list(key))]

    def item(self, key: str) -> Item | None:
        """Return an object, None where there is none."""
        value = self._get(key, needed=False)
        return None if value is None else self._as_item(value, key)

    def needed_item(self, key: str) -> Item:
        """Return an object that must be there."""
        return self._as_item(self._get(key, needed=True), key)

    def _as_item(self, value: Any, key: str) -> Item:
        if not isinstance(value, dict):
            self.fail(f"is {_shown(value)}: a JSON object is needed", key)
        return Item(self.path, self._at(key), value)

    def _list(self, key: str) -> list[Any]:
        value = self._get(key, needed=False)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fail(f"is {_shown(value)}: a JSON list is needed", key)
        return value

    def extra_numbers(self, key: str, count: int) -> list[float] | None:
        """Return finite numbers out of `extras`, None where there are none; anything may stand there, nothing fails."""
        extras = self.fields.get("extras")
        values = extras.get(key) if isinstance(extras, dict) else None
        if isinstance(values, list) and len(values) == count and all(_is_finite_number(value) for value in values):
            return [float(value) for value in values]
        return None


def parse_document(text: bytes, path: str | Path) -> Item:
    """Return the document of glTF JSON text, after checking that it is JSON and of glTF 2."""
    try:
        fields = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant, parse_float=_finite)
        _check_depth(fields)
    except UnicodeDecodeError as error:
        raise FileFormatError(f"the JSON text is not UTF-8 at its byte {error.start}", path) from error
    except json.JSONDecodeError as error:
        raise FileFormatError(
            f"the JSON text is broken at its line {error.lineno}, column {error.colno}: {error.msg}", path
        ) from error
    except (ValueError, RecursionError) as error:
        # numbers of thousands of digits, NaN, and brackets nested without end
        raise FileFormatError("the JSON text holds numbers or nesting that no glTF file may have", path) from error
    if not isinstance(fields, dict):
        raise FileFormatError(f"the JSON text is {_shown(fields)}: a JSON object is needed", path)
    document = Item(path, "", fields)
    version = document.needed_item("asset").text("version")
    if not version.startswith("2."):
        document.fail(f"is '{version}': only glTF 2.0 can be read", "asset.version")
    return document


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise ValueError(f"{digits} is too large")
    return number


def _check_depth(value: Any) -> None:
    level, depth = [value] if isinstance(value, dict | list) else [], 0
    while level:
        parts = (part.values() if isinstance(part, dict) else part for part in level)
        level = [inner for part in parts for inner in part if isinstance(inner, dict | list)]
        depth += 1
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")


def _is_finite_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond all floating point numbers
        return False


def _shown(value: Any) -> str:
    """Return a value as JSON, cut to a length that fits a message; what is nested is only named."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list) and any(isinstance(part, list | dict) for part in value):
        return "a list of lists or objects"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
