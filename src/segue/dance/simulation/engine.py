"""Load the physics engine MuJoCo, and convert between its coordinates and poses of the figure."""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.errors import SegueError, SegueWarning
from segue.motion.state import State
from segue.typing import Array


class MissingEngineError(SegueError, ImportError):
    """Report that a simulation needs a library that is not installed."""


@cache
def mujoco() -> Any:
    """Return the module of MuJoCo, which simulates rigid bodies and their contacts [Todorov2012].

    MuJoCo's warnings become `SegueWarning`s. By default MuJoCo would write them to a file in the working directory.
    """
    library = _library("mujoco")
    library.set_mju_user_warning(_warn)
    return library


def _warn(message: str) -> None:
    # if users turn warnings into errors, an exception that passes through the engine would end the process
    with suppress(SegueWarning):
        warnings.warn(f"the physics engine says: {message.strip()}", SegueWarning, stacklevel=2)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingEngineError(
            f"dancing by simulated dynamics needs {name}, which is not installed: pip install 'segue[simulation]'"
        ) from None


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
