"""Solve the legs under a pelvis in closed form."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.limits import BallLimit
from segue.curves.quaternion_kernels import kernel_array
from segue.dance.body._leg_kernels import LegShape, solve_legs
from segue.typing import Array

SIDES = {"left": 1.0, "right": -1.0}
LEG_HINGES = ("knee_flexion", "ankle_flexion", "ankle_inversion")
"""Hinges of a leg, without its side, in the order of `solve_legs`."""

_LEAST_FLEXION = float(np.radians(4.0))  # a knee that is never quite straight does not snap


def reach_feet(figure: Figure, poses: Poses, feet: Mapping[str, tuple[Array, Array]]) -> float:
    """Write hips, knees and ankles into poses, in place, for ankles (T, 3) and turns (T, 4) of feet by side.

    Return the least room of a leg's reach, in m.
    """
    build = figure.build
    axis = HUMAN["left_foot"].hinges[1].axis
    reach = np.sqrt(build.thigh**2 + build.shank**2 + 2 * build.thigh * build.shank * np.cos(_LEAST_FLEXION))
    shape = LegShape(build.thigh, build.shank, build.half_hip, axis[1], axis[2], float(reach))
    root, pelvis = kernel_array(poses.root), kernel_array(poses.ball("root"))
    rooms = []
    for side, (ankle, turns) in feet.items():
        hip, angles = np.empty((len(poses), 4)), np.empty((len(poses), len(LEG_HINGES)))
        rooms.append(solve_legs(shape, SIDES[side], root, pelvis, ankle, turns, hip, angles))
        poses.ball(f"{side}_hip")[:] = hip
        for k, name in enumerate(LEG_HINGES):
            poses.hinge(f"{side}_{name}")[:] = angles[:, k]
    return float(min(rooms))


def ball_limit(segment: str) -> BallLimit:
    """Return the range of the ball joint that moves a segment."""
    limit = HUMAN[segment].ball
    assert limit is not None, "the segment moves at a ball joint"
    return limit
