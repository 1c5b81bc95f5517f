"""Which part of a foot lands and which bears: the footwork of [Lake1990, section 5.2], or a position's usual one."""

from __future__ import annotations

from typing import NamedTuple

from segue.dance.notation.model import FootPosition, Footwork, Modifier, Step
from segue.dance.planning.manner import Manner
from segue.dance.planning.model import Bearing


class Roll(NamedTuple):
    """The part of a foot that lands, and the part that bears at the end of the step."""

    landing: Bearing
    bearing: Bearing


_ROLLS = {
    Footwork.HEEL: Roll(Bearing.HEEL, Bearing.FLAT),
    Footwork.TOE: Roll(Bearing.TOE, Bearing.TOE),
    Footwork.HEEL_TOE: Roll(Bearing.HEEL, Bearing.TOE),
    Footwork.TOE_HEEL: Roll(Bearing.TOE, Bearing.FLAT),
}


def footwork_of(step: Step, manner: Manner) -> Footwork:
    """Return a step's footwork: what is written, or what its position usually has in the dance."""
    if step.footwork is not None:
        return step.footwork
    if Modifier.NO_WEIGHT in step.modifiers:
        return Footwork.TOE
    return manner.forward if step.position is FootPosition.FORWARD else Footwork.TOE_HEEL


def roll_of(step: Step, manner: Manner) -> Roll:
    """Return how a step's foot meets the floor; a heel that takes no weight only touches."""
    roll = _ROLLS[footwork_of(step, manner)]
    if step.position is FootPosition.IN_PLACE and step.footwork is None:
        return Roll(Bearing.FLAT, Bearing.FLAT)
    if Modifier.NO_WEIGHT in step.modifiers and roll == _ROLLS[Footwork.HEEL]:
        return Roll(Bearing.HEEL, Bearing.HEEL)
    return roll
