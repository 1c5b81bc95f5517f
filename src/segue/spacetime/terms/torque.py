"""Joints should need little torque, or change it gently; in flights nothing pushes the root."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.checks import array
from segue.dynamics import FigureTree, inverse_dynamics, inverse_dynamics_adjoint
from segue.errors import ArgumentError
from segue.spacetime.figure_motion import FigureBodies, FigureMotion, MotionGrad, by_column
from segue.spacetime.path import Samples
from segue.spacetime.terms.body import BodyTerm
from segue.typing import Array

_POSES = 4  # inertias change little along a motion


class TorqueTerm(BodyTerm, ABC):
    """A weighted sum of squares of torques at the samples.

    body: a figure, on paths of its 51 coordinates: a ball joint's torque is the moment in its parent's frame. Or a tree
    in charts, on paths of its 44 joint values: torques are those about the axes of the charts. weights: (44,), in the
    order of the figure's degrees of freedom; 1 for joints and 0 for the root, which no joint drives, where not given.
    """

    order: int

    def __init__(self, body: FigureBodies | Figure | FigureTree, weights: npt.ArrayLike | None = None) -> None:
        super().__init__(body.figure if isinstance(body, FigureTree) else body)
        self._tree = body.tree if isinstance(body, FigureTree) else None
        self.weights = checked_dof_weights(weights)

    @abstractmethod
    def cost(self, samples: Samples, torques: Array) -> tuple[float, Array]:
        """Return the integral, and its derivatives by the torques (S, 44)."""

    def add_gradient(self, samples: Samples, motion: FigureMotion, grad: MotionGrad, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the figure's motion to others."""
        value, by_torques = self.cost(samples, motion.torques)
        if np.isfinite(value):
            motion.backprop_torques(grad, factor * by_torques)
        return value

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by the path at the samples."""
        if self._tree is None:
            return super().evaluate(samples)
        motion = samples[2:5]
        value, seed = self.cost(samples, inverse_dynamics(self._tree, *motion))
        gradient = samples.zeros()
        for into, part in zip(gradient[2:5], inverse_dynamics_adjoint(self._tree, *motion, seed)[1], strict=True):
            into[:] = part
        return value, gradient

    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives (4, 51, S): a torque is nearly inertia times acceleration."""
        few = np.unique(np.linspace(0, len(samples.times) - 1, _POSES).astype(int))
        inertias = self.body.dynamics.inertias(Poses.from_rows(samples.value[few]))
        curvature = np.zeros((4, HUMAN.column_count, len(samples.times)))
        curvature[self.order] = 2.0 * np.multiply.outer(by_column(self.weights * inertias**2), samples.weights)
        return curvature


class Torque(TorqueTerm):
    """The weighted sum of squared torques, (N m)^2 s: what [Rose1996] minimises; see `TorqueTerm`."""

    name = "torque"
    order = 2

    def cost(self, samples: Samples, torques: Array) -> tuple[float, Array]:
        """Return the integral of squares."""
        weighted = samples.weights[:, None] * self.weights * torques
        return float((weighted * torques).sum()), 2.0 * weighted


class TorqueChange(TorqueTerm):
    """The weighted sum of squared changes of torques, (N m / s)^2 s, after [Uno1989]; see `TorqueTerm`.

    Torques are taken as straight between samples. The weights 1 / (M_ii + 0.02 kg m^2)^2, with the inertias M_ii of
    `FigureDynamics.inertias`, make them changes of acceleration.
    """

    name = "torque change"
    order = 3

    def cost(self, samples: Samples, torques: Array) -> tuple[float, Array]:
        """Return the integral of squared slopes between samples."""
        steps = np.diff(samples.times)
        if not (len(steps) and (steps > 0).all()):
            raise ArgumentError("the change of a torque needs at least two samples, in order of time")
        changes = np.diff(torques, axis=0)
        by_change = 2.0 * self.weights * changes / steps[:, None]
        by_torques = np.zeros_like(torques)
        by_torques[1:] += by_change
        by_torques[:-1] -= by_change
        return 0.5 * float((by_change * changes).sum()), by_torques


def checked_dof_weights(weights: npt.ArrayLike | None) -> Array:
    """Return weights (44,) of degrees of freedom; 1 and, for the root, 0 where not given."""
    if weights is None:
        return np.where(np.arange(HUMAN.dof_count) < HUMAN.root_dofs, 0.0, 1.0)
    needed = f"{HUMAN.dof_count} numbers that are not negative are needed, one for each degree of freedom"
    return array("the weights of torques", weights, (HUMAN.dof_count,), least=0.0, needed=needed)


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
