"""What the figure's joints have to turn: the inertia about each degree of freedom."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.keyframe.figure._body_kernels import Bodies, Drive, move_bodies
from segue.keyframe.figure._force_kernels import Loads, joint_loads
from segue.keyframe.figure.bodies import FigureBodies
from segue.keyframe.figure.columns import BALLS, COLUMN_COUNT, HINGES
from segue.typing import Array

"""The first degrees of freedom, which no joint drives."""


def joint_inertias(body: FigureBodies, poses: Poses) -> Array:
    """Return the diagonal of the inertia matrix (44,), mean over poses: kg, and kg m^2 from the third on."""
    count, links = len(poses), len(body.links.parents)
    weightless = body.masses._replace(gravity=np.zeros(3))
    repeated = Drive(
        np.zeros((3, count * HUMAN.dof_count, 3)),
        np.repeat(poses.balls, HUMAN.dof_count, axis=0),
        np.zeros((2, count * HUMAN.dof_count, len(HUMAN.ball_names), 3)),
        np.zeros((3, count * HUMAN.dof_count, poses.hinges.shape[1])),
    )
    repeated.hinges[0] = np.repeat(poses.hinges, HUMAN.dof_count, axis=0)
    # one sample for each degree of freedom that is accelerated, alone and from rest
    rows = np.arange(count)[:, None] * HUMAN.dof_count
    repeated.root[2, rows + np.arange(3), np.arange(3)] = 1.0
    for ball, columns in enumerate(HUMAN.ball_dofs):
        repeated.spins[1, rows + columns, ball, np.arange(3)] = 1.0
    repeated.hinges[2, rows + HUMAN.hinge_dofs, np.arange(len(HUMAN.hinge_dofs))] = 1.0
    shape = (count * HUMAN.dof_count, links)
    bodies = Bodies(np.empty((*shape, 4)), np.empty((5, *shape, 3)), np.empty((2, *shape, 3)))
    move_bodies(body.links, repeated, bodies)
    loads = Loads(np.empty((*shape, 3)), np.empty((*shape, 3)), np.empty((count * HUMAN.dof_count, HUMAN.dof_count)))
    joint_loads(body.links, weightless, bodies, loads)
    inertias: Array = np.einsum("tii->i", loads.torques.reshape(count, HUMAN.dof_count, HUMAN.dof_count)) / count
    return inertias


def by_column(of_dofs: Array) -> Array:
    """Return squares' weights (51,) of coordinates from those (44,) of degrees of freedom.

    A ball joint's is the mean of its three, for four numbers whose change is half that of the angle.
    """
    weights = np.empty(COLUMN_COUNT)
    weights[:3] = of_dofs[:3]
    weights[BALLS] = np.repeat(4.0 * of_dofs[HUMAN.ball_dofs].mean(axis=1), 4)
    weights[HINGES] = of_dofs[HUMAN.hinge_dofs]
    return weights
