"""Every function with its parameters, description, and an example that runs; others can be added."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from segue.body.anthropometry import SEXES
from segue.errors import ArgumentError
from segue.keyframe.keys import Key
from segue.language import effects
from segue.language.filling import FILLING
from segue.language.keyframing import KEYFRAMING
from segue.language.making import DANCING, LOOPING
from segue.language.parser import KEYWORDS
from segue.language.signature import (
    ANY,
    JOINTS,
    MOTION,
    MOTIONS,
    NUMBER,
    POINT,
    TEXT,
    TRUTH,
    Context,
    Function,
    Parameter,
)
from segue.language.values import JOINT_NAMES, Value
from segue.motion import operators
from segue.motion.motion import Motion, conflicts, gaps
from segue.motion.targets import Flight, Footstep, Reach
from segue.motion.track_table import TrackSpan

CONSTANTS: Mapping[str, Value] = MappingProxyType({"false": False, "pi": math.pi, "true": True})
"""Names of constants."""

ALIASES: Mapping[str, str] = MappingProxyType(
    {"affine": "retime", "clip": "trim", "concat": "concatenate", "cyclify": "make_loop", "sp": "fill_gaps"}
)
"""The names that [Rose1996] gives to functions."""


def _pure(operator: Callable[..., Value]) -> Callable[..., Value]:
    """Return a Python operator with parameters of the same names as a function of the language."""

    def apply(context: Context, **arguments: Value) -> Value:
        return operator(**arguments)

    return apply


def _concatenate(context: Context, motions: tuple[Motion | tuple[Motion, ...], ...], gap: float) -> Motion:
    """Return motions one after another: each is retimed, then neighbours are joined pairwise.

    Joining them from the left would copy the first one as often as there are others.
    """
    parts = [part for given in motions for part in (given if isinstance(given, tuple) else (given,))]
    if not parts:
        raise ArgumentError("there is no motion in the list: give at least one")
    if gap < 0:
        raise ArgumentError(f"the gap is {gap:g} s: it must not be negative; use + for motions that overlap")

    def counted(motion: Motion) -> Motion:
        context.budget.check_time(context.place)
        return context.budget.motion(motion, context.place)

    placed = parts[:1]
    for part in parts[1:]:
        placed.append(counted(operators.retime(part, placed[-1].stop + gap)))
    while len(placed) > 1:
        odd = placed[-1:] if len(placed) % 2 else []
        placed = [counted(first + second) for first, second in zip(placed[::2], placed[1::2], strict=False)] + odd
    return placed[0]


def _only(context: Context, motion: Motion, joints: tuple[str | tuple[str, ...], ...]) -> Motion:
    names = [name for given in joints for name in (given if isinstance(given, tuple) else (given,))]
    return operators.only(motion, names)


_MOTION = Parameter("motion", MOTION)
_START, _STOP = Parameter("start", NUMBER, unit="s"), Parameter("stop", NUMBER, unit="s")
_FIRST, _SECOND = Parameter("first", MOTION), Parameter("second", MOTION)

_ALL = (
    Function(
        "retime",
        (
            _MOTION,
            _START,
            Parameter("stretch", NUMBER, 1.0, usual=(0.25, 4)),
            Parameter("duration", NUMBER, None, unit="s", usual=(0.1, 10)),
        ),
        _pure(operators.retime),
        "The motion moved in time to begin at start. It lasts stretch times as long as before, or duration seconds.",
        "retime(clips.wave, 1.3, duration=2)",
    ),
    Function(
        "trim",
        (_MOTION, _START, _STOP, Parameter("keep_time", TRUTH, False)),
        _pure(operators.trim),
        "The motion between two times, moved so that start becomes 0, or left where it is in time with keep_time=true.",
        "trim(clips.wave, 1, 2)",
    ),
    Function(
        "concatenate",
        (Parameter("motions", MOTIONS, many=True), Parameter("gap", NUMBER, 0.0, unit="s", usual=(0, 2))),
        _concatenate,
        "Motions, or lists of them, one after another, gap seconds apart. concat is short for it.",
        "concat(trim(clips.walk, 0, i / 2) for i in 1..3, gap=0.2)",
    ),
    Function(
        "only",
        (_MOTION, Parameter("joints", JOINTS, many=True)),
        _only,
        "Only some joints of the motion: names of joints or of groups such as left_arm.",
        "only(clips.wave, right_arm, neck)",
    ),
    Function(
        "move_to",
        (
            _MOTION,
            Parameter("at", POINT, (0.0, 0.0), unit="m"),
            Parameter("heading", NUMBER, None, unit="rad", usual=(-math.pi, math.pi)),
        ),
        _pure(operators.move_to),
        "The motion moved on the floor to begin at [x, z], in metres. It faces heading: radians, 0 is +Z, pi/2 is +X.",
        "move_to(clips.walk, [1, 0], heading=pi/2)",
    ),
    Function(
        "mirror",
        (_MOTION,),
        _pure(operators.mirror),
        "The motion as in a mirror: left and right exchanged.",
        "mirror(clips.kick)",
    ),
    Function(
        "reverse",
        (_MOTION,),
        _pure(operators.reverse),
        "The motion backwards in time.",
        "reverse(clips.reach)",
    ),
    Function(
        "insert",
        (_MOTION, Parameter("at", NUMBER, unit="s"), Parameter("other", MOTION)),
        _pure(operators.insert),
        "The motion with another one put in at a time; what came after that time comes later.",
        "insert(clips.stand, 2, clips.wave)",
    ),
    Function(
        "delete",
        (_MOTION, _START, _STOP),
        _pure(operators.delete),
        "The motion without the time from start to stop; what came after it comes earlier.",
        "delete(clips.walk, 1, 2)",
    ),
    Function(
        "override",
        (_FIRST, _SECOND),
        _pure(operators.override),
        "Both motions; where both are defined, the first overrides the second.",
        "override(only(clips.wave, right_arm), clips.stand)",
    ),
    Function(
        "blend",
        (_FIRST, _SECOND),
        _pure(operators.blend),
        "Both motions, and where both are defined a smooth way from the earlier to the later.",
        "blend(clips.stand, retime(clips.wave, 3))",
    ),
    *FILLING,
    *LOOPING,
    *KEYFRAMING,
    *DANCING,
    Function(
        "gaps",
        (_MOTION,),
        _pure(gaps),
        "The times at which joints of the motion are undefined.",
        "gaps(concat(clips.walk, clips.wave, gap=0.5))",
    ),
    Function(
        "conflicts",
        (_MOTION,),
        _pure(conflicts),
        "The times at which more than one motion defines a joint; override and blend resolve them.",
        "conflicts(clips.walk + retime(clips.wave, 3))",
    ),
    Function(
        "duration",
        (_MOTION,),
        lambda context, motion: float(motion.duration),
        "Seconds from the motion's start to its stop.",
        "duration(clips.walk)",
    ),
    Function(
        "start",
        (_MOTION,),
        lambda context, motion: float(motion.start),
        "When the motion begins, in seconds.",
        "start(retime(clips.walk, 2))",
    ),
    Function(
        "stop",
        (_MOTION,),
        lambda context, motion: float(motion.stop),
        "When the motion ends, in seconds.",
        "retime(clips.wave, stop(clips.walk))",
    ),
    Function(
        "show",
        (Parameter("value", ANY),),
        effects.show,
        "Prints a value; of a motion, the time line of its tracks with gaps and conflicts.",
        "show(clips.walk - retime(only(clips.wave, right_arm), 1, duration=1))",
        effect=True,
    ),
    Function(
        "plot",
        (_MOTION, Parameter("file", TEXT)),
        effects.plot,
        "Draws the time line of the motion into a picture below this folder: .png, .svg or .pdf.",
        'plot(concat(clips.walk, clips.wave, gap=0.3), "composition.svg")',
        effect=True,
    ),
    Function(
        "load",
        (
            Parameter("file", TEXT),
            Parameter("scale", NUMBER, None, unit="m", usual=(0.001, 2)),
            Parameter("up", TEXT, None, choices=("Y", "Z")),
            Parameter("mass", NUMBER, None, unit="kg", usual=(20, 150)),
            Parameter("sex", TEXT, "average", choices=SEXES),
            Parameter("map", TEXT, None),
        ),
        effects.load,
        'The motion in a clip file below this folder. scale: metres per unit; up: "Y" or "Z"; each found if not given. '
        "map: a .toml file with the role of each joint.",
        'load("walk.bvh", mass=70)',
    ),
    Function(
        "save",
        (_MOTION, Parameter("file", TEXT), Parameter("fps", NUMBER, None, usual=(12, 240))),
        effects.save,
        "Writes the motion to a clip file below this folder; the suffix sets the format.",
        'save(trim(clips.walk, 0, 1), "short.glb", fps=30)',
        effect=True,
    ),
)

_functions = {function.name: function for function in _ALL}
_TAKEN = frozenset({*_functions, *ALIASES, *CONSTANTS, *KEYWORDS, *JOINT_NAMES, "clips", "help"})

FUNCTIONS: Mapping[str, Function] = MappingProxyType(_functions)
"""Functions by name, without aliases."""

BUILT_IN = frozenset(_functions)
"""Names of Segue's own functions; all others in `FUNCTIONS` are extensions."""


