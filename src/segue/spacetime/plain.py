"""The plain sum of terms over a gap: samples of the path, the terms of a user, and what `fused` computes, term by term.

Unknowns are those of the fused solver, (F, m) modes of time. A term sees the path in the 51 coordinates of the figure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from segue.body.human import HUMAN
from segue.curves.chart import BallCharts
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.gap import Gap
from segue.spacetime.path import Samples
from segue.spacetime.terms.body import SeenSamples, ViewedTerm, backprop_product, product
from segue.spacetime.terms.feet import FootRest
from segue.spacetime.terms.floor import Floor
from segue.spacetime.terms.hold import Hold, Holds
from segue.spacetime.terms.smoothness import Acceleration, Jerk, Velocity
from segue.spacetime.terms.term import TermSum, Weighted
from segue.spacetime.terms.torque import Torque, TorqueChange
from segue.typing import Array, Ints


class ChartView:
    """The figure's coordinates along a path in charts; see `View`.

    A ball joint's quaternion is its reference times three turns about moving axes, whose derivatives follow by
    Leibniz' rule from those of exp(i angle / 2).
    """

    def __init__(self, charts: BallCharts) -> None:
        self._reference = np.zeros((4, *charts.reference.shape))
        self._reference[0] = charts.reference
        self._axes = 1 + (charts.leading[:, None] + np.arange(3)) % 3
        self._balls = np.arange(len(charts.leading))
        self._steps: list[tuple[Array, Array, Array]] = []

    def forward(self, orders: Array) -> Array:
        """Return orders (4, S, 51) of joint values (4, S, 44)."""
        rows = np.empty((*orders.shape[:2], HUMAN.column_count))
        rows[:, :, :3] = orders[:, :, :3]
        rows[:, :, HUMAN.hinge_columns] = orders[:, :, HUMAN.hinge_dofs]
        angles = orders[:, :, HUMAN.ball_dofs]
        turn = np.broadcast_to(self._reference[:, None], (*angles.shape[:3], 4))
        self._steps = []
        for k in range(3):
            h, z = 0.5 * angles[..., k], np.exp(0.5j * angles[0, ..., k])
            wave = np.stack([z, 1j * h[1] * z, (1j * h[2] - h[1] ** 2) * z])
            wave = np.concatenate([wave, [(1j * h[3] - 3.0 * h[1] * h[2] - 1j * h[1] ** 3) * z]])
            own = np.zeros((*angles.shape[:3], 4))
            own[..., 0] = wave.real
            own[:, :, self._balls, self._axes[:, k]] = wave.imag
            self._steps.append((turn, own, h))
            turn = product(turn, own)
        rows[:, :, HUMAN.ball_columns] = turn.reshape(*orders.shape[:2], -1)
        return rows

    def backprop(self, by_rows: Array) -> Array:
        """Return derivatives (4, S, 44) by the joint values last seen, given those (4, S, 51) by the coordinates."""
        by_orders = np.empty((*by_rows.shape[:2], HUMAN.dof_count))
        by_orders[:, :, :3] = by_rows[:, :, :3]
        by_orders[:, :, HUMAN.hinge_dofs] = by_rows[:, :, HUMAN.hinge_columns]
        by_turn = by_rows[:, :, HUMAN.ball_columns].reshape(*by_rows.shape[:2], len(self._balls), 4)
        for k in (2, 1, 0):
            before, own, h = self._steps[k]
            by_turn, by_own = backprop_product(before, own, by_turn)
            # of a real number that changes by Re(conj(g) dz), with dz = i z dh and so on
            by_wave = by_own[..., 0] + 1j * by_own[:, :, self._balls, self._axes[:, k]]
            wave = own[..., 0] + 1j * own[:, :, self._balls, self._axes[:, k]]
            g0, g1, g2, g3 = np.conj(by_wave) * wave[0]
            one, two, three = 1j * h[1], 1j * h[2] - h[1] ** 2, 1j * h[3] - 3.0 * h[1] * h[2] - 1j * h[1] ** 3
            columns = HUMAN.ball_dofs[:, k]
            by_orders[0][:, columns] = 0.5 * (1j * (g0 + g1 * one + g2 * two + g3 * three)).real
            by_orders[1][:, columns] = 0.5 * (1j * g1 - 2.0 * h[1] * g2 - (3.0 * h[2] + 3j * h[1] ** 2) * g3).real
            by_orders[2][:, columns] = 0.5 * (1j * g2 - 3.0 * h[1] * g3).real
            by_orders[3][:, columns] = 0.5 * (1j * g3).real
        return by_orders

    def curvature(self, own: Array) -> Array:
        """Return second derivatives (4, 44, S): an angle changes a unit quaternion by half as much."""
        curvature = np.empty((4, HUMAN.dof_count, own.shape[2]))
        curvature[:, :3] = own[:, :3]
        curvature[:, HUMAN.hinge_dofs] = own[:, HUMAN.hinge_columns]
        balls = own[:, HUMAN.ball_columns].reshape(4, len(self._balls), 4, -1).mean(axis=2)
        curvature[:, HUMAN.ball_dofs] = 0.25 * balls[:, :, None]
        return curvature


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
