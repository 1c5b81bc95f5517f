"""Compiled rows and errors of the body's tasks, every tick anew."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion import Array
from segue.curves.quaternion_kernels import get_quat, turn_after, turn_back, turn_log
from segue.dance.simulation.control._jacobian_kernels import Mechanics, frame_rows, point_rows
from segue.dance.simulation.state import BALL_PLACES, HINGE_PLACES
from segue.dynamics.figure import BALL_COLUMNS, HINGE_COLUMNS

__all__ = ["fill_rows", "joint_errors", "turn_errors", "turning"]

_DOFS = 44


@compiled(seconds=1)
def joint_errors(balls: Array, hinges: Array, positions: Array) -> Array:
    """Return how far (44,) joints are from goals (7, 4) and (20,): rotation vectors along the segments' own axes."""
    errors = np.zeros(_DOFS)
    for b in range(1, len(balls)):
        places, columns = BALL_PLACES[b], BALL_COLUMNS[b]
        now = (positions[places[0]], positions[places[1]], positions[places[2]], positions[places[3]])
        x, y, z = turn_log(turn_after(turn_back(now), get_quat(balls, b)))
        errors[columns[0]], errors[columns[1]], errors[columns[2]] = x, y, z
    for h in range(len(hinges)):
        errors[HINGE_COLUMNS[h]] = hinges[h] - positions[HINGE_PLACES[h]]
    return errors


@compiled(seconds=1)
def turn_errors(turns: Array, goals: Array) -> Array:
    """Return rotation vectors (K, 3) in the world that bring turns (K, 4) to goals (K, 4)."""
    errors = np.empty((len(turns), 3))
    for k in range(len(turns)):
        errors[k, 0], errors[k, 1], errors[k, 2] = turn_log(
            turn_after(get_quat(goals, k), turn_back(get_quat(turns, k)))
        )
    return errors


@compiled(seconds=3)
def fill_rows(
    mechanics: Mechanics,
    inertia: Array,
    bias: Array,
    root: Array,
    facing: Array,
    gravity: float,
    point_bodies: Array,
    points: Array,
    frame_bodies: Array,
    rows: Array,
    drift: Array,
) -> None:
    """Write Jacobians (R, n) of centre of mass, angular momentum, P points and F frames, and their drifts (R,).

    Rows 0-2: acceleration of the centre of mass. 3-5: rate of the angular momentum about it. Then three a point and
    three a frame. root: (3,) and facing: (3, 3) position and axes of the pelvis. gravity: m/s^2, downwards.
    """
    n = inertia.shape[0]
    mass = inertia[0, 0]
    for k in range(3):
        for i in range(n):
            rows[k, i] = inertia[k, i] / mass
        drift[k] = bias[k] / mass
    drift[1] -= gravity
    x, y, z = mechanics.centre[0] - root[0], mechanics.centre[1] - root[1], mechanics.centre[2] - root[2]
    for i in range(n + 1):
        # the last column is what is there without accelerations
        fx = inertia[0, i] if i < n else bias[0]
        fy = inertia[1, i] if i < n else bias[1]
        fz = inertia[2, i] if i < n else bias[2]
        mx = inertia[3, i] if i < n else bias[3]
        my = inertia[4, i] if i < n else bias[4]
        mz = inertia[5, i] if i < n else bias[5]
        for k in range(3):
            about = facing[k, 0] * mx + facing[k, 1] * my + facing[k, 2] * mz
            if k == 0:
                about -= y * fz - z * fy
            elif k == 1:
                about -= z * fx - x * fz
            else:
                about -= x * fy - y * fx
            if i < n:
                rows[3 + k, i] = about
            else:
                drift[3 + k] = about
    at = 6
    for p in range(len(points)):
        point_rows(mechanics, point_bodies[p], points[p], rows[at : at + 3], drift[at : at + 3])
        at += 3
    for f in range(len(frame_bodies)):
        frame_rows(mechanics, frame_bodies[f], rows[at : at + 3], drift[at : at + 3])
        at += 3


@compiled(seconds=2)
def turning(turn: Array, facing: Array, spin: Array, stiffness: float, damping: float) -> Array:
    """Return the angular acceleration (3,) that brings a foot to a heading and pitch, (3, 2) with two derivatives.

    facing: (3, 3) the foot's axes as columns, near those it is to have. spin: (3,) its angular velocity.
    """
    sine, cosine = np.sin(turn[0, 0]), np.cos(turn[0, 0])
    tilt, level = np.sin(turn[0, 1]), np.cos(turn[0, 1])
    goal = np.empty((3, 3))
    goal[0, 0], goal[1, 0], goal[2, 0] = cosine, 0.0, -sine
    goal[0, 1], goal[1, 1], goal[2, 1] = tilt * sine, level, tilt * cosine
    goal[0, 2], goal[1, 2], goal[2, 2] = level * sine, -tilt, level * cosine
    wanted = np.empty(3)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        error = 0.0
        for axis in range(3):
            error += 0.5 * (facing[i, axis] * goal[j, axis] - facing[j, axis] * goal[i, axis])
        rate = turn[1, 1] * goal[k, 0]
        growth = turn[2, 1] * goal[k, 0]
        wanted[k] = growth + stiffness * error + damping * (rate - spin[k])
    wanted[1] += turn[2, 0] + damping * turn[1, 0]
    both = turn[1, 0] * turn[1, 1]
    wanted[0] -= both * sine
    wanted[2] -= both * cosine
    return wanted
