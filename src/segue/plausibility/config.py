"""A project's own thresholds and exceptions: the file segue-check.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from segue.errors import ArgumentError, FileFormatError
from segue.plausibility.thresholds import BASELINE, Thresholds
from segue.tables import read_text, toml_table

FILE_NAME = "segue-check.toml"
_TABLES = ("thresholds", "baseline", "clips")


@dataclass(frozen=True)
class CheckConfig:
    """Thresholds of a project, those against a baseline, and exceptions for clips whose names match a pattern."""

    thresholds: Thresholds = field(default_factory=Thresholds)
    added: Thresholds = BASELINE
    exceptions: tuple[tuple[str, dict[str, Any]], ...] = ()

    def skips(self, name: str) -> bool:
        """Return whether the clip is not to be checked."""
        return any(values.get("skip", False) for pattern, values in self.exceptions if _matches(name, pattern))

    def thresholds_of(self, name: str) -> Thresholds:
        """Return the thresholds for a clip by its path or name: those of all patterns that match, the last one wins."""
        found = self.thresholds
        for pattern, values in self.exceptions:
            if _matches(name, pattern):
                found = found.changed({key: value for key, value in values.items() if key != "skip"})
        return found


def find_config(clip: str | Path) -> Path | None:
    """Return the nearest segue-check.toml beside a clip, or in a folder above it."""
    start = Path(clip).absolute()
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
    return None


def read_config(path: str | Path) -> CheckConfig:
    """Read thresholds and exceptions from a TOML file; raise FileFormatError with the line of what is wrong."""
    text = read_text(path, "file of thresholds", "TOML")
    tables = toml_table(text, path)
    for name in tables:
        if name not in _TABLES:
            raise FileFormatError(
                f"no table is named '{name}': the tables are [thresholds], [baseline] and [clips.\"NAME\"]",
                path,
                _line_of(text, [name]),
            )
    thresholds = _changed(Thresholds(), tables, ["thresholds"], text, path)
    added = _changed(BASELINE, tables, ["baseline"], text, path)
    exceptions = []
    clips = _table(tables, ["clips"], text, path)
    for pattern in clips:
        values = _table(clips, ["clips", pattern], text, path)
        if not isinstance(values.get("skip", False), bool):
            line = _line_of(text, ["clips", pattern, "skip"])
            raise FileFormatError(f"skip is {values['skip']!r}: it must be true or false", path, line)
        own = {key: value for key, value in values.items() if key != "skip"}
        _checked(thresholds, own, ["clips", pattern], text, path)
        exceptions.append((pattern, values))
    return CheckConfig(thresholds, added, tuple(exceptions))


def _changed(usual: Thresholds, tables: dict[str, Any], keys: list[str], text: str, path: str | Path) -> Thresholds:
    return _checked(usual, _table(tables, keys, text, path), keys, text, path)


def _table(tables: dict[str, Any], keys: list[str], text: str, path: str | Path) -> dict[str, Any]:
    found = tables.get(keys[-1], {})
    if not isinstance(found, dict):
        raise FileFormatError(f"'{keys[-1]}' must be a table of thresholds", path, _line_of(text, keys))
    return found


def _checked(usual: Thresholds, values: dict[str, Any], keys: list[str], text: str, path: str | Path) -> Thresholds:
    """Return thresholds with some values changed, one by one, so that what is wrong has a line."""
    for key, value in values.items():
        try:
            usual = usual.changed({key: value})
        except ArgumentError as error:
            raise FileFormatError(str(error), path, _line_of(text, [*keys, key])) from None
    return usual


def _line_of(text: str, keys: list[str]) -> int | None:
    """Return the line, counted from 1, on which a key of a table stands; None where it is written in another way."""
    table: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+(.*?)\]+\s*(?:#.*)?$", line):
            table = [part.strip("\"' ") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.\"'\s]+", header[1])]
            if table[: len(keys)] == keys:
                return number
        elif (entry := re.match(r"\s*[\"']?([\w*?\[\]. -]+?)[\"']?\s*=", line)) and [*table, entry[1]] == keys:
            return number
    return None


def _matches(name: str, pattern: str) -> bool:
    path = Path(name)
    return any(fnmatch(each, pattern) for each in (path.name, path.stem, path.as_posix()))
