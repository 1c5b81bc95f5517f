"""Carry clips of different persons onto one figure, so that every clip of a graph can follow every other.

The root's path is scaled by the lengths of the legs, and joints keep their angles. Legs of other proportions would then
miss the floor and let planted feet slide. So the legs are posed again: the ball of each foot goes where the scaled
ball of the other person is, and each foot keeps its orientation in the world.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.typing import Array

_ITERATIONS = 12
_STEP = 1e-5  # rad of the finite differences
_FOOT = 0.15  # m that a radian of the foot's orientation counts
_DAMPING = 1e-3  # m: the least that a radian of a step costs
_SETTLED = 1e-6  # rad: the largest step after which the legs are posed
_SAME = 1e-9  # m by which the lengths of one person differ at most

_SIDES = ("left", "right")
_HIPS = [HUMAN.ball_names.index(f"{side}_hip") for side in _SIDES]
_HINGES = [
    [HUMAN.hinge_names.index(f"{side}_{name}") for name in ("knee_flexion", "ankle_flexion", "ankle_inversion")]
    for side in _SIDES
]
_FEET = [HUMAN.segments.index(f"{side}_foot") for side in _SIDES]
_BALLS = [f"{side}_ball" for side in _SIDES]
_LIMITS = [HUMAN.hinge_limits[each] for each in np.ravel(_HINGES)]
_LOW = np.array([limit.low for limit in _LIMITS]).reshape(2, 3)
_HIGH = np.array([limit.high for limit in _LIMITS]).reshape(2, 3)


def same_person(one: Figure, other: Figure) -> bool:
    """Return whether two figures have the same lengths."""
    return all(
        np.abs(np.subtract(getattr(one.build, each.name), getattr(other.build, each.name))).max() <= _SAME
        for each in dataclasses.fields(one.build)
    )


def carried(poses: Poses, person: Figure, figure: Figure) -> Poses:
    """Return poses of a person as poses of another figure that stands on the same floor, at height 0.

    Solves for hips, knees and ankles by the steps of Levenberg and Marquardt, all frames at once. Knees and ankles
    stay within their limits, or where they are if the given angles lie outside.
    """
    if same_person(person, figure):
        return poses
    scale = figure.leg_length / person.leg_length
    positions, rotations = person.forward(poses)
    goals = np.stack(
        [
            scale * (positions[:, s] + quaternion.rotate(rotations[:, s], person.points[ball][1]))
            for s, ball in zip(_FEET, _BALLS, strict=True)
        ],
        axis=1,
    )
    turned = rotations[:, _FEET]
    given = Poses(scale * poses.root, poses.balls, poses.hinges)
    low = np.minimum(_LOW, poses.hinges[:, _HINGES].min(axis=0))
    high = np.maximum(_HIGH, poses.hinges[:, _HINGES].max(axis=0))
    angles, damping = np.zeros((len(poses), 2, 6)), np.full((len(poses), 2), _DAMPING**2)
    missed = _missed(figure, _posed(given, angles), goals, turned)
    for _ in range(_ITERATIONS):
        slopes = np.empty((*missed.shape, 6))
        for k in range(6):
            nudged = angles.copy()
            nudged[:, :, k] += _STEP
            slopes[..., k] = (_missed(figure, _posed(given, nudged), goals, turned) - missed) / _STEP
        # einsum, not matmul: its result does not depend on the number of threads
        normal = np.einsum("tlri,tlrj->tlij", slopes, slopes) + damping[..., None, None] * np.eye(6)
        moved = np.linalg.solve(normal, -np.einsum("tlri,tlr->tli", slopes, missed)[..., None])[..., 0]
        new = angles + moved
        new[..., 3:] = np.clip(new[..., 3:], low - given.hinges[:, _HINGES], high - given.hinges[:, _HINGES])
        left = _missed(figure, _posed(given, new), goals, turned)
        better = (left**2).sum(axis=2) < (missed**2).sum(axis=2)
        angles, missed = (np.where(better[..., None], *pair) for pair in ((new, angles), (left, missed)))
        damping = np.where(better, 0.1 * damping, 10.0 * damping).clip(_DAMPING**2, 1.0)
        if np.abs(moved[better]).max(initial=0.0) < _SETTLED:
            break
    return _posed(given, angles)


def _posed(given: Poses, angles: Array) -> Poses:
    """Return poses with angles (T, 2, 6) of the legs changed: rotation vectors of the hips, then hinges, in rad."""
    balls, hinges = given.balls.copy(), given.hinges.copy()
    for leg in range(2):
        balls[:, _HIPS[leg]] = quaternion.multiply(given.balls[:, _HIPS[leg]], quaternion.exp(angles[:, leg, :3]))
        hinges[:, _HINGES[leg]] += angles[:, leg, 3:]
    return Poses(given.root, balls, hinges)


def _missed(figure: Figure, poses: Poses, goals: Array, turned: Array) -> Array:
    """Return (T, 2, 6) by how much the balls of the feet miss their goals, and the feet their orientation, in m."""
    positions, rotations = figure.forward(poses)
    missed = np.empty((len(poses), 2, 6))
    for leg, (s, ball) in enumerate(zip(_FEET, _BALLS, strict=True)):
        missed[:, leg, :3] = positions[:, s] + quaternion.rotate(rotations[:, s], figure.points[ball][1])
        missed[:, leg, :3] -= goals[:, leg]
        apart = quaternion.multiply(quaternion.conjugate(turned[:, leg]), rotations[:, s])
        missed[:, leg, 3:] = _FOOT * quaternion.log(apart)
    return missed
