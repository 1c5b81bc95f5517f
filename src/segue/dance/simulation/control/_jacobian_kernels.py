"""Compiled Jacobians of points and frames of the body, and their drifts.

Shapes: n = 44 degrees of freedom. The engine's axes of motion `cdof` (n, 6) hold for each degree of freedom the angular
and linear velocity, at the body's centre of mass, that it gives to what it moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.typing import Array


class Mechanics(NamedTuple):
    """The engine's own arrays, views that follow its state.

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
    """Write the Jacobian (3, n) of a point (3,) of a body, and its acceleration (3,) where nothing accelerates."""
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
    """Write the Jacobian (3, n) of a body's angular velocity, and its derivative (3,) where nothing accelerates."""
    axes, rates, velocity, moves = mechanics.axes, mechanics.axes_rates, mechanics.velocity, mechanics.moves
    rows[:] = 0.0
    drift[:] = 0.0
    for i in range(len(velocity)):
        if moves[body, i]:
            for k in range(3):
                rows[k, i] = axes[i, k]
                drift[k] += rates[i, k] * velocity[i]
