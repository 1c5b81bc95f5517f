"""Joints should need little torque."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.errors import ArgumentError
from segue.keyframe.figure._body_kernels import BodyPull
from segue.keyframe.figure.bodies import FigureBodies, FigureMotion
from segue.keyframe.figure.body_penalty import BodyPenalty
from segue.keyframe.figure.columns import COLUMN_COUNT, poses_of
from segue.keyframe.figure.inertia import by_column, joint_inertias
from segue.keyframe.given import numbers
from segue.keyframe.path import Samples
from segue.typing import Array

_POSES = 4  # inertias change little along a motion


class Torque(BodyPenalty):
    """The weighted sum of squared torques, (N m)^2 s: what [Rose1996] minimises, of joints without charts.

    A ball joint's torque is the moment in its parent's frame, a hinge's that about its axis. weights: (44,), in the
    order of the figure's degrees of freedom; 1 for joints and 0 for the root, which no joint drives, where not given.
    """

    name = "torque"

    def __init__(self, body: FigureBodies | Figure, weights: npt.ArrayLike | None = None) -> None:
        super().__init__(body)
        self.weights = checked_dof_weights(weights)

    def add_pull(self, samples: Samples, motion: FigureMotion, pull: BodyPull, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the bodies' motion to others."""
        weighted = samples.weights[:, None] * self.weights * motion.loads.torques
        motion.pull_torques(pull, 2.0 * factor * weighted)
        return float((weighted * motion.loads.torques).sum())

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S): a torque is nearly inertia times acceleration."""
        return torque_curvature(self.body, self.weights, samples, 2)


def torque_curvature(body: FigureBodies, weights: Array, samples: Samples, order: int) -> Array:
    """Return weighted squares of inertias, (4, D, S), at one order of derivative."""
    few = np.unique(np.linspace(0, len(samples.times) - 1, _POSES).astype(int))
    inertias = joint_inertias(body, poses_of(samples.value[few]))
    bends = np.zeros((4, COLUMN_COUNT, len(samples.times)))
    bends[order] = 2.0 * np.multiply.outer(by_column(weights * inertias**2), samples.weights)
    return bends


def checked_dof_weights(weights: npt.ArrayLike | None) -> Array:
    """Return weights (44,) of degrees of freedom; 1 and, for the root, 0 where not given."""
    if weights is None:
        return np.where(np.arange(HUMAN.dof_count) < HUMAN.root_dofs, 0.0, 1.0)
    given = numbers("the weights of torques", weights, f"{HUMAN.dof_count} numbers that are not negative are")
    if given.shape != (HUMAN.dof_count,) or (given < 0).any():
        raise ArgumentError(
            f"weights of torques must be {HUMAN.dof_count} numbers that are not negative, one a degree of freedom"
        )
    return given
