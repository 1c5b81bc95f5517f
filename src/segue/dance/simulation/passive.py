"""Passive torques: ligaments at the limits of ball joints, and tissue that damps a body without muscle drive.

A controller that has lost the floor asks for accelerations that no posture can give. It would put 10 to 30 kW into
light segments until they spin at 300 rad/s, where explicit integration gains energy in every step and diverges. So a
falling body becomes passive.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.body.limits import BallCones, balls_outside
from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, get_vector, rotated, turn_back
from segue.dance.simulation.engine import mujoco
from segue.typing import Array

_BALL_DOFS = HUMAN.ball_dofs
_BALL_POSITIONS = HUMAN.ball_positions

# rad of excess above which the torque is constant: opposite to the centre of the cone the twist is undefined and its
# gradient has no bound
_MOST_EXCESS = 1.5


@compiled(seconds=5)
def ligament_torques(
    cones: BallCones, positions: Array, velocities: Array, stiffness: float, damping: float, torques: Array
) -> None:
    """Write the torques (44,) of ball joints beyond their cones; zero inside.

    positions: (51,) and velocities: (44,) of the engine. stiffness: N m/rad, damping: N m s/rad. The torque of the
    stiffness is constant above an excess of `_MOST_EXCESS`.
    """
    count = len(_BALL_POSITIONS)
    turns, cost, slope = np.empty((1, count, 4)), np.empty((1, count)), np.empty((1, count, 3))
    for b in range(count):
        for k in range(4):
            turns[0, b, k] = positions[_BALL_POSITIONS[b, k]]
    balls_outside(cones, turns, cost, slope)
    torques[:] = 0.0
    for b in range(count):
        if cost[0, b] > 0.0:
            # the gradient is in the parent's frame, the engine's torque in the segment's
            inwards = rotated(turn_back(get_quat(turns[0], b)), get_vector(slope[0], b))
            excess = 0.5 * np.sqrt(inwards[0] ** 2 + inwards[1] ** 2 + inwards[2] ** 2)
            pull = 0.5 * stiffness
            if excess > _MOST_EXCESS:
                pull *= _MOST_EXCESS / excess
            for k in range(3):
                column = _BALL_DOFS[b, k]
                torques[column] = -pull * inwards[k] - damping * velocities[column]


# ligaments act from tick to tick: stiffer ones would make light limbs oscillate
_LIGAMENT_STIFFNESS = 3.0  # N m/rad per kg of body mass
_LIGAMENT_DAMPING = 0.008  # N m s/rad per kg of body mass


class Ligaments:
    """Torques that stop ball joints at the rim of their cones; the engine itself stops hinges.

    The torques are internal: they act on both segments of a joint, in opposite directions.
    """

    def __init__(self, figure: Figure) -> None:
        self._cones = BallCones.of(HUMAN.ball_limits)
        self._stiffness, self._damping = _LIGAMENT_STIFFNESS * figure.mass, _LIGAMENT_DAMPING * figure.mass

    def pull(self, positions: Array, velocities: Array, torques: Array) -> None:
        """Write the torques (44,) at the engine's positions and velocities; zero inside all limits."""
        ligament_torques(self._cones, positions, velocities, self._stiffness, self._damping, torques)


FASTEST = 20.0
"""Joint speed in rad/s above which a dancer has lost control; in the shipped patterns no joint turns faster than 13."""

# N m s/rad per N m of strength: with 68 kg, 2.4 N m s/rad at the knee and 0.3 at the wrist
_TISSUE_DAMPING = 0.01


def make_passive(engine_model: Any, strengths: Array) -> None:
    """Damp all joints of the engine's model from now on, in place; strengths: (18,) N m.

    The engine then integrates damping, Coriolis and centrifugal forces implicitly. Explicit integration gains a share
    (h w)^2 of the energy in each step of h seconds at w rad/s.
    """
    counts = [span.stop - span.start for span in HUMAN.joint_dofs[1:]]
    engine_model.dof_damping[HUMAN.root_dofs :] = np.repeat(_TISSUE_DAMPING * strengths, counts)
    engine_model.opt.integrator = mujoco().mjtIntegrator.mjINT_IMPLICIT
