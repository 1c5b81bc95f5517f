"""The engine's positions and velocities as poses and states of the figure, and back: exact, nothing is lost."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Poses
from segue.body.joints import BALL_JOINTS, HINGE_NAMES, JOINTS
from segue.curves import quaternion
from segue.dynamics.figure import BALL_COLUMNS, HINGE_COLUMNS
from segue.motion.state import State
from segue.typing import Array

__all__ = ["BALL_PLACES", "HINGE_PLACES", "POSITIONS", "poses_of", "positions_of", "velocities_of"]


def _places() -> tuple[list[list[int]], list[int], int]:
    balls, hinges, at = [], [], 3
    for joint in JOINTS:
        if joint.ball:
            balls.append(list(range(at, at + 4)))
            at += 4
        for _ in joint.hinges:
            hinges.append(at)
            at += 1
    return balls, hinges, at


_BALLS, _HINGES, POSITIONS = _places()
BALL_PLACES = np.array(_BALLS)
"""Where the engine keeps each ball joint's quaternion, (7, 4), in the order of `BALL_JOINTS`."""

HINGE_PLACES = np.array(_HINGES)
"""Where the engine keeps each hinge's angle, (20,), in the order of `HINGE_NAMES`."""

assert BALL_PLACES.shape == (len(BALL_JOINTS), 4), "a quaternion a ball joint"
assert HINGE_PLACES.shape == (len(HINGE_NAMES),), "an angle a hinge"


def positions_of(poses: Poses) -> Array:
    """Return the engine's positions (T, 51) of poses."""
    positions = np.empty((len(poses), POSITIONS))
    positions[:, :3] = poses.root
    positions[:, BALL_PLACES] = poses.balls
    positions[:, HINGE_PLACES] = poses.hinges
    return positions


def poses_of(positions: Array) -> Poses:
    """Return the poses of the engine's positions (T, 51), each quaternion on the side of the one before."""
    balls = quaternion.make_continuous(positions[:, BALL_PLACES])
    return Poses(positions[:, :3].copy(), balls, positions[:, HINGE_PLACES])


def velocities_of(state: State, order: int = 1) -> Array:
    """Return the engine's velocities (T, 44) of a state, or with order 2 its accelerations.

    The state has angular velocities in the parent's frame, the engine in the segment's own; for the derivative of the
    one along the axes of the other the same rotation holds, since a rotation vector does not turn about itself.
    """
    velocities = np.empty((len(state.root.value), 3 + BALL_COLUMNS.size + HINGE_COLUMNS.size))
    velocities[:, :3] = state.root[order]
    velocities[:, BALL_COLUMNS] = quaternion.rotate(quaternion.conjugate(state.balls.value), state.balls[order])
    velocities[:, HINGE_COLUMNS] = state.hinges[order]
    return velocities
