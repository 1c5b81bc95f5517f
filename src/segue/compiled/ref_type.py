"""References to named tuples as numba sees them: a pointer, of which a kernel loads the fields that it reads."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, models, register_model, typeof_impl, unbox

_WORD = ir.IntType(64)
_ARRAY_HEAD = 5  # owner, parent, number of items, bytes an item, address of the first


class RefType(types.Type):  # type: ignore[misc]
    """The type of a reference to a named tuple of a class with fields of some types."""

    def __init__(self, inner: types.NamedTuple) -> None:
        self.inner = inner
        super().__init__(name=f"Ref({inner})")

    @property
    def key(self) -> Any:
        """The key that makes two of these types equal."""
        return self.inner

    def field(self, name: str) -> tuple[int, Any]:
        """Return a field's offset in words, and its type."""
        offset = 0
        for field, kind in zip(self.inner.fields, self.inner.types, strict=True):
            if field == name:
                return offset, RefType(kind) if isinstance(kind, types.NamedTuple) else kind
            offset += _words_of(kind)
        raise AttributeError(name)


def _words_of(kind: Any) -> int:
    if isinstance(kind, types.Array):
        return _ARRAY_HEAD + 2 * int(kind.ndim)
    return sum(map(_words_of, kind.types)) if isinstance(kind, types.NamedTuple) else 1


def ref_type_of(value: Any) -> RefType:
    """Return the type of a reference to a named tuple."""
    return RefType(_kind_of(value))


def _kind_of(value: Any) -> Any:
    if isinstance(value, tuple):
        return types.NamedTuple([_kind_of(field) for field in value], type(value))
    if isinstance(value, np.ndarray):
        return typeof_impl(value, None)
    if isinstance(value, bool | np.bool_):
        return types.boolean
    return types.int64 if isinstance(value, int | np.integer) else types.float64


register_model(RefType)(models.OpaqueModel)


@unbox(RefType)
def _unbox_ref(kind: Any, value: Any, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(value, "address")
    address = c.pyapi.long_as_ulonglong(number)
    c.pyapi.decref(number)
    pointer = c.builder.inttoptr(address, cgutils.voidptr_t)
    return NativeValue(pointer, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _RefAttribute(AttributeTemplate):  # type: ignore[misc]
    key = RefType

    def generic_resolve(self, ref: Any, attr: str) -> Any:
        """Return the type of a field, or None."""
        return ref.field(attr)[1] if attr in ref.inner.fields else None


@lower_getattr_generic(RefType)
def _lower_field(context: Any, builder: Any, kind: Any, value: Any, attr: str) -> Any:
    offset, field = kind.field(attr)
    words = builder.bitcast(value, _WORD.as_pointer())
    place = builder.gep(words, [ir.Constant(_WORD, offset)])
    if isinstance(field, RefType):
        return builder.bitcast(place, cgutils.voidptr_t)
    if isinstance(field, types.Array):
        loaded = builder.load(builder.bitcast(place, context.get_value_type(field).as_pointer()))
        # the reference's owner keeps the arrays: nothing is counted, and the compiler sees that
        nobody = cgutils.get_null_value(loaded.type.elements[0])
        return builder.insert_value(builder.insert_value(loaded, nobody, 0), nobody, 1)
    if isinstance(field, types.Boolean):
        return builder.icmp_signed("!=", builder.load(place), ir.Constant(_WORD, 0))
    return builder.load(builder.bitcast(place, context.get_value_type(field).as_pointer()))
