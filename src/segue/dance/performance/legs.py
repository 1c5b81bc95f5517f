"""Solve the legs under a pelvis: its greatest height, and the joint angles that reach the feet."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.quaternion_kernels import kernel_array
from segue.dance.performance._leg_kernels import LegShape, solve_legs
from segue.dance.performance.rolling import FootMotion
from segue.typing import Array

SIDES = {"left": 1.0, "right": -1.0}

LEAST_FLEXION = float(np.radians(4.0))
"""Least flexion of a knee in rad: a leg that is never quite straight does not snap."""

_STANDING_FLEXION = np.radians(13.0)
_ANGLES = ("knee_flexion", "ankle_flexion", "ankle_inversion")


def _reach(figure: Figure, flexion: float) -> float:
    """Return the distance from hip to ankle at a knee flexion, in m."""
    build = figure.build
    return float(np.sqrt(build.thigh**2 + build.shank**2 + 2 * build.thigh * build.shank * np.cos(flexion)))


def standing_height(figure: Figure) -> float:
    """Return the root's height in m over flat feet under the hips, with slightly bent knees."""
    return figure.build.sole + _reach(figure, float(_STANDING_FLEXION))


def highest_roots(figure: Figure, side: str, ground: Array, pelvis: Array, foot: FootMotion) -> Array:
    """Return the greatest height (T,) of the root at which a leg reaches its foot with its knee bent.

    ground: (T, 2), x and z of the root. pelvis: (T, 4). Where the foot is too far away at any height, the leg is
    level.
    """
    out, rise, ankle = _from_hip(figure, side, ground, pelvis, foot)
    reach = _reach(figure, LEAST_FLEXION)
    highest: Array = ankle - rise + np.sqrt(np.maximum(reach**2 - np.sum(out**2, axis=1), 0.0))
    return highest


def beyond_reach(figure: Figure, side: str, ground: Array, pelvis: Array, foot: FootMotion, height: Array) -> Array:
    """Return the vector over the floor (T, 2), in m, by which a foot is out of reach for roots at heights (T,)."""
    out, rise, ankle = _from_hip(figure, side, ground, pelvis, foot)
    most = np.sqrt(np.maximum(_reach(figure, LEAST_FLEXION) ** 2 - (height + rise - ankle) ** 2, 0.0))
    far = np.linalg.norm(out, axis=1)
    beyond: Array = out * (np.maximum(far - most, 0.0) / np.maximum(far, 1e-9))[:, None]
    return beyond


def _from_hip(figure: Figure, side: str, ground: Array, pelvis: Array, foot: FootMotion) -> tuple[Array, Array, Array]:
    """Return the vector over the floor from hip to ankle (T, 2), the hip's height over the root, the ankle's (T,)."""
    hip = quaternion.rotate(pelvis, np.array([SIDES[side] * figure.build.half_hip, 0.0, 0.0]))
    ankle = foot.ankles(figure.build)
    return ankle[:, [0, 2]] - ground - hip[:, [0, 2]], hip[:, 1], ankle[:, 1]


def bend_legs(figure: Figure, poses: Poses, feet: Mapping[str, FootMotion]) -> float:
    """Write the legs' joints into poses, in place, for feet by side; return the least room of a leg's reach, in m."""
    for side, foot in feet.items():
        poses.hinge(f"{side}_toe_extension")[:] = foot.toe_extension
    return reach_feet(figure, poses, {side: (foot.ankles(figure.build), foot.turns) for side, foot in feet.items()})


def reach_feet(figure: Figure, poses: Poses, feet: Mapping[str, tuple[Array, Array]]) -> float:
    """Write hips, knees and ankles into poses, in place, for ankles (T, 3) and turns (T, 4) of feet by side.

    Return the least room of a leg's reach, in m.
    """
    build = figure.build
    axis = HUMAN["left_foot"].hinges[1].axis
    shape = LegShape(build.thigh, build.shank, build.half_hip, axis[1], axis[2], _reach(figure, LEAST_FLEXION))
    root, pelvis = kernel_array(poses.root), kernel_array(poses.ball("root"))
    rooms = []
    for side, (ankle, turns) in feet.items():
        hip, angles = np.empty((len(poses), 4)), np.empty((len(poses), len(_ANGLES)))
        rooms.append(solve_legs(shape, SIDES[side], root, pelvis, ankle, turns, hip, angles))
        poses.ball(f"{side}_hip")[:] = hip
        for k, name in enumerate(_ANGLES):
            poses.hinge(f"{side}_{name}")[:] = angles[:, k]
    return float(min(rooms))
