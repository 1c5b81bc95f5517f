"""Joints should change their torques smoothly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure
from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.keyframe.figure.bodies import FigureBodies
from segue.keyframe.path import Samples
from segue.keyframe.penalties.torque import checked_dof_weights, torque_curvature

__all__ = ["TorqueChange"]


class TorqueChange:
    """The weighted sum of squared changes of torques, (N m / s)^2 s, after [Uno1989].

    Torques are taken as straight between samples. weights: as for `Torque`; 1 / (M_ii + 0.02 kg m^2)^2, with the
    inertias M_ii of `segue.keyframe.figure.inertia`, makes them changes of acceleration.
    """

    name = "torque change"

    def __init__(self, body: FigureBodies | Figure, weights: npt.ArrayLike | None = None) -> None:
        self.body = body if isinstance(body, FigureBodies) else FigureBodies(body)
        self.weights = checked_dof_weights(weights)

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by the path at the samples."""
        motion = self.body.motion(samples)
        steps, changes = self._changes(samples, motion.loads.torques)
        by_change = 2.0 * self.weights * changes / steps[:, None]
        by_torques = np.zeros_like(motion.loads.torques)
        by_torques[1:] += by_change
        by_torques[:-1] -= by_change
        pull = motion.no_pull()
        motion.pull_torques(pull, by_torques)
        return 0.5 * float((by_change * changes).sum()), motion.gradient(pull, samples)

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, D, S): a change of torque is nearly inertia times jerk."""
        return torque_curvature(self.body, self.weights, samples, 3)

    def _changes(self, samples: Samples, torques: Array) -> tuple[Array, Array]:
        """Return the times between samples, (S - 1,), and the changes of torques there, (S - 1, 44)."""
        steps = np.diff(samples.times)
        if not (len(steps) and (steps > 0).all()):
            raise ArgumentError("the change of a torque needs at least two samples, in order of time")
        return steps, np.diff(torques, axis=0)
