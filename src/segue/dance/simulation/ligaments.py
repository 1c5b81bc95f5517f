"""Ligaments: what stops a ball joint at the rim of its cone. Hinges are stopped by the engine itself."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure
from segue.body.joints import BALL_JOINTS, DOF_COUNT, JOINTS
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.dance.simulation.state import BALL_PLACES
from segue.dynamics.figure import BALL_COLUMNS
from segue.keyframe.figure._limit_kernels import BallCones, balls_outside

__all__ = ["Ligaments"]

# applied from tick to tick: stiffer ones would make light limbs tremble
_STIFFNESS = 3.0  # N m/rad per kg of body mass
_DAMPING = 0.008  # N m s/rad per kg of body mass


class Ligaments:
    """Passive torques of a figure's ball joints, inside the body: they push one segment as hard as the other back."""

    def __init__(self, figure: Figure) -> None:
        limits = [joint.ball for joint in JOINTS if joint.ball]
        swings = np.array([limit.swing for limit in limits])
        along = np.abs([limit.axis for limit in limits]) > 0.5
        self._cones = BallCones(
            centre=np.array([limit.centre for limit in limits]),
            axis=np.array([limit.axis for limit in limits]),
            twist=np.array([limit.twist for limit in limits]),
            cone=np.where(along | np.isinf(swings), 0.0, 1.0 / swings),
            reach=np.ones(len(limits)),
            least=np.where(along, np.inf, swings).min(axis=1),
        )
        self._stiffness, self._damping = _STIFFNESS * figure.mass, _DAMPING * figure.mass
        self._cost, self._slope = np.empty((1, len(BALL_JOINTS))), np.empty((1, len(BALL_JOINTS), 3))
        self._none = np.zeros(DOF_COUNT)

    def torques(self, positions: Array, velocities: Array) -> Array:
        """Return the torques (44,) at the engine's positions and velocities; zero inside all limits."""
        turns = positions[BALL_PLACES][None]
        balls_outside(self._cones, turns, self._cost, self._slope)
        if not self._cost.any():
            return self._none
        torques = np.zeros(DOF_COUNT)
        for ball in np.flatnonzero(self._cost[0]):
            # the slope of the squared excess is along the parent's axes, the engine's torque along the segment's
            inwards = quaternion.rotate(quaternion.conjugate(turns[0, ball]), -0.5 * self._slope[0, ball])
            columns = BALL_COLUMNS[ball]
            torques[columns] = self._stiffness * inwards - self._damping * velocities[columns]
        return torques
