"""Kinds and numba's types: each as the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core.typing.templates import Signature
from numba.np.numpy_support import from_dtype

from segue.compiled.kinds import Kind, class_of, name_of
from segue.compiled.ref_type import RefType

_NUMBERS = {types.float64: "f", types.int64: "i", types.boolean: "b", types.none: "n"}
_TYPES = {code: kind for kind, code in _NUMBERS.items()}


def kinds_of(signature: Signature) -> list[Kind] | None:
    """Return the kinds of the arguments and of the result, or None if Python cannot give or take such values."""
    given = [kind for kind in signature.args if not isinstance(kind, types.Omitted)]
    kinds = [_kind_of(kind) for kind in [*given, signature.return_type]]
    return None if None in kinds else kinds  # type: ignore[return-value]


def _kind_of(kind: Any) -> Kind | None:
    if kind in _NUMBERS:
        return [_NUMBERS[kind]]
    if isinstance(kind, types.Array):
        if not kind.aligned or not isinstance(kind.dtype, types.Number | types.Boolean):
            return None
        name = "?" if isinstance(kind.dtype, types.Boolean) else kind.dtype.name
        return ["a", np.dtype(name).str, kind.ndim, kind.layout, int(not kind.mutable)]
    if isinstance(kind, RefType):
        inner = _kind_of(kind.inner)
        return inner and ["r", *inner[1:]]
    if isinstance(kind, types.BaseTuple):
        fields = [_kind_of(field) for field in kind.types]
        cls = kind.instance_class if isinstance(kind, types.BaseNamedTuple) else tuple
        return None if None in fields else ["t", name_of(cls), fields]
    return None


def type_of(kind: Kind) -> Any:
    """Return numba's type of a kind."""
    if kind[0] == "a":
        _, dtype, ndim, layout, readonly = kind
        return types.Array(from_dtype(np.dtype(dtype)), ndim, layout, readonly=bool(readonly))
    if kind[0] == "r":
        return RefType(type_of(["t", *kind[1:]]))
    if kind[0] == "t":
        fields, cls = [type_of(field) for field in kind[2]], class_of(kind[1])
        return types.BaseTuple.from_types(fields, None if cls is tuple else cls)
    return _TYPES[kind[0]]


def types_of(function: Any, kinds: list[Kind]) -> tuple[Any, ...]:
    """Return numba's types for a call of a function with arguments of some kinds; others have their defaults."""
    missing = function.__code__.co_argcount - len(kinds)
    defaults = function.__defaults__[-missing:] if missing else ()
    return *map(type_of, kinds), *map(types.Omitted, defaults)
