"""Text files that hold tables, in TOML or JSON: what they say, or in one sentence why they say nothing."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from segue.errors import FileFormatError
from segue.filesystem import read_bytes

__all__ = ["json_table", "read_text", "toml_table"]


def read_text(path: str | Path, what: str, needed: str) -> str:
    """Return a file's text; what: the kind of file, and needed: in what it must be written, for the complaint."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(f"this {what} is not text: {needed} in UTF-8 is needed", path) from None


def toml_table(text: str, path: str | Path, hint: str = "") -> dict[str, Any]:
    """Return what text in TOML says; hint: what would be right, for the complaint."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(place[1]), int(place[2])) if place else (len(text.splitlines()), None)
        reason = re.sub(r"\s*\(at .*\)", "", str(error))
        raise FileFormatError(f"not TOML ({reason}){hint}", path, line, column) from None
    except RecursionError:
        raise FileFormatError(f"not TOML (its lists are too deep){hint}", path) from None
    except ValueError as error:  # a number with more digits than Python reads
        raise FileFormatError(f"not TOML ({_first_words(error)}){hint}", path) from None


def json_table(text: str, path: str | Path) -> Any:
    """Return what text in JSON says, which need not be a table."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FileFormatError(f"not JSON ({error.msg})", path, error.lineno, error.colno) from None
    except RecursionError:
        raise FileFormatError("not JSON (its lists are too deep)", path) from None
    except ValueError as error:
        raise FileFormatError(f"not JSON ({_first_words(error)})", path) from None


def _first_words(error: ValueError) -> str:
    return re.split(r"[:;\n]", str(error))[0]
