"""Solve a leg in closed form, frame by frame: the joint angles from hip to ankle that reach a foot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.compiled import compiled
from segue.curves.quaternion_kernels import (
    get_quat,
    get_vector,
    put_quat,
    rotated,
    turn_after,
    turn_back,
    turn_exp,
)
from segue.typing import Array


class LegShape(NamedTuple):
    """Lengths of a leg in m: thigh, shank, hip from the root; the subtalar axis's y and z on the left; the reach."""

    thigh: float
    shank: float
    half_hip: float
    axis_y: float
    axis_z: float
    reach: float


@compiled(seconds=3)
def solve_legs(
    shape: LegShape, side: float, root: Array, pelvis: Array, ankle: Array, foot: Array, hip: Array, angles: Array
) -> float:
    """Write the hip (T, 4) and the angles (T, 3) of knee, ankle flexion and inversion; return the least room, in m.

    side: 1 for the left leg, -1 for the right. root, ankle: (T, 3); pelvis, foot: (T, 4). The room is how much farther
    the leg could reach. If it is negative, the leg is as straight as `reach` allows, short of its foot.
    """
    least = np.inf
    axis_y, axis_z = side * shape.axis_y, side * shape.axis_z
    for t in range(root.shape[0]):
        turn = get_quat(pelvis, t)
        out = rotated(turn, (side * shape.half_hip, 0.0, 0.0))
        here, there = get_vector(root, t), get_vector(ankle, t)
        span = (here[0] + out[0] - there[0], here[1] + out[1] - there[1], here[2] + out[2] - there[2])
        distance = np.sqrt(span[0] ** 2 + span[1] ** 2 + span[2] ** 2)
        least = min(least, shape.reach - distance)
        distance = min(distance, shape.reach)
        inner = (shape.thigh**2 + shape.shank**2 - distance**2) / (2.0 * shape.thigh * shape.shank)
        knee = np.pi - np.arccos(max(-1.0, min(1.0, inner)))

        # the hip, seen from the foot, lies in the shank's sagittal plane once the inversion is undone
        ground = get_quat(foot, t)
        seen = rotated(turn_back(ground), span)
        inversion = np.arctan(-seen[0] / (axis_y * seen[2] - axis_z * seen[1]))
        inverted = turn_exp(0.0, inversion * axis_y, inversion * axis_z)
        level = rotated(inverted, seen)
        bent = np.arctan2(-shape.thigh * np.sin(knee), shape.shank + shape.thigh * np.cos(knee))
        flexion = np.arctan2(level[2], level[1]) - bent

        ankle_turn = turn_after(turn_exp(-flexion, 0.0, 0.0), inverted)
        shank = turn_after(ground, turn_back(ankle_turn))
        thigh = turn_after(shank, turn_exp(-knee, 0.0, 0.0))
        put_quat(hip, t, turn_after(turn_back(turn), thigh))
        angles[t, 0], angles[t, 1], angles[t, 2] = knee, flexion, inversion
    return least
