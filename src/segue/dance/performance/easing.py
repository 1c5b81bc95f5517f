"""Legs in the air within their ranges: a foot that nothing holds turns as its hip and its ankle let it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.performance.rolling import FootMotion
from segue.dance.performance.smoothing import evened_from, evened_up_to
from segue.typing import Array

_EASING = 0.05  # s to either side over which what is beyond a range is evened out
_TURNING = (
    1.6  # rad that a foot turns for each rad that its hip is beyond its range: half of it may be swing, not twist
)


def with_hip_eased(side: str, poses: Poses, foot: FootMotion, dt: float) -> FootMotion:
    """Return a foot that, in the air, points nearer to where the pelvis faces where its hip would be strained."""
    limit = HUMAN[f"{side}_thigh"].ball
    assert limit is not None, "a hip is a ball joint"
    beyond = limit.excess(poses.ball(f"{side}_hip"))
    if not beyond[foot.height > 0.0].any():
        return foot
    front = quaternion.rotate(poses.ball("root"), np.array([0.0, 0.0, 1.0]))
    away = foot.heading - np.arctan2(front[:, 0], front[:, 2])
    away -= 2 * np.pi * np.round(away / (2 * np.pi))
    turn = np.minimum(_TURNING * evened_from(beyond, _EASING, dt), np.abs(away)) * np.sign(away)
    return replace(foot, heading=foot.heading - _flying(foot, dt) * turn)


def ease_ankles(side: str, poses: Poses, foot: FootMotion, dt: float) -> None:
    """Turn a foot in the air about its ankle, in place, to within the ankle's ranges."""
    flying = _flying(foot, dt)
    for hinge in HUMAN[f"{side}_foot"].hinges:
        angle = poses.hinge(hinge.name)
        above, below = np.maximum(angle - hinge.limit.high, 0.0), np.maximum(hinge.limit.low - angle, 0.0)
        angle[:] -= flying * (evened_from(above, _EASING, dt) - evened_from(below, _EASING, dt))


def _flying(foot: FootMotion, dt: float) -> Array:
    """Return 1 where a foot is in the air and 0 where it is on the floor (T,), and what lies between beside that."""
    return evened_up_to((foot.height > 0.0).astype(float), _EASING, dt)
