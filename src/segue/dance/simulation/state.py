"""The engine's positions and velocities as poses and states of the figure, and back: exact, nothing is lost."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.state import State
from segue.typing import Array

__all__ = ["poses_of", "positions_of", "velocities_of"]


def positions_of(poses: Poses) -> Array:
    """Return the engine's positions (T, 51) of poses."""
    positions = np.empty((len(poses), HUMAN.column_count))
    positions[:, :3] = poses.root
    positions[:, HUMAN.ball_positions] = poses.balls
    positions[:, HUMAN.hinge_positions] = poses.hinges
    return positions


def poses_of(positions: Array) -> Poses:
    """Return the poses of the engine's positions (T, 51), each quaternion on the side of the one before."""
    balls = quaternion.make_continuous(positions[:, HUMAN.ball_positions])
    return Poses(positions[:, :3].copy(), balls, positions[:, HUMAN.hinge_positions])


def velocities_of(state: State, order: int = 1) -> Array:
    """Return the engine's velocities (T, 44) of a state, or with order 2 its accelerations.

    The state has angular velocities in the parent's frame, the engine in the segment's own; for the derivative of the
    one along the axes of the other the same rotation holds, since a rotation vector does not turn about itself.
    """
    velocities = np.empty((len(state.root.value), HUMAN.dof_count))
    velocities[:, :3] = state.root[order]
    velocities[:, HUMAN.ball_dofs] = quaternion.rotate(quaternion.conjugate(state.balls.value), state.balls[order])
    velocities[:, HUMAN.hinge_dofs] = state.hinges[order]
    return velocities
