"""Whether a figure's legs can do what is planned: how far apart the feet are, how fast they swing and turn."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from segue.dance.planning.feet import other_foot
from segue.dance.planning.timing import Moment, flies
from segue.dance.planning.walk import Move
from segue.errors import ArgumentError, SegueWarning


class _Limit(NamedTuple):
    """What is too much for comfort, and what cannot be done."""

    hard: float
    most: float


# With feet a leg length apart the hips are 0.87 leg lengths high if the knees are straight, and nobody dances so low.
_APART = _Limit(0.82, 1.0)  # of a leg
_SWING = _Limit(4.0, 8.0)  # m/s on average; a sprinter's foot reaches 20 at its fastest
_TURN = _Limit(math.radians(540.0), math.radians(1200.0))  # of the body, rad/s on average; skaters spin at 2000


def check_reach(moves: Sequence[Move], times: Sequence[Moment], leg: float) -> None:
    """Warn of steps that are hard for legs of a length in m, and refuse those that no such legs can do."""
    for move, moment in zip(moves, times, strict=True):
        for what, value, limit, unit, remedy in _measures(move, moment, leg):
            if value > limit.most:
                raise ArgumentError(
                    f"{move.where} {what} {value:.2f} {unit}, {value - limit.most:.2f} more than this figure can do:"
                    f" {remedy}"
                )
            if value > limit.hard:
                warnings.warn(
                    f"{move.where} {what} {value:.2f} {unit}, {value - limit.hard:.2f} more than is easy for this"
                    f" figure: {remedy}",
                    SegueWarning,
                    stacklevel=4,
                )


def _measures(move: Move, moment: Moment, leg: float) -> Iterator[tuple[str, float, _Limit, str, str]]:
    """Yield what is measured, how much it is, its limit, the unit, and what would make it less."""
    if move.foot is not None and move.landing is not None:
        standing = move.end[other_foot(move.foot)]
        apart = math.dist(move.landing[:2], standing[:2])
        limit = _Limit(_APART.hard * leg, _APART.most * leg)
        yield "sets the feet apart by", apart, limit, "m", "SS makes a step small, and a style's step_size all of them"
        if flies(move.step):
            speed = math.dist(move.start[move.foot][:2], move.landing[:2]) / (moment.land - moment.lift)
            yield "swings the foot at", speed, _SWING, "m/s", "take a slower tempo or SS"
    turned = abs(move.turning.after - move.turning.before)
    rate = turned / (moment.stop - moment.lift)
    yield "turns the body at", rate, _TURN, "rad/s", "take a slower tempo, or spread the turn over more steps"
