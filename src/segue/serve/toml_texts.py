"""Text files in TOML: what they say, what is wrong with them, and settings with their ranges, as forms show them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING
from pathlib import Path
from typing import TYPE_CHECKING, Any

from segue.errors import FileFormatError, SegueError
from segue.serve.outlines import Setting, SettingTable
from segue.serve.shapes import Diagnostic
from segue.serve.text_kinds import line_diagnostic
from segue.settings import settings_of
from segue.tables import toml_table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def toml_of(text: str, path: Path) -> tuple[dict[str, Any] | None, tuple[Diagnostic, ...]]:
    """Return what a text in TOML says, or None and what is wrong with it."""
    try:
        return toml_table(text, path), ()
    except FileFormatError as error:
        return None, (of_error(error, text),)


def of_error(error: SegueError, text: str) -> Diagnostic:
    """Return an error as a sentence about its line."""
    if isinstance(error, FileFormatError):
        return line_diagnostic(error, error.sentence, text)
    return Diagnostic(str(error), 0, 0)


def setting_table(
    kind: type[DataclassInstance],
    table: object,
    name: str = "",
    choices: Mapping[str, tuple[str, ...]] | None = None,
    defaults: DataclassInstance | None = None,
) -> SettingTable:
    """Return the settings of a dataclass with their values in a table of a file.

    name: of the table. choices: of settings whose kind has none. defaults: values where the file has none.
    """
    given = table if isinstance(table, dict) else {}
    rows = []
    for each, said in settings_of(kind):
        usual = each.default if defaults is None else getattr(defaults, each.name)
        usual = None if usual is MISSING else usual
        value = given.get(each.name, usual)
        if not isinstance(value, int | float | str) or isinstance(value, bool):
            value = usual
        place = (name, each.name) if name else (each.name,)
        rows.append(
            Setting(
                each.name,
                place,
                said.about,
                value,
                usual,
                each.name in given,
                _bound(said.least),
                _bound(said.most),
                said.whole,
                said.choices or (choices or {}).get(each.name, ()),
            )
        )
    return SettingTable(name, tuple(rows))


def _bound(value: float) -> float | None:
    return value if math.isfinite(value) else None
