"""Joints should change their torques smoothly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure
from segue.errors import ArgumentError
from segue.keyframe.figure._body_kernels import BodyPull
from segue.keyframe.figure.bodies import FigureBodies, FigureMotion
from segue.keyframe.figure.body_penalty import BodyPenalty
from segue.keyframe.path import Samples
from segue.keyframe.penalties.torque import checked_dof_weights, torque_curvature
from segue.typing import Array


class TorqueChange(BodyPenalty):
    """The weighted sum of squared changes of torques, (N m / s)^2 s, after [Uno1989].

    Torques are taken as straight between samples. weights: as for `Torque`; 1 / (M_ii + 0.02 kg m^2)^2, with the
    inertias M_ii of `segue.keyframe.figure.inertia`, makes them changes of acceleration.
    """

    name = "torque change"

    def __init__(self, body: FigureBodies | Figure, weights: npt.ArrayLike | None = None) -> None:
        super().__init__(body)
        self.weights = checked_dof_weights(weights)

    def add_pull(self, samples: Samples, motion: FigureMotion, pull: BodyPull, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the bodies' motion to others."""
        steps = np.diff(samples.times)
        if not (len(steps) and (steps > 0).all()):
            raise ArgumentError("the change of a torque needs at least two samples, in order of time")
        changes = np.diff(motion.loads.torques, axis=0)
        by_change = 2.0 * self.weights * changes / steps[:, None]
        by_torques = np.zeros_like(motion.loads.torques)
        by_torques[1:] += factor * by_change
        by_torques[:-1] -= factor * by_change
        motion.pull_torques(pull, by_torques)
        return 0.5 * float((by_change * changes).sum())

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S): a change of torque is nearly inertia times jerk."""
        return torque_curvature(self.body, self.weights, samples, 3)
