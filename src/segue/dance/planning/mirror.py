"""Patterns danced the other way round: left for right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from segue.dance.notation.model import Alignment, Body, Foot, Head, Modifier, Pattern, Step, Turn

_FEET = {Foot.LEFT: Foot.RIGHT, Foot.RIGHT: Foot.LEFT}
_HEADS = {Head.LEFT: Head.RIGHT, Head.RIGHT: Head.LEFT}
_MODIFIERS = {Modifier.LEFTWARD: Modifier.RIGHTWARD, Modifier.RIGHTWARD: Modifier.LEFTWARD}
_BODIES = {Body.SWAY_LEFT: Body.SWAY_RIGHT, Body.SWAY_RIGHT: Body.SWAY_LEFT}
_ALIGNMENTS = {
    Alignment.FACING_WALL: Alignment.FACING_CENTRE,
    Alignment.DIAGONAL_WALL: Alignment.DIAGONAL_CENTRE,
    Alignment.BACKING_DIAGONAL_WALL: Alignment.BACKING_DIAGONAL_CENTRE,
}
_ALIGNMENTS |= {other: one for one, other in _ALIGNMENTS.items()}


def mirrored(pattern: Pattern) -> Pattern:
    """Return a pattern with left and right exchanged in feet, turns, looks, sways and alignment."""
    steps = tuple(_mirrored_step(step) for step in pattern.steps)
    return replace(pattern, steps=steps, commence=_ALIGNMENTS.get(pattern.commence, pattern.commence))


def fitting(patterns: Sequence[Pattern], weight: str) -> tuple[Pattern, ...]:
    """Return patterns of which those whose first foot bears the weight are mirrored; weight: where it is at first."""
    sides = {Foot.LEFT: "left", Foot.RIGHT: "right"}
    danced = []
    for pattern in patterns:
        first = next((step.foot for step in pattern.steps if step.foot is not Foot.HOLD), Foot.HOLD)
        chosen = mirrored(pattern) if sides.get(first) == weight else pattern
        danced.append(chosen)
        for step in chosen.steps:
            weight = sides[step.foot] if step.takes_weight else weight
    return tuple(danced)


def _mirrored_step(step: Step) -> Step:
    return replace(
        step,
        foot=_FEET.get(step.foot, step.foot),
        modifiers=frozenset(_MODIFIERS.get(modifier, modifier) for modifier in step.modifiers),
        head=None if step.head is None else _HEADS.get(step.head, step.head),
        turn=None if step.turn is None else Turn(step.turn.eighths, not step.turn.left),
        body=frozenset(_BODIES.get(body, body) for body in step.body),
    )
