"""Soles that turn on the floor: what slides pushes against its motion, and nowhere else."""

from __future__ import annotations

import numpy as np

from segue.dance.simulation.flesh import AXIS_POINT, SOLE_POINTS
from segue.typing import Array

_SLIDING = 0.01  # m/s from which friction is all that it can be


def sliding(rows: Array, weights: Array, points: Array, spins: Array, friction: float) -> Array:
    """Return by which rows (3P, 44) points under the soles push, where some feet pivot on one side of their balls.

    rows: the points' Jacobians. weights: (3P,) of the task that they stay where they are, which is dropped in place for
    those that slide. points: (P, 3). spins: (2,) rad/s of each foot, 0 where it stands still. A point that slides has
    one force to choose, not three, up and against its motion: the row of its push upwards becomes that of this push,
    the others nought. Where it slides to, the turn of its foot decides.
    """
    if not spins.any():
        return rows
    pushes = rows.copy()
    for foot in np.flatnonzero(spins):
        first = SOLE_POINTS * int(foot)
        axis = points[first + AXIS_POINT]
        for p in range(first, first + SOLE_POINTS):
            if p == first + AXIS_POINT:
                continue
            x, z = spins[foot] * (points[p, 2] - axis[2]), spins[foot] * (axis[0] - points[p, 0])
            drag = friction / max(np.hypot(x, z), _SLIDING)
            pushes[3 * p + 1] -= drag * (x * rows[3 * p] + z * rows[3 * p + 2])
            pushes[3 * p] = pushes[3 * p + 2] = 0.0
            weights[3 * p] = weights[3 * p + 2] = 0.0
    return pushes