def function_named(name: str) -> Function | None:
    """Return a function by its name or alias."""
    return FUNCTIONS.get(ALIASES.get(name, name))


def register_function(function: Function) -> None:
    """Make a function part of the language: in scripts, at the prompt, in its help and completion.

    It is trusted as Segue's own functions are: what it does is not bounded by the limits of a script. A function can be
    registered again under its name; names that mean something already cannot be taken.
    """
    if not isinstance(function, Function):
        raise ArgumentError(f"a Function with name, parameters and help is needed, not {function!r}")
    if not (function.name.isascii() and function.name.isidentifier()):
        raise ArgumentError(f"the function's name is {function.name!r}: it must be one word, as 'slowed'")
    if function.name in _TAKEN:
        raise ArgumentError(f"the name '{function.name}' has a meaning already: choose another one")

    def apply(context: Context, **arguments: Value) -> Value:
        return _value(function.name, function.apply(context, **arguments))

    _functions[function.name] = replace(function, apply=apply)


def _value(name: str, result: object) -> Value:
    """Return a Python value as a value of the language: all numbers are floats, all lists tuples."""
    match result:
        case None | bool() | str() | Motion() | Key() | Footstep() | Reach() | Flight() | TrackSpan():
            return result
        case int() | float() | np.number():
            return float(result)
        case list() | tuple():
            return tuple(_value(name, item) for item in result)
    raise ArgumentError(
        f"{name} gives {type(result).__name__}: it must be a motion, a number, a text, a truth or a list of these"
    )
