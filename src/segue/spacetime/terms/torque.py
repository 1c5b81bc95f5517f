"""Joints should need little torque."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.checks import array
from segue.errors import ArgumentError
from segue.spacetime._body_kernels import BodyMotionGrad
from segue.spacetime.figure_motion import FigureBodies, FigureMotion, by_column, joint_inertias
from segue.spacetime.path import Samples
from segue.spacetime.terms.body import BodyTerm
from segue.typing import Array

_POSES = 4  # inertias change little along a motion


class Torque(BodyTerm):
    """The weighted sum of squared torques, (N m)^2 s: what [Rose1996] minimises, of joints without charts.

    A ball joint's torque is the moment in its parent's frame, a hinge's that about its axis. weights: (44,), in the
    order of the figure's degrees of freedom; 1 for joints and 0 for the root, which no joint drives, where not given.
    """

    name = "torque"

    def __init__(self, body: FigureBodies | Figure, weights: npt.ArrayLike | None = None) -> None:
        super().__init__(body)
        self.weights = checked_dof_weights(weights)

    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: BodyMotionGrad, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the bodies' motion to others."""
        weighted = samples.weights[:, None] * self.weights * motion.loads.torques
        motion.backprop_torques(grad, 2.0 * factor * weighted)
        return float((weighted * motion.loads.torques).sum())

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S): a torque is nearly inertia times acceleration."""
        return torque_curvature(self.body, self.weights, samples, 2)


def torque_curvature(body: FigureBodies, weights: Array, samples: Samples, order: int) -> Array:
    """Return weighted squares of inertias, (4, D, S), at one order of derivative."""
    few = np.unique(np.linspace(0, len(samples.times) - 1, _POSES).astype(int))
    inertias = joint_inertias(body, Poses.of_rows(samples.value[few]))
    curvature = np.zeros((4, HUMAN.column_count, len(samples.times)))
    curvature[order] = 2.0 * np.multiply.outer(by_column(weights * inertias**2), samples.weights)
    return curvature


def checked_dof_weights(weights: npt.ArrayLike | None) -> Array:
    """Return weights (44,) of degrees of freedom; 1 and, for the root, 0 where not given."""
    if weights is None:
        return np.where(np.arange(HUMAN.dof_count) < HUMAN.root_dofs, 0.0, 1.0)
    needed = f"{HUMAN.dof_count} numbers that are not negative are needed, one for each degree of freedom"
    return array("the weights of torques", weights, (HUMAN.dof_count,), least=0.0, needed=needed)


class TorqueChange(BodyTerm):
    """The weighted sum of squared changes of torques, (N m / s)^2 s, after [Uno1989].

    Torques are taken as straight between samples. weights: as for `Torque`; 1 / (M_ii + 0.02 kg m^2)^2, with the
    inertias M_ii of `segue.spacetime.figure_motion`, makes them changes of acceleration.
    """

    name = "torque change"

    def __init__(self, body: FigureBodies | Figure, weights: npt.ArrayLike | None = None) -> None:
        super().__init__(body)
        self.weights = checked_dof_weights(weights)

    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: BodyMotionGrad, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the bodies' motion to others."""
        steps = np.diff(samples.times)
        if not (len(steps) and (steps > 0).all()):
            raise ArgumentError("the change of a torque needs at least two samples, in order of time")
        changes = np.diff(motion.loads.torques, axis=0)
        by_change = 2.0 * self.weights * changes / steps[:, None]
        by_torques = np.zeros_like(motion.loads.torques)
        by_torques[1:] += factor * by_change
        by_torques[:-1] -= factor * by_change
        motion.backprop_torques(grad, by_torques)
        return 0.5 * float((by_change * changes).sum())

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S): a change of torque is nearly inertia times jerk."""
        return torque_curvature(self.body, self.weights, samples, 3)
