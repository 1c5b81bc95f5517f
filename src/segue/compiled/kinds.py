"""Kinds: the types of a kernel's arguments and result as text, which needs neither numba nor the classes themselves.

A kind is a list whose first item is a letter, written as JSON:

- ["f"] is a float, ["i"] an integer of 64 bits, ["b"] a Boolean and ["n"] None;
- ["a", dtype, dimensions, layout, readonly] is an array;
- ["t", class, fields] is a named tuple (a plain tuple has no class);
- ["r", fields of "t"] is a reference to a named tuple.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

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


Tuple = TypeVar("Tuple", bound=NamedTuple)

_types: dict[str, Any] = {}
_marks: dict[Any, str] = {}
pack: list[Callable[[Any], tuple[bytes, bytes, int] | None]] = []
"""The function of the extension module that finds the words of a tuple, once the module is open."""


class Ref(Generic[Tuple]):
    """A named tuple of arrays, numbers and such tuples, which a kernel reads in place: ``kernel(Ref(problem), y)``.

    In the kernel it looks like the tuple: ``problem.base`` is an array, ``problem.points`` another reference. Numba
    takes a tuple apart at every call. Each of its arrays becomes seven arguments or more, which takes long to compile
    and slows each call down. A reference is one argument. It keeps the tuple and so its arrays alive. The fields of a
    tuple cannot change, the contents of its arrays can. A kernel cannot return a reference.
    """

    __slots__ = ("_type", "_words", "address", "mark", "value")

    def __init__(self, value: Tuple) -> None:
        self.value = value
        self._type: Any = None
        packed = pack[0](value) if pack else None
        if packed is not None:
            self._words: Any  # keeps what lies at the address
            self._words, packed_key, self.address = packed
            self.mark = _marks.get(packed_key) or _mark_of(_append(value, []), packed_key)
            return
        words: list[int] = []
        key = _append(value, words)
        self.mark = _marks.get(key) or _mark_of(key)
        self._words = np.array(words, dtype=np.uint64)
        self.address = int(self._words.__array_interface__["data"][0])

    @property
    def _numba_type_(self) -> Any:
        """Numba's type, which is the same for tuples of one class with fields of the same types."""
        if self._type is None:
            self._type = _types.get(self.mark)
        if self._type is None:
            self._type = _types[self.mark] = import_module("segue.compiled.ref_type").ref_type_of(self.value)
        return self._type


def _mark_of(key: Any, packed_key: bytes | None = None) -> str:
    """Return the text that tells the type of a tuple: the same object for equal types, so that one look compares.

    packed_key: another key of the same type, by which the text is found again.
    """
    _marks[key] = sys.intern(text_of(_kind_of(key)))  # keeps the classes, whose addresses are in the other key
    if packed_key is not None:
        _marks[packed_key] = _marks[key]
    return _marks[key]


def _kind_of(key: Any) -> Kind:
    if not isinstance(key, tuple):
        return [{bool: "b", int: "i", float: "f"}[key]]
    first, *rest = key
    if isinstance(first, str):
        return array_kind(first, *rest)
    return ["t", name_of(first), [_kind_of(field) for field in rest]]


def _append(value: Any, words: list[int]) -> Any:
    """Append the words of a field to the list, as `segue.compiled.ref_type` reads them; return what tells its type."""
    if isinstance(value, np.ndarray):
        shape, strides = value.shape, value.strides
        words += (0, 0, value.size, value.itemsize, value.__array_interface__["data"][0], *shape)
        words += [stride & _ALL_ONES for stride in strides]
        return value.dtype.str, len(shape), value.flags.num
    if isinstance(value, tuple):
        return type(value), *[_append(field, words) for field in value]
    if isinstance(value, bool | np.bool_ | int | np.integer):
        words.append(int(value) & _ALL_ONES)
        return bool if isinstance(value, bool | np.bool_) else int
    if isinstance(value, float | np.floating):
        words.append(int(np.float64(value).view(np.uint64)))
        return float
    raise TypeError(f"a reference can hold arrays, numbers and named tuples of them, not {type(value).__name__}")


_ALL_ONES = (1 << 64) - 1
