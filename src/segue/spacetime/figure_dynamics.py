"""Torques of a figure whose ball joints are quaternions, by the inverse dynamics of `segue.dynamics`.

A ball joint is six hinges: three along its parent's axes, which stand at zero and move, and three that turn it to where
it is at each sample and keep still. So no pose is near the edge of a chart, and the torques of the first three are the
moment in the parent's frame. Shapes: S samples, B ball joints.
"""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.forward_kernels import JointMotion
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.chart import BallCharts
from segue.dynamics import Tree, inverse_dynamics, inverse_dynamics_adjoint
from segue.dynamics.figure import bodies_of
from segue.spacetime._body_kernels import JointMotionGrad
from segue.typing import Array, Ints

_STILL = 3
"""Hinges of a ball joint that keep still."""


class FigureDynamics:
    """The inverse dynamics of a figure, with its adjoint."""

    def __init__(self, figure: Figure) -> None:
        bodies = bodies_of(figure)
        last = {int(dofs[2]) for dofs in HUMAN.ball_dofs}
        of_dof = np.arange(HUMAN.dof_count) + _STILL * np.array(
            [sum(d < k for d in last) for k in range(HUMAN.dof_count)]
        )
        end = of_dof + _STILL * np.isin(np.arange(HUMAN.dof_count), sorted(last))
        count = HUMAN.dof_count + _STILL * len(last)
        parents, axes, sliders = np.arange(-1, count - 1), np.zeros((count, 3)), np.zeros(count, bool)
        above = bodies["parents"]
        parents[of_dof] = np.where(above >= 0, end[above], -1)
        axes[of_dof], sliders[of_dof] = HUMAN.dof_axes, bodies["sliders"]
        self._still: Ints = end[HUMAN.ball_dofs[:, 2], None] + np.arange(1 - _STILL, 1)
        axes[of_dof[HUMAN.ball_dofs]] = axes[self._still] = np.eye(3)
        offsets, masses, centres = np.zeros((count, 3)), np.zeros(count), np.zeros((count, 3))
        inertias = np.zeros((count, 3, 3))
        offsets[of_dof] = bodies["offsets"]
        masses[end], centres[end], inertias[end] = bodies["masses"], bodies["centres"], bodies["inertias"]
        self._tree = Tree(parents, axes, offsets, masses, centres, inertias, sliders)
        self._dofs: Ints = of_dof
        self._charts = BallCharts(np.tile(quaternion.identity(), (len(last), 1)), np.zeros(len(last), np.int64))

    def torques(self, joints: JointMotion) -> Array:
        """Return forces and torques (S, 44): on the root, of ball joints in the parent's frame, of hinges.

        A descent may look at a path that goes beyond all numbers, and turns back from it: torques are then none too.
        """
        motion = self._motion(joints)
        if not np.isfinite(motion).all():
            return np.full((len(motion[0]), HUMAN.dof_count), np.nan)
        return inverse_dynamics(self._tree, *motion)[:, self._dofs]

    def backprop(self, joints: JointMotion, by_torques: Array) -> JointMotionGrad:
        """Return derivatives by the joints' motion, given those by the torques (S, 44)."""
        q, qd, qdd = self._motion(joints)
        seed = np.zeros_like(q)
        seed[:, self._dofs] = by_torques
        tau, by = inverse_dynamics_adjoint(self._tree, q, qd, qdd, seed)
        orders = np.stack([part[:, self._dofs] for part in by])
        by_q, by_rate, by_rise = orders[:, :, HUMAN.ball_dofs]
        w1, w2, w3 = np.moveaxis(joints.spins[0], -1, 0)
        _, r2, r3 = np.moveaxis(joints.spins[1] - _swept(joints.spins[0]), -1, 0)
        f1, f2, f3 = np.moveaxis(by_rise, -1, 0)
        g1, g2, g3 = np.moveaxis(by_rate, -1, 0)
        n1, n2, n3 = np.moveaxis(tau[:, self._dofs[HUMAN.ball_dofs]], -1, 0)
        _, s2, s3 = np.moveaxis(by_torques[:, HUMAN.ball_dofs], -1, 0)
        # a turn of the joint turns the hinges' axes too: their rates change though angular velocities stay, and what
        # they carry changes though the moment stays
        moments = by_q.copy()
        moments[..., 0] += g2 * w3 - g3 * w2 - f1 * (w3**2 - w2**2) + f2 * r3 - f3 * r2 - s2 * n3 + s3 * n2
        moments[..., 1] += -g1 * w3 - f1 * r3 - f2 * w3**2 + 2.0 * f3 * w2 * w3 - s3 * n1
        by_spin = by_rate + np.stack([w3 * f2 - w2 * f3, -w3 * f1 - w1 * f3, w1 * f2 - w2 * f1], axis=-1)
        return JointMotionGrad(orders[:, :, :3], moments, np.stack([by_spin, by_rise]), orders[:, :, HUMAN.hinge_dofs])

    def inertias(self, poses: Poses) -> Array:
        """Return the diagonal of the inertia matrix (44,), mean over poses: kg, and kg m^2 from the third on."""
        count, dofs = len(poses), HUMAN.dof_count
        values = np.zeros((count * dofs, len(self._tree)))
        values[:, self._dofs[HUMAN.hinge_dofs]] = np.repeat(poses.hinges, dofs, axis=0)
        values[:, self._still] = np.repeat(self._charts.coordinates(poses.balls), dofs, axis=0)
        # one sample for each degree of freedom that is accelerated, alone and from rest
        rises = np.zeros_like(values)
        rises[np.arange(count * dofs), np.tile(self._dofs, count)] = 1.0
        tau = inverse_dynamics(self._tree, values, np.zeros_like(values), rises, gravity=(0.0, 0.0, 0.0))
        diagonal: Array = np.einsum("tii->i", tau[:, self._dofs].reshape(count, dofs, dofs)) / count
        return diagonal

    def _motion(self, joints: JointMotion) -> Array:
        """Return values, rates and accelerations of the tree's joints, (3, S, 65)."""
        q, qd, qdd = orders = np.zeros((3, joints.root.shape[1], len(self._tree)))
        orders[:, :, self._dofs[:3]] = joints.root
        orders[:, :, self._dofs[HUMAN.hinge_dofs]] = joints.hinges
        q[:, self._dofs[HUMAN.hinge_dofs]] %= 2.0 * np.pi
        q[:, self._still] = self._charts.coordinates(joints.turns)
        qd[:, self._dofs[HUMAN.ball_dofs]] = joints.spins[0]
        qdd[:, self._dofs[HUMAN.ball_dofs]] = joints.spins[1] - _swept(joints.spins[0])
        return orders


def _swept(spins: Array) -> Array:
    """Return the angular acceleration (..., 3) of three hinges at zero that turn evenly, each on the last."""
    x, y, z = np.moveaxis(spins, -1, 0)
    return np.stack([y * z, -x * z, x * y], axis=-1)
