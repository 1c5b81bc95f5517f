"""Drags on the stage as edits of the text: points of the body that reach a place, and footsteps.

A target stands in the parameter `support` of the call that filled the gap: `reach(point, at, x, y, z)` and
`footstep(foot, start, stop, x, z, heading)`. Times and places are those of that call's own motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.errors import ArgumentError
from segue.language import tree
from segue.motion.fills import FillReport
from segue.motion.motion import Motion
from segue.serve.client import Client
from segue.serve.clocks import Clock, ShownParts, pieces_of
from segue.serve.document import utf16
from segue.serve.edited import change
from segue.serve.engine import Engine
from segue.serve.outline import argument_of, end_of_arguments, literal, numeral
from segue.serve.preview import Evaluated
from segue.serve.requests import Change, Drag, Footprint
from segue.serve.rows import origins
from segue.typing import Array

POINTS = ("left_hand", "right_hand", "left_foot", "right_foot", "hips")
"""Points of the body that can be dragged."""

_SAME = 0.05  # s between two targets of one point that are the same target
_SETTLED = 0.05  # s at the ends of a gap in which a foot cannot be moved
_SHORTEST = 0.1  # s of a new footstep


@dataclass(frozen=True)
class _Filled:
    """The call that filled the gap at a time: its node, its report on its own clock, and that clock."""

    node: str
    call: tree.Call
    report: FillReport
    clock: Clock


def drag(engine: Engine, client: Client, request: Drag) -> None:
    """Move a point of the body at a time: the gap is solved with that target."""
    if request.point not in POINTS:
        raise ArgumentError(f"'{request.point}' cannot be dragged: drag one of {', '.join(POINTS)}")
    made = _base(engine, request.rev)
    found = _filled(made, request.time, request.node)
    time = found.clock.own(request.time)
    place = found.clock.own_place(_world(engine, made, np.array(request.place)))
    x, y, z = (numeral(number) for number in place)
    existing = _existing(found.call, "reach", request.point, "at", time)
    if existing is not None:
        changes = tuple(_number(existing, name, text, made.text) for name, text in (("x", x), ("y", y), ("z", z)))
    else:
        changes = (_added(found.call, f'reach("{request.point}", {numeral(time)}, {x}, {y}, {z})', made.text),)
    change(engine, client, request, changes)


def footprint(engine: Engine, client: Client, request: Footprint) -> None:
    """Move, turn, add or remove a footstep."""
    made = _base(engine, request.rev)
    found = _filled(made, request.time, request.node)
    time = found.clock.own(request.time)
    existing = _existing(found.call, "footstep", request.foot, "start", time)
    if request.remove:
        if existing is None:
            raise ArgumentError("there is no footstep here that could be removed")
        change(engine, client, request, (_removed(found.call, existing, made.text),))
        return
    place = found.clock.own_place(_world(engine, made, np.array([request.x, 0.0, request.z])))
    x, z = numeral(place[0]), numeral(place[2])
    heading = None
    if request.heading is not None:
        heading = numeral(float(np.degrees(request.heading - found.clock.moved.turn)))
    if existing is not None:
        changes = [_number(existing, "x", x, made.text), _number(existing, "z", z, made.text)]
        changes += [] if heading is None else [_number(existing, "heading", heading, made.text)]
        change(engine, client, request, tuple(changes))
        return
    start, stop = _during(engine, made, found, request)
    words = [f'"{request.foot}"', numeral(start), numeral(stop), x, z, *([] if heading is None else [heading])]
    change(engine, client, request, (_added(found.call, f"footstep({', '.join(words)})", made.text),))


def _base(engine: Engine, rev: int) -> Evaluated:
    """Return the evaluation that a gesture refers to."""
    made = engine.history.get(rev)
    if made is None:
        raise ArgumentError("the motion of this revision is not there yet: try again")
    return made


def _world(engine: Engine, made: Evaluated, place: Array) -> Array:
    """Return a place of the stage in the world of the shown motion: the stage lifts uneven ground to 0."""
    motion = made.motion
    lift = 0.0 if motion is None else engine.drawn(motion).ground.lift
    lowered: Array = place - np.array([0.0, lift, 0.0])
    return lowered


def _filled(made: Evaluated, time: float, node: str) -> _Filled:
    motion = made.motion
    if motion is None:
        raise ArgumentError("the script shows no motion")
    nodes, shown = origins(made), ShownParts(motion)
    calls = {path: each for path, each in tree.named_nodes(made.script) if isinstance(each, tree.Call)}
    for piece, start, stop in pieces_of(motion):
        report = getattr(piece.source, "report", None)
        path = nodes.get(id(piece.source), "")
        if not isinstance(report, FillReport) or not start <= time <= stop or path not in calls:
            continue
        value = made.values[path]
        if (node and path != node) or not isinstance(value, Motion):
            continue
        clock = shown.clock(value)
        own = next(each for each, _, _ in pieces_of(value) if each.source is piece.source)
        if clock is not None:
            return _Filled(path, calls[path], report.retimed(*own.time), clock)
    raise ArgumentError("this frame comes from a clip: Segue changes frames of filled gaps, so fill this time first")


def _existing(call: tree.Call, function: str, name: str, parameter: str, time: float) -> tree.Call | None:
    """Return a target of the call for a point at about a time; for footsteps, any time from start to stop."""
    given = argument_of(call, "support")
    items: tuple[tree.Expression, ...] = ()
    if given is not None:
        items = given.value.items if isinstance(given.value, tree.ListOf) else (given.value,)
    for item in items:
        if not isinstance(item, tree.Call) or item.function != function or len(item.arguments) < 5:
            continue
        values = [argument.value for argument in item.arguments]
        first, begin = values[0], _value(values[1])
        end = _value(values[2]) if function == "footstep" else begin
        if not isinstance(first, tree.Text) or first.value != name or begin is None or end is None:
            continue
        if begin - _SAME <= time <= end + _SAME:
            return item
    return None


def _value(node: tree.Expression) -> float | None:
    if isinstance(node, tree.Number):
        return node.value
    return -node.operand.value if isinstance(node, tree.Negative) and isinstance(node.operand, tree.Number) else None


_PARAMETERS = {"reach": ("point", "at", "x", "y", "z"), "footstep": ("foot", "start", "stop", "x", "z", "heading")}


def _number(target: tree.Call, parameter: str, number: str, text: str) -> Change:
    """Return the change that sets a number of a target."""
    order = _PARAMETERS[target.function]
    for k, argument in enumerate(target.arguments):
        if (argument.name or (order[k] if k < len(order) else "")) == parameter:
            if not literal(argument.value):
                raise ArgumentError(f"{parameter} is an expression: change it in the script")
            start, stop = argument.value.span
            return Change(utf16(text, start), utf16(text, stop), number)
    at, comma = end_of_arguments(target, text)
    return Change(utf16(text, at), utf16(text, at), f"{comma}{parameter}={number}")


def _added(call: tree.Call, target: str, text: str) -> Change:
    """Return the change that gives a call another target."""
    given = argument_of(call, "support")
    if given is None:
        at, comma = end_of_arguments(call, text)
        return Change(utf16(text, at), utf16(text, at), f"{comma}support={target}")
    start, stop = given.value.span
    if isinstance(given.value, tree.ListOf):
        comma = ", " if given.value.items else ""
        return Change(utf16(text, stop - 1), utf16(text, stop - 1), f"{comma}{target}")
    return Change(utf16(text, start), utf16(text, stop), f"[{text[start:stop]}, {target}]")


def _removed(call: tree.Call, target: tree.Call, text: str) -> Change:
    """Return the change that takes a target away, and the parameter with the last one."""
    given = argument_of(call, "support")
    assert given is not None
    if isinstance(given.value, tree.ListOf) and len(given.value.items) > 1:
        kept = [text[slice(*item.span)] for item in given.value.items if item is not target]
        start, stop = given.value.span
        return Change(utf16(text, start), utf16(text, stop), f"[{', '.join(kept)}]")
    at = next(k for k, each in enumerate(call.arguments) if each is given)
    start = call.arguments[at - 1].span[1] if at else given.span[0]
    return Change(utf16(text, start), utf16(text, given.span[1]), "")


def _during(engine: Engine, made: Evaluated, found: _Filled, request: Footprint) -> tuple[float, float]:
    """Return when a new footstep stands, on the call's clock: as the foot does now, within the gap."""
    motion = made.motion
    assert motion is not None
    time = found.clock.own(request.time)
    low, high = found.report.start + _SETTLED, found.report.stop - _SETTLED
    begin, end = time - _SHORTEST, time + _SHORTEST
    for mark in engine.measured(motion).footprints():
        if mark.foot == request.foot and mark.start <= request.time <= mark.stop:
            begin, end = sorted((found.clock.own(mark.start), found.clock.own(mark.stop)))
    begin, end = max(begin, low), min(end, high)
    if end - begin < _SETTLED:
        raise ArgumentError("the gap is too short here for a footstep: make it longer")
    return begin, end
