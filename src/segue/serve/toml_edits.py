"""Changes of text files in TOML by the places of their values: all other bytes of the text stay."""

from __future__ import annotations

import tomllib
from typing import Any

from segue.checks import shown
from segue.errors import ArgumentError, FileFormatError
from segue.serve.client import Client
from segue.serve.document import utf16
from segue.serve.engine import Engine
from segue.serve.requests import Change
from segue.serve.text_requests import ListTable, SetValues
from segue.serve.texts import OpenedText
from segue.tables import toml_table
from segue.toml_spans import REMOVED, Place, edited, with_table, without_table

_LONGEST = 10_000  # characters of a value


def set_values(engine: Engine, client: Client, request: SetValues) -> None:
    """Set, add or remove values of a TOML file."""
    before = base_text(engine, request.file, request.rev)
    table = _table(before)
    values: dict[Place, object] = {_place(each.place, table): _value(each.value) for each in request.values}
    change_to(engine, client, request, edited(before, values))


def list_table(engine: Engine, client: Client, request: ListTable) -> None:
    """Add a table to a list of tables, or take one away."""
    before = base_text(engine, request.file, request.rev)
    place = _place(request.place, _table(before))
    entries = _value(request.entries)
    if isinstance(entries, dict):
        change_to(engine, client, request, with_table(before, place, entries))
    else:
        change_to(engine, client, request, without_table(before, place))


def opened_text(engine: Engine, file: str) -> OpenedText:
    """Return an open text file; raise if it can only be read."""
    found = engine.to_change(file)
    if not isinstance(found, OpenedText):
        raise ArgumentError("the script is no file in TOML: name the file to change")
    return found


def base_text(engine: Engine, file: str, rev: int) -> str:
    """Return the text of a file at a revision, which the places of a request refer to."""
    document = opened_text(engine, file).document
    return document.texts.get(rev, document.text)


def change_to(engine: Engine, client: Client, request: Any, made: str) -> None:
    """Change an open file from its text at the request's revision to another, as `edit` does."""
    text = opened_text(engine, request.file)
    before = base_text(engine, request.file, request.rev)
    gesture, done = getattr(request, "gesture", ""), getattr(request, "done", True)
    if text.document.edit(request.rev, difference(before, made), gesture, done):
        text.changed(request.request, client)
    else:
        text.tell_document(request.request, client, refused=True)


def difference(before: str, after: str) -> tuple[Change, ...]:
    """Return the one change that makes a text another, empty if they are equal."""
    if before == after:
        return ()
    most = min(len(before), len(after))
    start = next((k for k in range(most) if before[k] != after[k]), most)
    same = next((k for k in range(most - start) if before[-1 - k] != after[-1 - k]), most - start)
    stop = len(before) - same
    return (Change(utf16(before, start), utf16(before, stop), after[start : len(after) - same]),)


def _table(text: str) -> dict[str, Any]:
    try:
        return toml_table(text, "this file")
    except FileFormatError as error:
        raise ArgumentError(f"the text cannot be changed from here while it is {error.sentence}") from None


def _place(keys: tuple[str, ...], table: object) -> Place:
    """Return a place: keys that lead into a list are numbers."""
    place: list[str | int] = []
    for key in keys:
        number = isinstance(table, list) and key.isdecimal()
        place.append(int(key) if number else key)
        if isinstance(table, list):
            table = table[int(key)] if number and int(key) < len(table) else None
        else:
            table = table.get(key) if isinstance(table, dict) else None
    if not place:
        raise ArgumentError("a place needs at least one key")
    return tuple(place)


def _value(written: str) -> object:
    """Return a value that is written as TOML writes it, REMOVED for an empty text."""
    if not written:
        return REMOVED
    try:
        found = tomllib.loads(f"value = {written}") if len(written) <= _LONGEST and "\n" not in written else {}
    except (ValueError, RecursionError):
        found = {}
    if list(found) != ["value"]:
        raise ArgumentError(f"{shown(written)} is no value of TOML")
    return found["value"]
