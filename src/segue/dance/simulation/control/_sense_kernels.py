"""Compiled kinematics of all tasks: Jacobians of points and frames, their drifts, and velocities.

Shapes: n = 44 degrees of freedom. The engine's motion axes `cdof` (n, 6) hold, per degree of freedom, the angular
velocity and the linear velocity at the body's centre of mass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.typing import Array


class Mechanics(NamedTuple):
    """Views of the engine's arrays, which follow its state.

    axes, axes_rates: (n, 6) cdof and its derivative. centre: (3,) the body's centre of mass. velocity: (n,). moves:
    (bodies, n) whether a degree of freedom moves a body.
    """

    axes: Array
    axes_rates: Array
    centre: Array
    velocity: Array
    moves: npt.NDArray[np.bool_]


@compiled(seconds=2)
def point_rows(mechanics: Mechanics, body: int, point: Array, rows: Array, drift: Array) -> None:
    """Write the Jacobian (3, n) of a point (3,) of a body, and its drift: the acceleration (3,) at zero joint
    acceleration.
    """
    axes, rates, velocity, moves = mechanics.axes, mechanics.axes_rates, mechanics.velocity, mechanics.moves
    x, y, z = point[0] - mechanics.centre[0], point[1] - mechanics.centre[1], point[2] - mechanics.centre[2]
    rows[:] = 0.0
    spin, speed = np.zeros(3), np.zeros(3)
    drift[:] = 0.0
    for i in range(len(velocity)):
        if not moves[body, i]:
            continue
        rows[0, i] = axes[i, 3] + axes[i, 1] * z - axes[i, 2] * y
        rows[1, i] = axes[i, 4] + axes[i, 2] * x - axes[i, 0] * z
        rows[2, i] = axes[i, 5] + axes[i, 0] * y - axes[i, 1] * x
        v = velocity[i]
        for k in range(3):
            spin[k] += axes[i, k] * v
            speed[k] += rows[k, i] * v
        drift[0] += (rates[i, 3] + rates[i, 1] * z - rates[i, 2] * y) * v
        drift[1] += (rates[i, 4] + rates[i, 2] * x - rates[i, 0] * z) * v
        drift[2] += (rates[i, 5] + rates[i, 0] * y - rates[i, 1] * x) * v
    drift[0] += spin[1] * speed[2] - spin[2] * speed[1]
    drift[1] += spin[2] * speed[0] - spin[0] * speed[2]
    drift[2] += spin[0] * speed[1] - spin[1] * speed[0]


@compiled(seconds=1)
def frame_rows(mechanics: Mechanics, body: int, rows: Array, drift: Array) -> None:
    """Write the Jacobian (3, n) of a body's angular velocity, and its drift (3,)."""
    axes, rates, velocity, moves = mechanics.axes, mechanics.axes_rates, mechanics.velocity, mechanics.moves
    rows[:] = 0.0
    drift[:] = 0.0
    for i in range(len(velocity)):
        if moves[body, i]:
            for k in range(3):
                rows[k, i] = axes[i, k]
                drift[k] += rates[i, k] * velocity[i]


class Senses(NamedTuple):
    """Views of the engine's arrays from which the controller reads the body's state.

    mechanics, places (bodies, 3), axes (bodies, 3, 3), ball_places (geometries, 3): of all segments and balls. balls:
    (B,) numbers of the balls under the soles. radius: m, of the balls. middle: (3,) of the sole, in the foot's frame.
    point_bodies: (B + 2,) the segments of all balls, then of the middles of both soles. frame_bodies: (F,) segments
    with a rotation task.
    """

    mechanics: Mechanics
    places: Array
    axes: Array
    ball_places: Array
    balls: npt.NDArray[np.int64]
    radius: float
    middle: Array
    point_bodies: npt.NDArray[np.int64]
    frame_bodies: npt.NDArray[np.int64]


@compiled(seconds=1, fast_math=True)
def _whole_rows(
    centre: Array, inertia: Array, bias: Array, root: Array, facing: Array, gravity: float, rows: Array, drift: Array
) -> None:
    """Write the rows of the whole body: 0-2 its centre of mass, 3-5 the rate of angular momentum about it.

    centre: (3,) of mass. root: (3,) and facing: (3, 3) position and axes of the pelvis.
    """
    n = inertia.shape[0]
    mass = inertia[0, 0]
    for k in range(3):
        for i in range(n):
            rows[k, i] = inertia[k, i] / mass
        drift[k] = bias[k] / mass
    drift[1] -= gravity
    x, y, z = centre[0] - root[0], centre[1] - root[1], centre[2] - root[2]
    for i in range(n + 1):
        # the last column is the drift
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


@compiled(seconds=4, fast_math=True)
def sense(
    senses: Senses,
    inertia: Array,
    bias: Array,
    gravity: float,
    points: Array,
    rows: Array,
    drift: Array,
    moving: Array,
) -> None:
    """Write points (B + 2, 3) under the soles, Jacobians (R, n) and drifts (R,) of tasks, and velocities (R / 3, 3).

    Rows: the centre of mass, the angular momentum about it, three per point and three per frame. gravity: m/s^2,
    downwards.
    """
    count = len(senses.balls)
    for p in range(len(points)):
        if p < count:
            for k in range(3):
                points[p, k] = senses.ball_places[senses.balls[p], k]
            points[p, 1] -= senses.radius
        else:
            body = senses.point_bodies[p]
            for k in range(3):
                points[p, k] = senses.places[body, k]
                for axis in range(3):
                    points[p, k] += senses.axes[body, k, axis] * senses.middle[axis]
    _whole_rows(senses.mechanics.centre, inertia, bias, senses.places[1], senses.axes[1], gravity, rows, drift)
    at = 6
    for p in range(len(points)):
        point_rows(senses.mechanics, senses.point_bodies[p], points[p], rows[at : at + 3], drift[at : at + 3])
        at += 3
    for f in range(len(senses.frame_bodies)):
        frame_rows(senses.mechanics, senses.frame_bodies[f], rows[at : at + 3], drift[at : at + 3])
        at += 3
    velocity = senses.mechanics.velocity
    for r in range(len(rows)):
        total = 0.0
        for i in range(len(velocity)):
            total += rows[r, i] * velocity[i]
        moving[r // 3, r % 3] = total
