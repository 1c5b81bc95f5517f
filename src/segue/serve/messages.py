"""The messages between pages and the engine: reading, writing, and their version.

`requests` has the messages from a page, `replies` those from the engine, `text_requests` and `text_replies` those about
text files in TOML, and `framing` the layout of binary ones. The types
for JavaScript are generated from these classes by `javascript`.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy.typing as npt

from segue.checks import hint, shown
from segue.errors import ArgumentError
from segue.serve import replies, requests
from segue.serve.framing import framed
from segue.serve.message import Reply, Request
from segue.serve.text_replies import TEXT_REPLIES
from segue.serve.text_requests import TEXT_REQUESTS

PROTOCOL = 2
"""The version of the messages. It grows when a page for the version before would fail."""

REQUESTS = {**requests.REQUESTS, **TEXT_REQUESTS}
"""Messages from a page by their kind."""

REPLIES = {**replies.REPLIES, **TEXT_REPLIES}
"""Messages from the engine by their kind."""

_KINDS: dict[type, str] = {made: kind for table in (REQUESTS, REPLIES) for kind, made in table.items()}


def kind_of(message: Request | Reply) -> str:
    """Return the kind of a message."""
    return _KINDS[type(message)]


def plain(value: Any) -> Any:
    """Return a value as JSON has it: fields of dataclasses by name, lists for tuples."""
    if type(value) in _ALREADY:
        return value
    made: type = type(value)
    names = _field_names(made)
    if names is not None:
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return value


_ALREADY = {str, int, float, bool, type(None)}


@cache
def _field_names(made: type) -> tuple[str, ...] | None:
    """Return the names of a dataclass's fields; None for another class."""
    return tuple(field.name for field in fields(made)) if is_dataclass(made) else None


def written(message: Request | Reply) -> str:
    """Return a message as JSON text."""
    content = {"kind": kind_of(message), **plain(message)}
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def binary(message: Reply, arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return a message with arrays as bytes."""
    return framed({"kind": kind_of(message), **plain(message)}, arrays)


def read(text: str | bytes) -> Request:
    """Return a request from JSON text; raise ArgumentError with what is wrong."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArgumentError("the message is not JSON") from error
    if not isinstance(content, dict) or not isinstance(content.get("kind"), str):
        raise ArgumentError("the message has no kind")
    kind = content.pop("kind")
    if kind not in REQUESTS:
        raise ArgumentError(f"the message is of kind {shown(kind)}: {hint(kind, list(REQUESTS), 'it must be one of')}")
    made = _read(REQUESTS[kind], content, kind)
    assert isinstance(made, Request)
    return made


def read_arguments(made: type, value: Any, where: str) -> Any:
    """Return a JSON object as an object of a dataclass; raise ArgumentError with the place in it that is wrong."""
    return _object(made, value, where)


@dataclass(frozen=True)
class FieldShape:
    """A field of a message: its type, and whether it may be left out."""

    name: str
    type: Any
    optional: bool


@cache
def shape_of(made: type) -> tuple[FieldShape, ...]:
    """Return the fields of a message's class."""
    hints = get_type_hints(made)
    return tuple(
        FieldShape(each.name, hints[each.name], each.default is not MISSING or each.default_factory is not MISSING)
        for each in fields(made)
    )


def _read(made: Any, value: Any, where: str) -> Any:
    """Return a value of JSON as a type; raise with its place in the message."""
    origin, inside = get_origin(made), get_args(made)
    if is_dataclass(made) and isinstance(made, type):
        return _object(made, value, where)
    if origin is Literal:
        if isinstance(value, str) and value in inside:
            return value
        raise ArgumentError(f"{where} is {shown(value)}: it must be one of {', '.join(inside)}")
    if origin in (Union, types.UnionType):
        if value is None and type(None) in inside:
            return None
        return _read(next(each for each in inside if each is not type(None)), value, where)
    if origin is tuple:
        return _items(inside, value, where)
    if made is float and isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) <= _GREATEST and math.isfinite(value):
            return float(value)
    elif made is int and isinstance(value, int) and not isinstance(value, bool):
        if abs(value) <= _GREATEST:
            return value
    elif made in (str, bool) and isinstance(value, made):
        return value
    raise ArgumentError(f"{where} is {shown(value)}: {_WORDS[made]} is needed")


_WORDS = {float: "a number", int: "a whole number", str: "a text", bool: "true or false"}
_GREATEST = 2**53  # numbers beyond are not exact in JavaScript


def _items(inside: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    endless = inside[-1] is Ellipsis
    if not isinstance(value, list) or not (endless or len(value) == len(inside)):
        raise ArgumentError(f"{where} is {shown(value)}: a list{'' if endless else f' of {len(inside)}'} is needed")
    kinds = inside[:1] * len(value) if endless else inside
    return tuple(_read(kind, item, f"{where}[{k}]") for k, (kind, item) in enumerate(zip(kinds, value, strict=True)))


def _object(made: type, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise ArgumentError(f"{where} is {shown(value)}: an object is needed")
    shape = shape_of(made)
    known = {field.name for field in shape}
    for name in value:
        if name not in known:
            raise ArgumentError(f"{where} has no field {shown(name)}")
    given = {}
    for field in shape:
        if field.name in value:
            given[field.name] = _read(field.type, value[field.name], f"{where}.{field.name}")
        elif not field.optional:
            raise ArgumentError(f"{where} needs the field '{field.name}'")
    return made(**given)
