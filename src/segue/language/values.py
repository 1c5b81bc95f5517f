"""Values of the language: kinds, how they are shown, and arithmetic with them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from segue.body.human import HUMAN
from segue.errors import ArgumentError, printable
from segue.keyframe.keys import Key
from segue.motion.motion import Motion, conflicts, gaps
from segue.motion.targets import Flight, Footstep, Reach, Target
from segue.motion.track_table import TrackSpan, parts_of
from segue.motion.tracks import TRACKS

Value: TypeAlias = "float | bool | str | Motion | Key | Target | TrackSpan | tuple[Value, ...] | None"
"""The value of an expression; lists are tuples."""

JOINT_NAMES: frozenset[str] = frozenset({*HUMAN.groups, *TRACKS, *HUMAN.joint_names})
"""Every name of a joint, a group or a track; bare words with these names are texts."""

_MOST_ITEMS = 12
_DEEPEST = 2


def kind_of_value(value: Value) -> str:
    """Return the kind of a value in words: "a motion"."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "a truth"
        case float():
            return "a number"
        case str():
            return "a text"
        case Motion():
            return "a motion"
        case Key():
            return "a keyframe"
        case Footstep() | Reach() | Flight():
            return "a target"
        case TrackSpan():
            return "a span of time"
        case tuple():
            return "a list"


def describe(value: Value, depth: int = 0) -> str:
    """Return a value as text for users; long lists are shortened."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.12g}"
        case str():
            return f'"{printable(value)}"'
        case Motion():
            return summary(value) if depth == 0 else repr(value)
        case Key():
            return _keyframe(value)
        case Footstep() | Reach() | Flight():
            return str(value)
        case TrackSpan():
            return f"{value.start:g} to {value.stop:g} s: {', '.join(parts_of(value.tracks))}"
        case tuple():
            return _listed(value, depth)


def _keyframe(key: Key) -> str:
    whole = len(key.tracks) == len(TRACKS)
    return f"a keyframe of {'the whole body' if whole else ', '.join(parts_of(key.tracks))} at {key.time:g} s"


def _listed(values: tuple[Value, ...], depth: int) -> str:
    if depth == 0 and values and all(isinstance(value, Motion | TrackSpan) for value in values):
        rows = [describe(value, 1) for value in values[:_MOST_ITEMS]]
        if len(values) > _MOST_ITEMS:
            rows.append(f"... and {len(values) - _MOST_ITEMS} more")
        return "\n".join(rows)
    if depth >= _DEEPEST:
        return f"[{len(values)} item{'' if len(values) == 1 else 's'}]" if values else "[]"
    shown = [describe(value, depth + 1) for value in values[:_MOST_ITEMS]]
    if len(values) > _MOST_ITEMS:
        shown.append(f"... and {len(values) - _MOST_ITEMS} more")
    return f"[{', '.join(shown)}]"


def summary(motion: Motion) -> str:
    """Return a motion in one line: joints, times, gaps and conflicts."""
    if not motion.tracks:
        return "a motion that defines nothing"
    whole = len(motion.tracks) == len(TRACKS)
    what = "the whole body" if whole else f"{len(motion.tracks)} of {len(TRACKS)} tracks"
    counts = [
        f"{len(found)} {name}{'' if len(found) == 1 else 's'}"
        for name, found in (("gap", gaps(motion)), ("conflict", conflicts(motion)))
        if found
    ]
    rate = f"{motion.fps:g} frames a second"
    return ", ".join([f"a motion of {what} from {motion.start:g} to {motion.stop:g} s", rate, *counts])


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
    """Return the value of `left sign right`; raise if the operator does not take these kinds."""
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
