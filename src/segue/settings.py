"""Bind tables of files to dataclasses: a setting is a field with a range and a meaning, read, checked and written."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import Field, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from segue.checks import choice, integer, number, shown
from segue.errors import ArgumentError
from segue.tables import Table
from segue.toml_spans import toml_value

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


_KEY = "setting"

Kind = TypeVar("Kind", bound="DataclassInstance")


class SettingKind(NamedTuple):
    """The values that a field may have: numbers from least to most, one of the choices, or any text of one line."""

    about: str
    least: float = -math.inf
    most: float = math.inf
    whole: bool = False
    text: bool = False
    choices: tuple[str, ...] = ()
    optional: bool = False

    def check(self, what: str, value: object) -> Any:
        """Return a value that may stand in the field, or raise ArgumentError."""
        if value is None and self.optional:
            return None
        if self.choices:
            return choice(what, value, self.choices)
        if self.whole:
            return integer(what, value, least=self.least, most=self.most)
        if not self.text:
            return number(what, value, least=self.least, most=self.most)
        if not isinstance(value, str) or not value or value != value.strip() or not value.isprintable():
            raise ArgumentError(f"{what} is {shown(value)}: a text in quotes, of one line, is needed")
        return value


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

    usual: its default, which also decides whether it is a number, a whole number or a text. about: its meaning and its
    unit, the comment in a file. optional: the default is None instead, and Python accepts None.
    """
    kind = SettingKind(
        about, least, most, isinstance(usual, int), isinstance(usual, str) and not choices, choices, optional
    )
    return field(default=None if optional else usual, metadata={_KEY: kind})


def settings_of(of: DataclassInstance | type[DataclassInstance]) -> Iterator[tuple[Field[Any], SettingKind]]:
    """Return the fields of a dataclass that hold settings, with the values that each may have."""
    return ((each, each.metadata[_KEY]) for each in fields(of) if _KEY in each.metadata)


def check_settings(settings: DataclassInstance, what: str) -> None:
    """Raise ArgumentError where a setting is outside its range; what: the name of the dataclass, for the sentence."""
    for each, kind in settings_of(settings):
        kind.check(f"{what}'s {each.name}", getattr(settings, each.name))


def bind(table: Table, kind: type[Kind], **others: object) -> Kind:
    """Return a dataclass with the settings of a table, and the defaults where the table gives none.

    A field whose default is a dataclass is bound to the table of its name. others: fields that are given besides,
    whatever the table has there.
    """
    known = dict(settings_of(kind))
    nested: dict[str, DataclassInstance] = {
        each.name: default
        for each in fields(kind)
        if is_dataclass(default := _default(each)) and not isinstance(default, type)
    }
    table.check_keys([*(each.name for each in known), *nested, *others])
    given = dict(others)
    for each, setting in known.items():
        if each.name in table:
            with table.at(each.name):
                given[each.name] = setting.check(f"'{each.name}'", table.values[each.name])
    for name, default in nested.items():
        if name in table and name not in others:
            given[name] = bind(table.table(name), type(default))
    return kind(**given)


def _default(each: Field[Any]) -> Any:
    return each.default_factory() if callable(each.default_factory) else each.default


def table_text(settings: DataclassInstance, table: str = "") -> str:
    """Return settings as a table in TOML, each line with its meaning; an unset setting becomes a comment."""
    rows = []
    for each, kind in settings_of(settings):
        value = getattr(settings, each.name)
        written = f"# {each.name} =" if value is None else f"{each.name} = {toml_value(value)}"
        rows.append((written, kind.about))
    width = max(len(written) for written, _ in rows)
    lines = [f"{written:<{width}}  # {about}\n" for written, about in rows]
    return "".join([f"[{table}]\n" if table else "", *lines])
