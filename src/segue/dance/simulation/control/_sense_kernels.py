"""Compiled senses: the Jacobians of all that tasks concern, and how it moves, every tick anew."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.dance.simulation.control._jacobian_kernels import Mechanics, frame_rows, point_rows
from segue.typing import Array


class Senses(NamedTuple):
    """What the body senses itself by: the engine's own arrays, which follow its state, and where to look in them.

    mechanics, places (bodies, 3), axes (bodies, 3, 3), ball_places (geometries, 3): of all segments and balls. balls:
    (B,) those under the soles, of a radius in m. middle: (3,) of the sole, in the foot's frame. point_bodies: (B + 2,)
    the segments of all balls, then of both soles' middles. frame_bodies: (F,) segments whose rotation is sensed.
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
    """Write the rows of the whole body: 0-2 its centre of mass, 3-5 the rate of the angular momentum about that.

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
    """Write points (B + 2, 3) under the soles, Jacobians (R, n) and drifts (R,) of tasks, and how all moves (R / 3, 3).

    Rows: the centre of mass, the angular momentum about it, three a point and three a frame. gravity: m/s^2, downwards.
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
