"""The plain sum of terms over a gap: samples of the path, the terms of a user, and what `fused` computes, term by term.

Unknowns are those of the fused solver, (F, m) modes of time. A term sees the path in the 51 coordinates of the figure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from segue.body.human import HUMAN
from segue.spacetime.chart_view import ChartView
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.gap import Gap
from segue.spacetime.path import Samples
from segue.spacetime.terms.floor import Floor
from segue.spacetime.terms.foot_rest import FootRest
from segue.spacetime.terms.hold import Hold, Holds
from segue.spacetime.terms.smoothness import Acceleration, Jerk, Velocity
from segue.spacetime.terms.term import TermSum, Weighted
from segue.spacetime.terms.torque import Torque, TorqueChange
from segue.spacetime.terms.viewed import SeenSamples, ViewedTerm
from segue.typing import Array, Ints


class PlainSum:
    """A sum of terms as a function of a gap's unknowns; terms see the figure, `of_charts` see joint values (S, 44)."""

    def __init__(self, gap: Gap, terms: Iterable[Weighted], of_charts: Iterable[Weighted] = ()) -> None:
        self._gap = gap
        seen = SeenSamples(ChartView(gap.tree.charts))
        viewed = [Weighted(ViewedTerm(each.term, seen), each.weight) for each in terms]
        self._sum = TermSum.of([*viewed, *of_charts])

    def samples(self, unknowns: Array) -> Samples:
        """Return joint values (S, 44) and three derivatives along the path of unknowns (F, m), at the gap's times."""
        gap, modes = self._gap, self._gap.modes
        orders = modes.sampled @ gap.control(unknowns)
        if gap.given is not None:
            known = np.asarray(gap.known, dtype=bool)
            orders[:3, :, known] = gap.given[:, :, known]
            orders[3, :, known] = 0.0
        return Samples(modes.times, modes.weights[0], *orders)

    def check(self, unknowns: Array) -> None:
        """Raise ArgumentError where a term is not a number, or its gradient has another shape."""
        self._sum.parts(self.samples(unknowns))

    def value(self, unknowns: Array) -> tuple[float, Array]:
        """Return the sum and its gradient (F, m)."""
        value, gradient = self._sum.evaluate(self.samples(unknowns))
        by_path = np.stack([part[:, self._gap.free] for part in gradient[2:]])
        by_modes: Array = np.einsum("ksm,ksf->fm", self._modes, by_path)
        return value, by_modes

    def curvature(self, unknowns: Array) -> Array:
        """Return the diagonal (F, m) of about the second derivatives."""
        diagonal = np.zeros((len(self._gap.free), self._gap.coefficients))
        for bends in self._sum.curvatures(self.samples(unknowns)):
            diagonal += np.einsum("ksm,kfs->fm", self._modes**2, bends[:, self._gap.free])
        return diagonal

    @cached_property
    def _modes(self) -> Array:
        """The modes of time and three derivatives, (4, S, m)."""
        modes: Array = self._gap.modes.sampled[:, :, 2:-2] @ self._gap.modes.to_control
        return modes


def plain_sum(gap: Gap) -> PlainSum:
    """Return the terms of a gap's objective, ground and holds, as the fused solver has them since its last solve.

    Limits act on control points and not on samples; they are no part of the sum.
    """
    problem, goal, modes, body = gap.problem, gap.objective, gap.modes, FigureBodies(gap.figure)
    free = np.isin(np.arange(HUMAN.dof_count), gap.free).astype(float)
    moved = np.zeros(HUMAN.dof_count)
    for first, last in problem.branch.tolist():
        moved[first:last] = 1.0
    about = None if gap.reference_path is None else modes.sampled @ gap.reference_path
    of_charts = [
        Weighted(kind(free, None if about is None else about[kind.order]), weight**2)
        for weight, kind in ((goal.velocity, Velocity), (goal.acceleration, Acceleration), (goal.jerk, Jerk))
        if weight
    ]
    if goal.torque:
        of_charts.append(Weighted(Torque(gap.tree, moved * problem.torque)))
    if goal.torque_change:
        of_charts.append(Weighted(TorqueChange(gap.tree, moved * problem.torque_rate_weight)))
    terms, table, weights = [], problem.points, modes.weights[0]
    resting, sinking, held = (
        np.flatnonzero(rows.any(axis=1)) for rows in (table.speed_weight, table.rest > -np.inf, table.hold)
    )
    if len(resting):
        near = (table.speed_weight * table.proximity)[resting] / (goal.foot**2 * weights)
        scales = {"speed": table.speed, "drag": table.drag, "clearance": table.clearance}
        counted = (table.speed_weight[resting] / (goal.foot**2 * weights)).T
        rest = FootRest(body, _names(gap, resting), near.T, table.rest[resting].T, counted=counted, **scales)
        terms.append(Weighted(rest, goal.foot**2))
    if len(sinking):
        floor = Floor(body, _names(gap, sinking), height=table.rest[sinking].T)
        terms.append(Weighted(floor, float(table.floor_weight[0] / weights[0])))
    if len(held):
        holds = [Hold(gap.points[p], table.hold[p] / weights, table.target[p]) for p in held]
        terms.append(Weighted(Holds(body, holds)))
    return PlainSum(gap, terms, of_charts)


def _names(gap: Gap, which: Ints) -> list[str]:
    return [gap.points[p] for p in which]
