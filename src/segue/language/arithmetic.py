"""The operators of the language on values: sets of motions, numbers, texts and comparisons."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from segue.errors import ArgumentError
from segue.language.values import Value, describe, kind_of_value
from segue.motion.motion import Motion

_Table = Mapping[str, Callable[[Any, Any], Value]]

_ON_MOTIONS: _Table = MappingProxyType({"&": operator.and_, "-": operator.sub, "+": operator.add})
_EQUALITY: _Table = MappingProxyType({"==": operator.eq, "!=": operator.ne})
_ON_NUMBERS: _Table = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": operator.truediv,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        **_EQUALITY,
    }
)
_ON_TEXTS: _Table = MappingProxyType({"+": operator.add, **_EQUALITY})

_TAKES = MappingProxyType(
    {
        "&": "two motions",
        "-": "two motions or two numbers",
        "+": "two motions, two numbers, or a text and what to add to it",
        "*": "two numbers",
        "/": "two numbers",
        "==": "two numbers or two texts",
        "!=": "two numbers or two texts",
    }
)


def applied(sign: str, left: Value, right: Value) -> Value:
    """Return the value of `left sign right`, or say what the operator takes."""
    if isinstance(left, Motion) and isinstance(right, Motion) and sign in _ON_MOTIONS:
        return _ON_MOTIONS[sign](left, right)
    if isinstance(left, float) and isinstance(right, float) and sign in _ON_NUMBERS:
        if sign == "/" and right == 0:
            raise ArgumentError(f"{left:g} is divided by zero: the divisor must not be 0")
        return _ON_NUMBERS[sign](left, right)
    if isinstance(left, str) and isinstance(right, float) and sign == "+":
        right = describe(right)
    if isinstance(left, str) and isinstance(right, str) and sign in _ON_TEXTS:
        return _ON_TEXTS[sign](left, right)
    raise ArgumentError(
        f"'{sign}' takes {_TAKES.get(sign, 'two numbers')}, not {kind_of_value(left)} and {kind_of_value(right)}"
    )
