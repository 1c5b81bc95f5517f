"""Convert between poses of the figure and the coordinates of physics engines that store joint by joint, as MuJoCo."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.state import State
from segue.typing import Array


def positions_of(poses: Poses) -> Array:
    """Return the engine's positions (T, 51) of poses."""
    positions = np.empty((len(poses), HUMAN.column_count))
    positions[:, :3] = poses.root
    positions[:, HUMAN.ball_positions] = poses.balls
    positions[:, HUMAN.hinge_positions] = poses.hinges
    return positions


def poses_of(positions: Array) -> Poses:
    """Return the poses of the engine's positions (T, 51), with quaternions continuous in sign."""
    balls = quaternion.make_continuous(positions[:, HUMAN.ball_positions])
    return Poses(positions[:, :3].copy(), balls, positions[:, HUMAN.hinge_positions])


def velocities_of(state: State, order: int = 1) -> Array:
    """Return the engine's velocities (T, 44) of a state, or its accelerations with order 2.

    Angular velocities of the state are in the parent's frame, those of the engine in the frame of the segment. The same
    rotation converts angular accelerations, because a vector does not change by rotating about itself.
    """
    velocities = np.empty((len(state.root.value), HUMAN.dof_count))
    velocities[:, :3] = state.root[order]
    velocities[:, HUMAN.ball_dofs] = quaternion.rotate(quaternion.conjugate(state.balls.value), state.balls[order])
    velocities[:, HUMAN.hinge_dofs] = state.hinges[order]
    return velocities
