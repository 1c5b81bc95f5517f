"""Functions that make motions from keyframes: key, pose, interpolate and inbetween."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from segue import clips
from segue.errors import ArgumentError
from segue.keyframe import Key, inbetween, inbetween_report, interpolate
from segue.keyframe.keys import POSES, named_pose
from segue.language.filling import GROUND, ground_of
from segue.language.signature import JOINTS, MOTION, NUMBER, TEXT, Context, Function, Kind, Parameter
from segue.language.values import Value
from segue.motion.box import Box
from segue.motion.ground import AUTO
from segue.motion.motion import Motion
from segue.motion.targets import Flight

_Several = tuple[Key | tuple[Key, ...], ...]


def weights_of(text: str) -> dict[str, float]:
    """Return penalties' strengths by name, from "skid=2, torque change=0"."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, sign, number = (word.strip() for word in part.partition("="))
        try:
            weight = float(number)
        except ValueError:
            sign = ""
        if not (name and sign):
            raise ArgumentError(
                f"the penalty '{part.strip()}' is not NAME=NUMBER: write skid=2, with commas between several"
            )
        name = name.replace("_", " ")
        if name in found:
            raise ArgumentError(f"the penalty '{name}' has two strengths, {found[name]:g} and {weight:g}: give it one")
        found[name] = weight
    return found


def _in_order(keys: _Several) -> list[Key]:
    flat = [each for given in keys for each in (given if isinstance(given, tuple) else (given,))]
    return sorted(flat, key=lambda each: each.time)


def _key(
    context: Context,
    motion: Motion,
    at: float,
    time: float | None,
    joints: tuple[str | tuple[str, ...], ...] | None,
) -> Key:
    names = [name for given in joints or () for name in (given if isinstance(given, tuple) else (given,))]
    return Key.from_motion(motion, at, time, names or None)


def _pose(context: Context, name: str, time: float, move: tuple[float, ...] | None) -> Key:
    made = named_pose(name, time, lambda clip: clips.motion(clip.removeprefix("clips.")))
    return made if move is None else made.moved(move)


def _interpolate(context: Context, keys: _Several) -> Motion:
    return interpolate(_in_order(keys))


def _inbetween(
    context: Context,
    keys: _Several,
    ground: float | str | None,
    boxes: tuple[tuple[float, ...], ...] | None,
    penalties: str | None,
    flights: Flight | tuple[Flight, ...] | None,
) -> Motion:
    ordered = _in_order(keys)
    for before, after in pairwise(ordered):
        context.budget.filling(after.time - before.time, context.place)
    with context.budget.until_time_is_up(context.place) as halt:
        made = inbetween(
            ordered,
            None if penalties is None else weights_of(penalties),
            ground=None if ground is None else ground_of(ground, context.workspace),
            boxes=[_box(numbers) for numbers in boxes or ()],
            flights=[flights] if isinstance(flights, Flight) else flights,
            on_step=lambda state: bool(halt[0]),
        )
    found = inbetween_report(made)
    context.say(f"{len(ordered)} keyframes: {found.status} after {found.iterations} iterations")
    return made


def _box(numbers: Sequence[float]) -> Box:
    x, y, z, width, height, depth = numbers
    return Box((x, y, z), (width, height, depth))


def _are_keys(value: Value) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return all(isinstance(item, Key) for item in items)


def _numbers(value: Value, count: int) -> bool:
    return isinstance(value, tuple) and len(value) == count and all(isinstance(item, float) for item in value)


_KEYS = Parameter("keys", Kind("a keyframe or a list of keyframes", _are_keys), many=True)
_FLIGHTS = Kind(
    "a flight or a list of flights",
    lambda value: all(isinstance(item, Flight) for item in (value if isinstance(value, tuple) else (value,))),
)
_PLACE = Kind("a list of three numbers, [x, y, z]", lambda value: _numbers(value, 3))
_BOXES = Kind(
    "a list of boxes, each [x, y, z, width, height, depth]",
    lambda value: isinstance(value, tuple) and all(_numbers(item, 6) for item in value),
)

KEYFRAMING = (
    Function(
        "key",
        (
            Parameter("motion", MOTION),
            Parameter("at", NUMBER, unit="s"),
            Parameter("time", NUMBER, None, unit="s"),
            Parameter("joints", JOINTS, None, many=True),
        ),
        _key,
        "A keyframe: what the motion is at a time, to be met at another, the same if not given; of some joints or all.",
        "key(clips.walk, 0.4)",
    ),
    Function(
        "pose",
        (
            Parameter("name", TEXT, choices=POSES),
            Parameter("time", NUMBER, unit="s"),
            Parameter("move", _PLACE, None, unit="m"),
        ),
        _pose,
        "A keyframe in a pose that goes by a name, such as stand or kick_front; its root moved by [x, y, z] metres.",
        'pose("stand", 1.5)',
    ),
    Function(
        "interpolate",
        (_KEYS,),
        _interpolate,
        "The motion along a plain spline through keyframes.",
        "interpolate(key(clips.walk, 0.2 * i) for i in 0..4)",
    ),
    Function(
        "inbetween",
        (
            _KEYS,
            Parameter("ground", GROUND, None, choices=(AUTO,), unit="m", usual=(-1, 1)),
            Parameter("boxes", _BOXES, None),
            Parameter("penalties", TEXT, None),
            Parameter("flights", _FLIGHTS, None),
        ),
        _inbetween,
        "A motion through keyframes that a body with mass could do, whose feet stand still and keep out of ground and "
        'boxes. penalties="skid=2" makes one stronger. flights: when nothing carries the body, found where not given.',
        "inbetween(key(clips.walk, 0.2 * i) for i in 0..4)",
    ),
)
"""The functions key, pose, interpolate and inbetween."""
