"""Place a step's foot by the positions and modifiers of [Lake1990, section 5.2]: length, place and turn of steps."""

from __future__ import annotations

import math
from typing import NamedTuple

from segue.body.figure import Figure
from segue.dance.notation.manner import Manner
from segue.dance.notation.model import FootPosition, Modifier, Step
from segue.dance.planning.feet import FootShape, Point, moved, outward, point_of
from segue.dance.planning.model import Footprint, Style

TRAVELLING = frozenset({FootPosition.FORWARD, FootPosition.BACKWARD, FootPosition.SECOND})
"""Positions relative to the heading before the step's turn; all others are relative to the heading after it."""

PARALLEL = frozenset(
    {FootPosition.FIRST, FootPosition.SECOND, FootPosition.THIRD, FootPosition.FIFTH, FootPosition.UNCROSS}
)
"""Positions in which the standing foot turns to the body's alignment."""

TOE_OUT = math.radians(30.0)
_ROTATED = math.radians(45.0)  # 3rd and 5th position: between the feet
_CROSSING = 0.5  # of a foot's length, that a crossing foot is set before or behind the other, close beside it
_ROUND = 0.25
_DIAGONAL = math.radians(45.0)
# Hip rotation lets a foot land turned out or in by this much from the heading of the pelvis.
_TURNED_OUT = math.radians(25.0)
_TURNED_IN = math.radians(15.0)
# With one foot before the other, a turn of the pelvis crosses the legs. This much is turned before landing, and before
# the rear foot leaves. The rest is turned on the ball of the front foot while the other foot swings past it.
_TRAVELLING_LANDED = math.radians(22.5)
_TRAVELLING_RELEASED = math.radians(45.0)
# A turn on the spot is nearly complete when the other foot lands, because two feet on the floor can only turn by
# sliding. The foot lands along the final heading of the body.
_LANDED = 0.85
# A slow step of one second is 0.6 leg lengths long, as in an adult's walk at 1.1 m/s. The length goes with the root of
# the duration, because walkers change speed by length and frequency equally.
_SLOW = 0.60
_LONGEST = 0.66
_SHORTEST = 0.26
_CLOSED_GAP = 0.012  # m between the soles of closed feet


class Strides(NamedTuple):
    """Measures of a dancer's steps in m.

    leg: length of a leg from hip to floor. closed: distance of the ankles of closed feet. apart: distance of the ankles
    of feet at shoulder width. size: factor of dance and style on forward and backward steps.
    """

    leg: float
    closed: float
    apart: float
    size: float

    @classmethod
    def of(cls, figure: Figure, manner: Manner, style: Style) -> Strides:
        """Return the measures of one figure's steps."""
        build = figure.build
        closed = FootShape.of(figure).width + _CLOSED_GAP
        shoulders = 2.0 * float(build.clavicle[0] + build.shoulder[0])
        apart = closed + max(shoulders - closed, 0.0) * manner.side * style.step_size
        return cls(figure.leg_length, closed, apart, manner.stride * style.step_size)

    @property
    def gap(self) -> float:
        """The least distance between soles."""
        return _CLOSED_GAP - 1e-6

    def forward(self, seconds: float, factor: float = 1.0) -> float:
        """Return the length in m of a forward step that lasts some seconds; factor: on the length."""
        share = min(factor * max(_SLOW * math.sqrt(seconds), _SHORTEST), _LONGEST)
        return self.leg * share * self.size


class Turning(NamedTuple):
    """Headings of the pelvis in rad, unwrapped: before a step, at landing, at the next possible lift, after the step.

    facing: further turn of the body in the step's position.
    """

    before: float
    landed: float
    released: float
    after: float
    facing: float


def turning_of(before: float, turn: float, facing: float, *, travels: bool) -> Turning:
    """Spread a turn over a step; travels: whether one foot is set before or behind the other."""
    landed, released = _LANDED, 1.0
    if travels and turn:
        landed = min(0.35, _TRAVELLING_LANDED / abs(turn))
        released = min(0.75, _TRAVELLING_RELEASED / abs(turn))
    return Turning(before, before + landed * turn, before + released * turn, before + turn, facing)


def landing_heading(turning: Turning, outward: float, *, across: bool) -> float:
    """Return the heading of a travelling foot at landing, as near to the final heading as the hips allow.

    outward: +1 for the left foot, -1 for the right. across: whether it crosses to the other foot's side, where a leg
    turned out would tip the foot onto its edge.
    """
    left = outward * (turning.after - turning.landed)
    return turning.landed + outward * min(max(left, -_TURNED_IN), 0.0 if across else _TURNED_OUT)


class Placement(NamedTuple):
    """Placement of the moving foot.

    place: of its ankle. toe_out: angle of the toes outwards from the body's alignment in rad. facing: turn of the body
    from its alignment in rad, so that both feet are turned out equally. push: heading along which the foot moves if it
    would touch the other.
    """

    place: Point
    toe_out: float
    facing: float
    push: float


def placed(
    step: Step, foot: str, standing: Footprint, heading: float, seconds: float, strides: Strides, shape: FootShape
) -> Placement:
    """Return the placement of a step's foot relative to the standing foot, for a body aligned along a heading.

    seconds: duration of the step. SIP keeps the foot in place and has no placement.
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
    """Return the share by which a turning step is longer forward and shorter backward than a straight one.

    In a turn, the partner who steps forward goes round the other.
    """
    return 0.0 if step.turn is None else _ROUND * min(step.turn.eighths / 2.0, 1.0)


def _direction(modifiers: frozenset[Modifier], side: float) -> Point:
    """Return the leftward and forward parts of a travelling step of unit length."""
    sideways = {Modifier.LEFTWARD: 1.0, Modifier.RIGHTWARD: -1.0}
    named = [sense for modifier, sense in sideways.items() if modifier in modifiers]
    if Modifier.DIAGONAL in modifiers:
        sense = named[0] if named else side
        return sense * math.sin(_DIAGONAL), math.cos(_DIAGONAL)
    # LWD or RWD without DIAG: the step keeps its forward length and moves aside by half of it
    return (0.5 * named[0] if named else 0.0), 1.0
