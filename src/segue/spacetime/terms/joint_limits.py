"""Joints must stay within their limits: knees and elbows, above all, must not bend backwards."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.limits import BallCones, balls_outside
from segue.checks import number
from segue.curves.quaternion_kernels import kernel_array
from segue.spacetime.figure_motion import FigureBodies, bodies_of
from segue.spacetime.path import Samples
from segue.spacetime.terms.body import check_of_figure
from segue.typing import Array


class JointLimits:
    """How far joints are outside their limits, squared: rad^2 s.

    A hinge has an interval; the swing of a ball joint must lie in an elliptic cone and its twist in an interval, see
    `BallLimit`. widened: poses, such as keyframes that are met whatever they are, whose joints count as within limits.
    margin: rad by which limits are drawn in, but never so far that a widening pose is outside.
    """

    name = "limits"

    def __init__(self, body: FigureBodies | Figure, widened: Poses | None = None, *, margin: float = 0.0) -> None:
        self.body = bodies_of(body)
        margin = number("the margin of limits", margin, least=0.0, unit="radians")
        self._low, self._high = HUMAN.limits.low + margin, HUMAN.limits.high - margin
        balls = HUMAN.ball_limits
        self._cones = BallCones.of(balls, margin)
        if widened is None:
            return
        self._low = np.minimum(self._low, widened.hinges.min(axis=0))
        self._high = np.maximum(self._high, widened.hinges.max(axis=0))
        for b, limit in enumerate(balls):
            if not limit.is_free:
                turned, twist = limit.split(widened.balls[:, b])
                self._cones.reach[b] = max(self._cones.reach[b], limit.reach(turned).max())
                self._cones.twist[b] = (
                    min(self._cones.twist[b, 0], twist.min()),
                    max(self._cones.twist[b, 1], twist.max()),
                )

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by the path at the samples."""
        check_of_figure(self.name, samples)
        gradient = samples.zeros()
        over = self._over(samples)
        gradient.value[:, HUMAN.hinge_columns] = 2.0 * samples.weights[:, None] * over
        cost, by_turn = self._balls(samples)
        if cost.any():
            still = np.zeros_like(by_turn)
            weighted = samples.weights[:, None, None] * by_turn
            self.body.motion(samples).add_balls(gradient, weighted, still, still)
        return float(samples.weights @ ((over**2).sum(axis=1) + cost.sum(axis=1))), gradient

    def residual(self, samples: Samples) -> Array:
        """Return the term before it is integrated, (S,)."""
        density: Array = (self._over(samples) ** 2).sum(axis=1) + self._balls(samples)[0].sum(axis=1)
        return density

    def curvature(self, samples: Samples) -> Array:
        """Return the second derivatives (4, D, S), of joints that are outside."""
        curvature = np.zeros((4, samples.value.shape[1], len(samples.times)))
        curvature[0, HUMAN.hinge_columns] = 2.0 * samples.weights * (self._over(samples) != 0.0).T
        outside = (self._balls(samples)[0] > 0.0).T
        # a turn is twice the change of a unit quaternion
        curvature[0, HUMAN.ball_columns] = np.repeat(8.0 * samples.weights * outside, 4, axis=0)
        return curvature

    def _over(self, samples: Samples) -> Array:
        """Return how far hinges are beyond their limits, (S, H), negative below."""
        angles = samples.value[:, HUMAN.hinge_columns]
        return np.maximum(angles - self._high, 0.0) - np.maximum(self._low - angles, 0.0)

    def _balls(self, samples: Samples) -> tuple[Array, Array]:
        """Return the squared excess (S, B) of ball joints, and its derivatives by rotation (S, B, 3)."""
        cost, by_turn = (
            np.empty((len(samples.times), len(HUMAN.ball_names))),
            np.empty((len(samples.times), len(HUMAN.ball_names), 3)),
        )
        balls_outside(self._cones, kernel_array(self.body.motion(samples).joint_motion.turns), cost, by_turn)
        return cost, by_turn
