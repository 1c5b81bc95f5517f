"""While nothing carries the body, nothing pushes it: the root's wrench is zero."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.path import Samples
from segue.spacetime.terms.torque import TorqueTerm
from segue.typing import Array

_ARM = 0.3  # m: a moment counts as the force that has this arm


class FreeFall(TorqueTerm):
    """The squared force and moment on the root in flights, per kg of body mass: (m/s^2)^2 s.

    The force is the rate of change of momentum less the weight, so that the centre of mass falls where it is zero. With
    no moment besides, the angular momentum stays what it was. flights: (start, stop) in s.
    """

    name = "flight"
    order = 2

    def __init__(self, body: FigureBodies | Figure, flights: Sequence[tuple[float, float]]) -> None:
        figure = body if isinstance(body, Figure) else body.figure
        weights = np.zeros(HUMAN.dof_count)
        weights[:3], weights[3 : HUMAN.root_dofs] = figure.mass**-2, (figure.mass * _ARM) ** -2
        super().__init__(body, weights)
        self.flights = tuple(flights)

    def aloft(self, times: Array) -> Array:
        """Return 1 at times (S,) in flights, 0 at others."""
        inside = [(times >= start) & (times <= stop) for start, stop in self.flights]
        return np.any(inside, axis=0).astype(float) if inside else np.zeros(len(times))

    def cost(self, samples: Samples, torques: Array) -> tuple[float, Array]:
        """Return the integral of squares over the flights."""
        weighted = (self.aloft(samples.times) * samples.weights)[:, None] * self.weights * torques
        return float((weighted * torques).sum()), 2.0 * weighted

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, 51, S), which are those of torques in flights alone."""
        return np.asarray(super().curvature(samples) * self.aloft(samples.times))
