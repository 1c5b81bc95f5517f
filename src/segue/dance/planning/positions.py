"""Place a step's foot by the positions and modifiers of [Lake1990, section 5.2], and spread its turn over the step."""

from __future__ import annotations

import math
from typing import NamedTuple

from segue.dance.notation.model import FootPosition, Modifier, Step
from segue.dance.planning.feet import FootShape, Point, moved, outward, point_of
from segue.dance.planning.model import Footprint
from segue.dance.planning.strides import Strides

TRAVELLING = frozenset({FootPosition.FORWARD, FootPosition.BACKWARD, FootPosition.SECOND})
"""Positions that go by where the body faced before a turn; all others stand by where it faces afterwards."""

PARALLEL = frozenset(
    {FootPosition.FIRST, FootPosition.SECOND, FootPosition.THIRD, FootPosition.FIFTH, FootPosition.UNCROSS}
)
"""Positions in which the standing foot points where the body's alignment does, whatever it did before."""

TOE_OUT = math.radians(30.0)
_ROTATED = math.radians(45.0)  # 3rd and 5th position: between the feet
_CROSSING = 0.5  # of a foot's length, that a crossing foot is set before or behind the other, close beside it
_ROUND = 0.25
_DIAGONAL = math.radians(45.0)
# The hips twist so far that a foot may land turned out or in by this much from where the pelvis faces.
_TURNED_OUT = math.radians(25.0)
_TURNED_IN = math.radians(15.0)
# With one foot before the other, a turn of the pelvis crosses the legs: so much before landing, and so much before the
# rear foot leaves; what remains is turned on the ball of the front foot while the other swings past it.
_TRAVELLING_LANDED = math.radians(22.5)
_TRAVELLING_RELEASED = math.radians(45.0)
# A turn on the spot, or round the standing foot, is all but done when the other foot lands: with both feet on the floor
# they could only turn by sliding past each other. The foot lands pointing where the body then comes to face.
_LANDED = 0.85


class Turning(NamedTuple):
    """Headings of the pelvis in rad, unwrapped: before a step, as its foot lands, as the next one may leave, after.

    facing: how far the body turns from that alignment in this step's position.
    """

    before: float
    landed: float
    released: float
    after: float
    facing: float


def turning_of(before: float, turn: float, facing: float, *, travels: bool) -> Turning:
    """Return how a turn is spread over a step; travels: whether one foot is set before or behind the other."""
    landed, released = _LANDED, 1.0
    if travels and turn:
        landed = min(0.35, _TRAVELLING_LANDED / abs(turn))
        released = min(0.75, _TRAVELLING_RELEASED / abs(turn))
    return Turning(before, before + landed * turn, before + released * turn, before + turn, facing)


def landing_heading(turning: Turning, outward: float, *, across: bool) -> float:
    """Return where a travelling foot points as it lands: as near to the body's heading after it as the hips let it.

    outward: +1 for the left foot, -1 for the right. across: whether it goes to the other foot's side, where a leg that
    were turned out as well would tip its foot over the edge.
    """
    left = outward * (turning.after - turning.landed)
    return turning.landed + outward * min(max(left, -_TURNED_IN), 0.0 if across else _TURNED_OUT)


class Placement(NamedTuple):
    """Where the moving foot is set.

    place: of its ankle. toe_out: rad by which the toes point outwards of the body's alignment. facing: rad by which the
    body turns from its alignment, so that both feet are turned out alike. push: the heading along which the foot gives
    way where it would touch the other.
    """

    place: Point
    toe_out: float
    facing: float
    push: float


def placed(
    step: Step, foot: str, standing: Footprint, heading: float, seconds: float, strides: Strides, shape: FootShape
) -> Placement:
    """Return where a step sets the foot, next to the standing foot, for a body aligned along the heading.

    seconds: how long the step lasts. SIP keeps the foot where it is and is not placed.
    """
    position, modifiers = step.position, step.modifiers
    side = outward(foot)
    half = 0.5 if Modifier.SMALL in modifiers else 1.0
    toe_out = TOE_OUT if Modifier.TOE_OUT in modifiers else 0.0
    out = heading + side * math.pi / 2
    left, forward, facing, push = side * strides.closed, 0.0, 0.0, out
    match position:
        case FootPosition.FORWARD | FootPosition.BACKWARD:
            sense = 1.0 if position is FootPosition.FORWARD else -1.0
            aside, along = _direction(modifiers, side)
            length = half * strides.forward(seconds, 1.0 + sense * _round_about(step))
            left += length * aside
            forward = sense * length * along
            push = heading if sense > 0 else heading + math.pi
        case FootPosition.SECOND:
            left += side * half * (strides.apart - strides.closed)
        case FootPosition.THIRD:
            middle = 0.5 * (shape.tip - shape.heel)
            heel = moved(point_of(standing, middle), heading, side * shape.half_width, 0.0)
            toe_out, facing = toe_out + _ROTATED, side * 0.5 * _ROTATED
            return Placement(moved(heel, heading + side * toe_out, 0.0, shape.heel), toe_out, facing, push)
        case FootPosition.FIFTH:
            tip = point_of(standing, -shape.heel)
            toe_out, facing = toe_out + _ROTATED, side * 0.5 * _ROTATED
            place = moved(tip, heading + side * toe_out, 0.0, -shape.tip)
            return Placement(place, toe_out, facing, heading + math.pi)
        case FootPosition.CROSS_FRONT | FootPosition.CROSS_BEHIND:
            sense = 1.0 if position is FootPosition.CROSS_FRONT else -1.0
            left, forward = -side * strides.closed, sense * _CROSSING * shape.length
            push = heading - side * math.pi / 2
        case _:
            assert position in (FootPosition.FIRST, FootPosition.UNCROSS), "steps in place are not placed"
    return Placement(moved(standing, heading, left, forward), toe_out, facing, push)


def _round_about(step: Step) -> float:
    """Return by how much a turning step forward is longer, and one backward shorter, than a straight one.

    In a turn the partner who goes forward goes round the other.
    """
    return 0.0 if step.turn is None else _ROUND * min(step.turn.eighths / 2.0, 1.0)


def _direction(modifiers: frozenset[Modifier], side: float) -> Point:
    """Return how far to the left and how far along a travelling step goes, for one of unit length."""
    sideways = {Modifier.LEFTWARD: 1.0, Modifier.RIGHTWARD: -1.0}
    named = [sense for modifier, sense in sideways.items() if modifier in modifiers]
    if Modifier.DIAGONAL in modifiers:
        sense = named[0] if named else side
        return sense * math.sin(_DIAGONAL), math.cos(_DIAGONAL)
    # to the side without DIAG: the step keeps its length forward, and drifts aside by half of it
    return (0.5 * named[0] if named else 0.0), 1.0
