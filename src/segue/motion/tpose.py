"""The added T pose: a frame put before the motion for the sake of some program, which is no part of the motion."""

from __future__ import annotations

import numpy as np

from segue.body.roles import Roles
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.motion.clip import Clip

__all__ = ["added_frames"]

_MOST_ADDED = 3  # some converters leave the skeleton's rest pose after the T pose
_FEWEST_FRAMES = 4  # fewer cannot tell a jump from motion
_STRAIGHT = np.radians(10.0)
_LEVEL = np.radians(20.0)
_LEGS_DOWN = np.radians(30.0)
_UPRIGHT = np.radians(25.0)

# the jump out of the pose, as multiples of the usual change a frame and of the changes right after it
_ABOVE_USUAL = 1.5
_ABOVE_NEXT = 3.0
_NEXT_FRAMES = 5
_LEAST_JUMP = 0.1  # radians, mean over the joints


def added_frames(clip: Clip, roles: Roles) -> int:
    """Return how many frames at the start are an added T pose, or that and the rest pose after it: 0 for most clips.

    A clip that begins in a T pose and moves on from it continuously has none.
    """
    if len(clip) < _FEWEST_FRAMES or not _is_tpose(clip.world[0][0], roles):
        return 0
    change = quaternion.angle_between(clip.rotations[1:], clip.rotations[:-1]).mean(axis=1)
    for count in range(1, min(_MOST_ADDED, len(change) - 2) + 1):
        jump, rest = change[count - 1], change[count:]
        if not _limbs_are_straight(clip.world[0][count - 1], roles):
            break
        if (
            jump > _LEAST_JUMP
            and jump > _ABOVE_USUAL * np.quantile(rest, 0.95)
            and jump > _ABOVE_NEXT * rest[:_NEXT_FRAMES].max()
        ):
            return count
    return 0


def _is_tpose(positions: Array, roles: Roles) -> bool:
    """Return whether one frame (J, 3) is a T pose: upright along an axis, legs down, arms out level, all straight."""
    hips = 0.5 * (positions[roles.left.thigh] + positions[roles.right.thigh])
    up = positions[roles.chest] - hips
    arms = [positions[side.hand] - positions[side.upper_arm] for side in (roles.left, roles.right)]
    legs = [positions[side.foot] - positions[side.thigh] for side in (roles.left, roles.right)]
    return (
        np.abs(up).max() > np.cos(_UPRIGHT) * np.linalg.norm(up)
        and _limbs_are_straight(positions, roles)
        and _angle(arms[0], -arms[1]) < _LEVEL
        and all(abs(_angle(arm, up) - np.pi / 2) < _LEVEL for arm in arms)
        and all(_angle(leg, -up) < _LEGS_DOWN for leg in legs)
    )


def _limbs_are_straight(positions: Array, roles: Roles) -> bool:
    chains = [
        chain
        for side in (roles.left, roles.right)
        for chain in ((side.upper_arm, side.forearm, side.hand), (side.thigh, side.shin, side.foot))
    ]
    return all(
        _angle(positions[middle] - positions[near], positions[far] - positions[middle]) < _STRAIGHT
        for near, middle, far in chains
    )


def _angle(a: Array, b: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))
