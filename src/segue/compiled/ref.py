"""Named tuples that kernels take by their address instead of field by field."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from segue.compiled.kinds import Kind, array_kind, name_of, text_of

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
