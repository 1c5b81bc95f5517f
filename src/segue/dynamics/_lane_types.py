"""The numba type of eight lanes, with its arithmetic, and the intrinsics on lanes and pointers; see `_lanes`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from segue.compiled import FAST_MATH
from segue.dynamics._lanes import LANES

_DOUBLE = ir.DoubleType()
_VECTOR = ir.VectorType(_DOUBLE, LANES)
_INTEGERS = ir.VectorType(ir.IntType(64), LANES)
_FLAGS = tuple(sorted(FAST_MATH))

# pi/2 in two parts; the first has 33 bits, so that its product with a count of quarter turns is exact
_QUARTER_HIGH, _QUARTER_LOW = 1.57079632673412561417e00, 6.07710050650619224932e-11


class _LanesType(types.Type):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, frontend_type: Any) -> None:
        super().__init__(manager, frontend_type, _VECTOR)


def _broadcast(builder: Any, value: Any) -> Any:
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, undefined, zeros)


def _register_arithmetic(operation: Callable[..., Any], instruction: str) -> None:
    @infer_global(operation)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            if len(args) == 2 and _lanes in args:
                return signature(_lanes, *[_lanes if arg == _lanes else types.float64 for arg in args])
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, right = (
            arg if kind == _lanes else _broadcast(builder, arg) for arg, kind in zip(args, sig.args, strict=True)
        )
        return getattr(builder, instruction)(left, right, flags=_FLAGS)

    for pair in ((_lanes, _lanes), (_lanes, types.float64), (types.float64, _lanes)):
        lower_builtin(operation, *pair)(lower)


for _operation, _instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
    _register_arithmetic(_operation, _instruction)


@infer_global(operator.neg)
class _Negative(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return signature(_lanes, _lanes) if args == (_lanes,) else None


@lower_builtin(operator.neg, _lanes)
def _lower_negative(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fneg(args[0], flags=_FLAGS)


@intrinsic
def doubles_at(typing_context: Any, address: Any) -> Any:
    """Return an address as a pointer to float64 numbers."""
    return types.CPointer(types.float64)(types.int64), _to_pointer


@intrinsic
def integers_at(typing_context: Any, address: Any) -> Any:
    """Return an address as a pointer to int64 numbers."""
    return types.CPointer(types.int64)(types.int64), _to_pointer


def _to_pointer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.inttoptr(args[0], context.get_value_type(sig.return_type))


@intrinsic
def load(typing_context: Any, pointer: Any, offset: Any) -> Any:
    """Return the eight doubles that start at an offset."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = builder.gep(args[0], [args[1]])
        return builder.load(builder.bitcast(start, _VECTOR.as_pointer()), align=8)

    return _lanes(pointer, types.intp), generate


@intrinsic
def store(typing_context: Any, pointer: Any, offset: Any, value: Any) -> Any:
    """Write eight doubles from an offset on."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = builder.gep(args[0], [args[1]])
        builder.store(args[2], builder.bitcast(start, _VECTOR.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(pointer, types.intp, _lanes), generate


@intrinsic
def number(typing_context: Any, pointer: Any, offset: Any) -> Any:
    """Return the one number at an offset."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(builder.gep(args[0], [args[1]]))

    return pointer.dtype(pointer, types.intp), generate


