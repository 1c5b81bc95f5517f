"""Compiled torques of ligaments."""

from __future__ import annotations

import numpy as np

from segue.body.human import HUMAN
from segue.body.limit_kernels import BallCones, balls_outside
from segue.compiled import compiled
from segue.curves.quaternion_kernels import get_quat, get_vector, rotated, turn_back
from segue.typing import Array

_BALL_DOFS = HUMAN.ball_dofs
_BALL_POSITIONS = HUMAN.ball_positions

# rad of excess above which a ligament pulls no harder: opposite to its cone's centre a joint's twist is undefined, and
# the slope there has no bound
_MOST_EXCESS = 1.5


@compiled(seconds=5)
def ligament_torques(
    cones: BallCones, positions: Array, velocities: Array, stiffness: float, damping: float, torques: Array
) -> None:
    """Write the torques (44,) of ball joints beyond their cones; zero inside.

    positions: (51,) and velocities: (44,) the engine's. stiffness: N m/rad, damping: N m s/rad. The torque of the
    stiffness grows up to an excess of `_MOST_EXCESS`, and stays bounded beyond it.
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
            # the slope of the squared excess is along the parent's axes, the engine's torque along the segment's
            inwards = rotated(turn_back(get_quat(turns[0], b)), get_vector(slope[0], b))
            excess = 0.5 * np.sqrt(inwards[0] ** 2 + inwards[1] ** 2 + inwards[2] ** 2)
            pull = 0.5 * stiffness
            if excess > _MOST_EXCESS:
                pull *= _MOST_EXCESS / excess
            for k in range(3):
                column = _BALL_DOFS[b, k]
                torques[column] = -pull * inwards[k] - damping * velocities[column]
