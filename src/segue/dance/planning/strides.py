"""Compute the length of a figure's steps from its legs, the tempo, the dance and the style."""

from __future__ import annotations

import math
from typing import NamedTuple

from segue.body.figure import Figure
from segue.dance.notation.manner import Manner
from segue.dance.planning.feet import FootShape
from segue.dance.planning.model import Style

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
        return cls(leg_length(figure), closed, apart, manner.stride * style.step_size)

    @property
    def gap(self) -> float:
        """The least distance between soles."""
        return _CLOSED_GAP - 1e-6

    def forward(self, seconds: float, factor: float = 1.0) -> float:
        """Return the length in m of a forward step that lasts some seconds; factor: on the length."""
        share = min(factor * max(_SLOW * math.sqrt(seconds), _SHORTEST), _LONGEST)
        return self.leg * share * self.size


def leg_length(figure: Figure) -> float:
    """Return the height of a standing figure's hip joints above the floor, in m."""
    return float(figure.build.thigh + figure.build.shank + figure.build.sole)