@intrinsic
def put(typing_context: Any, pointer: Any, offset: Any, value: Any) -> Any:
    """Write one number at an offset."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], builder.gep(args[0], [args[1]]))
        return context.get_dummy_value()

    return types.void(pointer, types.intp, pointer.dtype), generate


@intrinsic(prefer_literal=True)
def window(typing_context: Any, before: Any, after: Any, skip: Any) -> Any:
    """Return eight of sixteen successive samples, those after the first few; how many is a constant."""
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [skip.literal_value + k for k in range(LANES)])

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.shuffle_vector(args[0], args[1], lanes)

    return _lanes(_lanes, _lanes, skip), generate


@intrinsic
def copy_turned(typing_context: Any, source: Any, at: Any, step: Any, target: Any, to: Any, stride: Any) -> Any:
    """Copy eight rows of eight as columns; rows are ``step`` apart in the source and ``stride`` in the target.

    This makes joints of eight samples out of samples of eight joints, and the other way round.
    """

    def row(builder: Any, place: Any, k: int) -> Any:
        pointer, start, distance = place
        offset = builder.add(start, builder.mul(distance, ir.Constant(distance.type, k)))
        return builder.bitcast(builder.gep(pointer, [offset]), _VECTOR.as_pointer())

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = [builder.load(row(builder, args[:3], k), align=8) for k in range(LANES)]
        distance = 1
        while distance < LANES:
            # exchange the blocks beside the diagonal of every square of twice the distance
            keep = [k if not k & distance else LANES + k - distance for k in range(LANES)]
            take = [k + distance if not k & distance else LANES + k for k in range(LANES)]
            masks = [ir.Constant(ir.VectorType(ir.IntType(32), LANES), order) for order in (keep, take)]
            for k in range(LANES):
                if not k & distance:
                    pair = values[k], values[k + distance]
                    values[k], values[k + distance] = (builder.shuffle_vector(*pair, mask) for mask in masks)
            distance *= 2
        for k in range(LANES):
            builder.store(values[k], row(builder, args[3:], k), align=8)
        return context.get_dummy_value()

    return types.void(source, types.intp, types.intp, target, types.intp, types.intp), generate


@intrinsic
def splat(typing_context: Any, value: Any) -> Any:
    """Return one number in all lanes."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _broadcast(builder, args[0])

    return _lanes(types.float64), generate


@intrinsic
def total(typing_context: Any, value: Any) -> Any:
    """Return the sum over the lanes."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(_DOUBLE, [_DOUBLE, _VECTOR])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.fadd.v{LANES}f64")
        return builder.call(function, [ir.Constant(_DOUBLE, 0.0), args[0]], fastmath=_FLAGS)

    return types.float64(_lanes), generate


@intrinsic
def _nearest(typing_context: Any, value: Any) -> Any:
    """Return the nearest integers."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.rint.v{LANES}f64")
        return builder.call(function, args)

    return _lanes(_lanes), generate


# 1.5 * 2^52: added to an integer, its binary digits are the last ones of the mantissa
_DIGITS = 6755399441055744.0
_ODD, _HALF_TURN, _SIGN_SHIFT = 1, 2, 62


@intrinsic
def _to_quadrant(typing_context: Any, turns: Any, sine: Any, cosine: Any) -> Any:
    """Return sine and cosine of the whole angle from those of what is left of it beyond the quarter turns."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        def constant(value: int) -> Any:
            return ir.Constant(_INTEGERS, [value] * LANES)

        def flip(value: Any, bits: Any) -> Any:
            """Change the sign where the half-turn bit is set."""
            sign = builder.shl(builder.and_(bits, constant(_HALF_TURN)), constant(_SIGN_SHIFT))
            return builder.bitcast(builder.xor(builder.bitcast(value, _INTEGERS), sign), _VECTOR)

        digits = _broadcast(builder, ir.Constant(_DOUBLE, _DIGITS))
        bits = builder.bitcast(builder.fadd(args[0], digits), _INTEGERS)
        odd = builder.icmp_signed("!=", builder.and_(bits, constant(_ODD)), constant(0))
        sine_here = builder.select(odd, args[2], args[1])
        cosine_here = builder.select(odd, args[1], args[2])
        # the cosine is negative one quarter turn before the sine
        pair = (flip(sine_here, bits), flip(cosine_here, builder.add(bits, constant(_ODD))))
        return context.make_tuple(builder, sig.return_type, pair)

    return types.UniTuple(_lanes, 2)(_lanes, _lanes, _lanes), generate


@intrinsic
def _remainder(typing_context: Any, angle: Any, turns: Any) -> Any:
    """Return what is left of an angle beyond a number of quarter turns."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        # may be fused but not reordered: the two parts must be subtracted one after the other
        rest = args[0]
        for part in (_QUARTER_HIGH, _QUARTER_LOW):
            whole = builder.fmul(args[1], _broadcast(builder, ir.Constant(_DOUBLE, part)), flags=("contract",))
            rest = builder.fsub(rest, whole, flags=("contract",))
        return rest

    return _lanes(_lanes, _lanes), generate
