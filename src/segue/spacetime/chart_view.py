"""A path in charts, 44 joint values of a gap, seen in the 51 coordinates of the figure."""

from __future__ import annotations

import numpy as np

from segue.body.human import HUMAN
from segue.curves.ball_charts import BallCharts
from segue.spacetime.terms.viewed import backprop_product, product
from segue.typing import Array


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
