"""Settings that files hold: each a field of a dataclass with its range and what it means, read, checked and written."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from segue.checks import shown
from segue.errors import ArgumentError
from segue.keyframe.file_text import FileText

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


_KEY = "setting"

Kind = TypeVar("Kind", bound="DataclassInstance")


class _Setting(NamedTuple):
    """What may stand in a field: numbers from least to most, or one of the choices, or any short text."""

    about: str
    least: float = -math.inf
    most: float = math.inf
    whole: bool = False
    text: bool = False
    choices: tuple[str, ...] = ()
    optional: bool = False

    @property
    def needed(self) -> str:
        if self.choices:
            return f"one of {', '.join(self.choices)} is needed"
        if self.text:
            return "a text in quotes, of one line, is needed"
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.least:.10g} to {self.most:.10g} is needed"

    def accepts(self, value: object) -> bool:
        if value is None:
            return self.optional
        if self.choices:
            return value in self.choices
        if self.text:
            return isinstance(value, str) and value.strip() == value != "" and value.isprintable()
        number = int if self.whole else int | float
        return isinstance(value, number) and not isinstance(value, bool) and self.least <= value <= self.most


def setting(
    usual: object,
    about: str,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    choices: tuple[str, ...] = (),
    optional: bool = False,
) -> Any:
    """Return a dataclass field that holds a setting.

    usual: its default; a whole number or a text takes only such. about: what it means, with its unit; the comment in a
    file. optional: may be left open (None), which the usual value then is.
    """
    kind = _Setting(
        about, least, most, isinstance(usual, int), isinstance(usual, str) and not choices, choices, optional
    )
    return field(default=None if optional else usual, metadata={_KEY: kind})


def _settings(of: DataclassInstance | type[DataclassInstance]) -> Iterator[tuple[Field[Any], _Setting]]:
    return ((each, each.metadata[_KEY]) for each in fields(of) if _KEY in each.metadata)


def check_settings(settings: DataclassInstance, what: str) -> None:
    """Raise unless all settings of a dataclass are within their ranges; what: whose they are, for the complaint."""
    for each, kind in _settings(settings):
        value = getattr(settings, each.name)
        if not kind.accepts(value):
            raise ArgumentError(f"{what}'s {each.name} is {shown(value)}: {kind.needed}")


def check_names(file: FileText, table: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise at the first name that is unknown, with the one that was probably meant."""
    known = tuple(known)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"
            where = f"[{table}] has" if table else "this file has"
            raise file.error(f"{where} no '{name}': {hint}", name, table)


def from_table(kind: type[Kind], file: FileText, table: str, row: object, **others: object) -> Kind:
    """Return the settings that a table of a file says, usual ones where it says nothing; others: fields besides."""
    if not isinstance(row, Mapping):
        raise file.error(f"'{table}' must be a table: write [{table}] before its settings", table)
    known = {each.name: setting for each, setting in _settings(kind)}
    check_names(file, table, row, known)
    for name, value in row.items():
        if value is None or not known[name].accepts(value):
            raise file.error(f"'{name}' is {shown(value)}: {known[name].needed}", name, table)
    given = {
        name: value if known[name].whole or not isinstance(value, int) else float(value) for name, value in row.items()
    }
    return kind(**given, **others)


def table_text(settings: DataclassInstance, table: str = "") -> str:
    """Return settings as a table in TOML, each line with its meaning; what is left open stands as a comment."""
    rows = []
    for each, kind in _settings(settings):
        value = getattr(settings, each.name)
        written = f"# {each.name} =" if value is None else f"{each.name} = {toml_value(value)}"
        rows.append((written, kind.about))
    width = max(len(written) for written, _ in rows)
    lines = [f"{written:<{width}}  # {about}\n" for written, about in rows]
    return "".join([f"[{table}]\n" if table else "", *lines])


def toml_value(value: object) -> str:
    """Return a text, a number or a list of such as TOML writes it."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(each) for each in value)}]"
    return str(value) if isinstance(value, int) else repr(float(cast(float, value)))


def quoted(text: str) -> str:
    """Return a text in quotes, as TOML has them; signs that do not print are escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    signs = (sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in escaped)
    return f'"{"".join(signs)}"'
