"""How a step's turn is spread over its time: by the body before, at and after landing, and by the foot that lands."""

from __future__ import annotations

import math
from typing import NamedTuple

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
