"""Derive the partner's part of a pattern in closed hold, mirror a pattern, and check that two parts fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from segue.dance.notation.checking import Finding, Severity, eighths_turned
from segue.dance.notation.manner import manner_of
from segue.dance.notation.model import (
    Alignment,
    Body,
    Foot,
    FootPosition,
    Footwork,
    Head,
    Modifier,
    Part,
    Pattern,
    Step,
    Turn,
)
from segue.dance.notation.symbols import Row

_FEET = {Foot.LEFT: Foot.RIGHT, Foot.RIGHT: Foot.LEFT, Foot.HOLD: Foot.HOLD}
_HEADS = {Head.LEFT: Head.RIGHT, Head.RIGHT: Head.LEFT, Head.NORMAL: Head.NORMAL}
_MODIFIERS = {Modifier.LEFTWARD: Modifier.RIGHTWARD, Modifier.RIGHTWARD: Modifier.LEFTWARD}
_BODIES = {Body.SWAY_LEFT: Body.SWAY_RIGHT, Body.SWAY_RIGHT: Body.SWAY_LEFT}
_POSITIONS = {
    FootPosition.FORWARD: FootPosition.BACKWARD,
    FootPosition.BACKWARD: FootPosition.FORWARD,
    FootPosition.CROSS_FRONT: FootPosition.CROSS_BEHIND,
    FootPosition.CROSS_BEHIND: FootPosition.CROSS_FRONT,
}

# a backward step reaches with the toe where the partner's forward step lands on the heel; both end flat or risen
_FORWARD_TO_BACKWARD = {Footwork.HEEL: Footwork.TOE_HEEL, Footwork.HEEL_TOE: Footwork.TOE}
_BACKWARD_TO_FORWARD = {Footwork.TOE_HEEL: Footwork.HEEL, Footwork.TOE: Footwork.HEEL_TOE}


_MIRRORED_ALIGNMENTS = {
    Alignment.FACING_WALL: Alignment.FACING_CENTRE,
    Alignment.DIAGONAL_WALL: Alignment.DIAGONAL_CENTRE,
    Alignment.BACKING_DIAGONAL_WALL: Alignment.BACKING_DIAGONAL_CENTRE,
}
_MIRRORED_ALIGNMENTS |= {other: one for one, other in _MIRRORED_ALIGNMENTS.items()}


def partner_of(pattern: Pattern) -> Pattern:
    """Return the part of the partner in closed hold.

    Left and right, forward and backward, in front and behind are exchanged. Turns keep their direction, because the
    couple turns as one.
    """
    return replace(
        pattern,
        part=Part.FOLLOWER if pattern.part is Part.LEADER else Part.LEADER,
        commence=_opposite(pattern.commence),
        steps=tuple(_partner_step(step, manner_of(pattern.dance).heel_leads) for step in pattern.steps),
    )


def mirrored(pattern: Pattern) -> Pattern:
    """Return a pattern with left and right exchanged in feet, turns, head, sway and alignment."""
    steps = tuple(_mirrored_step(step) for step in pattern.steps)
    return replace(pattern, steps=steps, commence=_MIRRORED_ALIGNMENTS.get(pattern.commence, pattern.commence))


def check_pair(leader: Pattern, follower: Pattern) -> list[Finding]:
    """Return the conflicts between two parts of a pattern: feet, beats, alignment, or total turn.

    Turns may differ from step to step, as in promenade, but their sums must agree.
    """
    return [*_pair_findings(leader, follower)]


def _pair_findings(leader: Pattern, follower: Pattern) -> Iterator[Finding]:
    def wrong(message: str, step: int | None = None, row: Row | None = None) -> Finding:
        return Finding(Severity.ERROR, message, step, row)

    if len(leader.steps) != len(follower.steps):
        yield wrong(f"the leader has {len(leader.steps)} steps, the follower {len(follower.steps)}")
    for number, (ours, theirs) in enumerate(zip(leader.steps, follower.steps, strict=False), start=1):
        if theirs.foot is not _FEET[ours.foot]:
            said = f"the follower moves {theirs.foot} while the leader moves {ours.foot}, {_FEET[ours.foot]} is needed"
            yield wrong(said, number, Row.FOOT)
        if theirs.beats != ours.beats:
            said = f"the follower takes {theirs.beats} for the leader's {ours.beats}, and they dance to the same music"
            yield wrong(said, number, Row.BEATS)
    if follower.commence is not _opposite(leader.commence):
        said = f"the follower commences {follower.commence}, the leader {leader.commence}: they begin face to face"
        yield wrong(said)
    turned, turned_too = eighths_turned(leader), eighths_turned(follower)
    if (turned - turned_too) % 8:
        said = f"the leader turns {turned} eighths to the left in all, the follower {turned_too}: they end face to face"
        yield wrong(said, row=Row.TURN)


def _opposite(alignment: Alignment) -> Alignment:
    opposite = (_ROUND.index(alignment) + 4) % 8
    return _ROUND[opposite]


_ROUND = sorted(Alignment, key=lambda each: each.angle)


def _partner_step(step: Step, heels: bool) -> Step:
    footwork = step.footwork
    if footwork is not None and heels:
        if step.position is FootPosition.FORWARD:
            footwork = _FORWARD_TO_BACKWARD.get(footwork, footwork)
        elif step.position is FootPosition.BACKWARD:
            footwork = _BACKWARD_TO_FORWARD.get(footwork, footwork)
    return replace(
        step,
        foot=_FEET[step.foot],
        position=None if step.position is None else _POSITIONS.get(step.position, step.position),
        modifiers=frozenset(_MODIFIERS.get(each, each) for each in step.modifiers),
        footwork=footwork,
        head=None if step.head is None else _HEADS[step.head],
        body=frozenset(_BODIES.get(each, each) for each in step.body),
    )


def _mirrored_step(step: Step) -> Step:
    return replace(
        step,
        foot=_FEET.get(step.foot, step.foot),
        modifiers=frozenset(_MODIFIERS.get(modifier, modifier) for modifier in step.modifiers),
        head=None if step.head is None else _HEADS.get(step.head, step.head),
        turn=None if step.turn is None else Turn(step.turn.eighths, not step.turn.left),
        body=frozenset(_BODIES.get(body, body) for body in step.body),
    )
