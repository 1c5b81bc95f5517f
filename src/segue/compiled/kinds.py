"""Kinds: the types of a kernel's arguments and result as text, which needs neither numba nor the classes themselves.

A kind is a list whose first item is a letter, written as JSON:

- ["f"] is a float, ["i"] an integer of 64 bits, ["b"] a Boolean and ["n"] None;
- ["a", dtype, dimensions, layout, readonly] is an array;
- ["t", class, fields] is a named tuple (a plain tuple has no class);
- ["r", fields of "t"] is a reference to a named tuple.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import numpy as np

Kind = list[Any]

HEAD = 5  # words of an array before its shape: owner, parent, number of items, bytes an item, address of the first
_C, _F, _ALIGNED, _WRITEABLE = 0x1, 0x2, 0x100, 0x400  # of numpy.ndarray.flags.num


def text_of(kind: Kind) -> str:
    """Return a kind as text: equal kinds have equal texts."""
    return json.dumps(kind, separators=(",", ":"))


def array_kind(dtype: str, ndim: int, flags: int) -> Kind:
    """Return the kind of an array; flags: as in ``array.flags.num``."""
    layout = "C" if flags & _C else "F" if flags & _F else "A"
    return ["a", dtype if flags & _ALIGNED else f"unaligned {dtype}", ndim, layout, int(not flags & _WRITEABLE)]


def name_of(cls: type) -> str:
    """Return the name by which a class is found again; empty for plain tuples."""
    return "" if cls is tuple else f"{cls.__module__}:{cls.__qualname__}"


def class_of(name: str) -> type:
    """Return the class of a name."""
    if not name:
        return tuple
    module, _, path = name.partition(":")
    value: Any = import_module(module)
    for part in path.split("."):
        value = getattr(value, part)
    return value  # type: ignore[no-any-return]


def words_of(kind: Kind) -> int:
    """Return how many words of 64 bits a value takes."""
    if kind[0] == "a":
        return HEAD + 2 * int(kind[2])
    if kind[0] == "t":
        return sum(map(words_of, kind[2]))
    return 0 if kind[0] == "n" else 1


def strictness(kind: Kind) -> int:
    """Return how many arrays a kind holds that may be in any order, or are only read: such kinds accept more values."""
    if kind[0] == "a":
        return int(kind[3] == "A") + int(kind[4])
    return sum(map(strictness, kind[2])) if kind[0] in "tr" else 0


class Mismatch(Exception):
    """A value cannot become one of a kind."""


def converted(kind: Kind, value: Any, copies: list[tuple[Any, Any]]) -> Any:
    """Return a value as one of a kind; appends arrays that had to be copied, each with its copy.

    Raises Mismatch where something would be lost, such as the fraction of a number.
    """
    from segue.compiled.ref import Ref  # which imports this module

    code = kind[0]
    if code == "a":
        return _converted_array(kind, value, copies)
    if code == "t":
        cls: Any = class_of(kind[1])
        if value.__class__ is not cls or len(value) != len(kind[2]):
            raise Mismatch
        fields = [converted(inner, field, copies) for inner, field in zip(kind[2], value, strict=True)]
        return cls(*fields) if kind[1] else tuple(fields)
    if code == "r":
        if not isinstance(value, Ref):
            raise Mismatch
        return Ref(converted(["t", *kind[1:]], value.value, copies))
    if code == "n":
        if value is not None:
            raise Mismatch
        return None
    if isinstance(value, bool | np.bool_):
        if code != "b":
            raise Mismatch
        return bool(value)
    if code == "f" and isinstance(value, int | float | np.integer | np.floating):
        return float(value)
    if code == "i" and isinstance(value, int | np.integer):
        return int(value)
    raise Mismatch


def _converted_array(kind: Kind, value: Any, copies: list[tuple[Any, Any]]) -> Any:
    _, dtype, ndim, layout, readonly = kind
    if not isinstance(value, np.ndarray) or value.ndim != ndim or not np.can_cast(value.dtype, dtype, "safe"):
        raise Mismatch
    order: Any = "F" if layout == "F" else "C"
    fits = value.flags.c_contiguous if layout == "C" else value.flags.f_contiguous if layout == "F" else True
    writeable = readonly or value.flags.writeable
    if value.dtype == dtype and fits and writeable and value.flags.aligned:
        return value
    copy = np.array(value, dtype=dtype, order=order, copy=True)
    copies.append((value, copy))
    return copy
