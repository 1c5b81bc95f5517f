"""Solve an arm in closed form: shoulder, elbow and forearm that bring the palm to a place and turn it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.body.legs import ball_limit
from segue.typing import Array

PALM_DEPTH = 0.0125
"""Distance of the palm's surface from the bones of the hand, as a share of stature."""

_PALM = 0.6  # of the way from wrist to knuckles
_TOUCHINGS = 6
_STRAIGHTEST = 0.995  # longest reach as a share of the arm's length, so that the elbow never locks
_HINGES = ("elbow_flexion", "forearm_pronation", "wrist_flexion", "wrist_deviation")


@dataclass(frozen=True, eq=False)
class Arm:
    """Joints of an arm over T frames: shoulder (T, 4) quaternions, hinges (T, 4) from elbow to wrist in rad."""

    shoulder: Array
    hinges: Array

    @classmethod
    def of(cls, poses: Poses, side: str) -> Arm:
        """Return the arm of a side in poses."""
        hinges = np.stack([poses.hinge(f"{side}_{name}") for name in _HINGES], axis=1)
        return cls(poses.ball(f"{side}_shoulder").copy(), hinges)

    def mixed(self, other: Arm, share: Array) -> Arm:
        """Interpolate to another arm by shares (T,), the shoulder by slerp."""
        hinges = self.hinges + share[:, None] * (other.hinges - self.hinges)
        return Arm(quaternion.slerp(self.shoulder, other.shoulder, share), hinges)

    def put(self, poses: Poses, side: str) -> None:
        """Write the arm into poses, in place, with the shoulder clamped to its range."""
        poses.ball(f"{side}_shoulder")[:] = ball_limit(f"{side}_upper_arm").clamp(self.shoulder)
        for k, name in enumerate(_HINGES):
            poses.hinge(f"{side}_{name}")[:] = self.hinges[:, k]


def reach_of(figure: Figure) -> float:
    """Return the longest distance from shoulder to palm, in m."""
    build = figure.build
    return _STRAIGHTEST * (build.upper_arm + build.forearm + _PALM * build.hand)


def reach_for(
    figure: Figure,
    side: str,
    girdle: Array,
    shoulder: Array,
    touch: Array,
    facing: Array,
    pole: Array,
    smoothed: float = 0.0,
) -> Arm:
    """Return the arm whose palm touches a place, with a straight wrist.

    girdle: (T, 4), the world rotation that the shoulder joint starts from. The others are (T, 3): shoulder, its
    position; touch, the place for the palm's surface; facing, the palm's normal, as far as the forearm turns; pole, the
    direction of the elbow. The arm points at a place that is out of reach. smoothed: number of frames over which the
    forearm turns evenly: where a palm faces along the forearm, its rotation is undefined and would leap.
    """
    depth = PALM_DEPTH * figure.stature
    looking = facing
    for _ in range(_TOUCHINGS):
        # the forearm's range may keep the palm from facing as asked, which moves its surface: iterate
        arm, hand = _bent(figure, side, shoulder, touch - depth * looking, facing, pole, smoothed)
        looking = quaternion.rotate(hand, np.array([0.0, -1.0, 0.0]))
    local = quaternion.multiply(quaternion.conjugate(girdle), arm.shoulder)
    return Arm(quaternion.make_continuous(local), arm.hinges)


def _bent(
    figure: Figure, side: str, shoulder: Array, palm: Array, facing: Array, pole: Array, smoothed: float
) -> tuple[Arm, Array]:
    """Return the arm with its palm at a place, the shoulder in world rotation, and the hand's world rotation."""
    s = 1.0 if side == "left" else -1.0
    upper, lower = figure.build.upper_arm, figure.build.forearm + _PALM * figure.build.hand
    span = palm - shoulder
    length = np.linalg.norm(span, axis=1)
    along = span / np.maximum(length, 1e-9)[:, None]
    distance = np.clip(length, 1.05 * abs(upper - lower) + 0.02, reach_of(figure))
    flexion = np.arccos(np.clip((distance**2 - upper**2 - lower**2) / (2 * upper * lower), -1.0, 1.0))
    lift = np.arccos(np.clip((upper**2 + distance**2 - lower**2) / (2 * upper * distance), -1.0, 1.0))
    aside = _unit(pole - _dot(pole, along) * along)
    bone = np.cos(lift)[:, None] * along + np.sin(lift)[:, None] * aside
    # the forearm bends from the upper arm's line towards its own front, which lies away from the pole
    front = np.sin(lift)[:, None] * along - np.cos(lift)[:, None] * aside
    out = s * bone
    turn = quaternion.from_matrix(np.stack([out, np.cross(front, out), front], axis=-1))
    forearm = quaternion.multiply(turn, quaternion.exp(-s * flexion[:, None] * np.array([0.0, 1.0, 0.0])))
    seen = quaternion.rotate(quaternion.conjugate(forearm), facing)
    limit = HUMAN[f"{side}_forearm"].hinges[1].limit
    # unwrapped about the median: the forearm stays at one end of its range instead of jumping to the other
    wanted = np.unwrap(np.arctan2(-seen[:, 2], -seen[:, 1]))
    pronation = limit.clamp(wanted - 2 * np.pi * np.round(np.median(wanted) / (2 * np.pi)))
    if smoothed:
        pronation = gaussian_filter1d(pronation, smoothed, mode="nearest")
    zero = np.zeros_like(flexion)
    hand = quaternion.multiply(forearm, quaternion.exp(pronation[:, None] * np.array([1.0, 0.0, 0.0])))
    return Arm(turn, np.stack([flexion, pronation, zero, zero], axis=1)), hand


def palm_contacts(figure: Figure, side: str, poses: Poses) -> Array:
    """Return the middle of the palm's surface in the world, (T, 3)."""
    positions, rotations = figure.forward(poses)
    hand = HUMAN.segments.index(f"{side}_hand")
    middle: Array = positions[:, hand] + quaternion.rotate(rotations[:, hand], palm_of(figure, side))
    return middle


def palm_of(figure: Figure, side: str) -> Array:
    """Return the middle of the palm's surface in the hand's frame, (3,)."""
    s = 1.0 if side == "left" else -1.0
    return np.array([s * _PALM * figure.build.hand, -PALM_DEPTH * figure.stature, 0.0])


def _dot(a: Array, b: Array) -> Array:
    product: Array = np.sum(a * b, axis=1, keepdims=True)
    return product


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return unit
