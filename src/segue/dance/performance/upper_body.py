"""Head, trunk and arms: through their goals, looking ahead over those that are only passed."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.performance.courses import Course, TurnCourse
from segue.dance.performance.legs import SIDES
from segue.dance.planning.model import Plan
from segue.errors import ArgumentError
from segue.typing import Array

# at ease, where a plan says nothing: rotation vectors in degrees, and angles of hinges in degrees
_HANGING = {side: (0.0, 0.0, -sign * 78.0) for side, sign in SIDES.items()}
_EASE = {"elbow_flexion": 18.0, "forearm_pronation": 12.0, "wrist_flexion": 4.0}
_LEGS = tuple(f"{side}_{part}" for side in SIDES for part in ("hip", "knee", "ankle", "toe"))


def move_upper_body(plan: Plan, times: Array, poses: Poses) -> None:
    """Write head, trunk and arms at times (T,) into poses, in place; joints without goals stay at ease."""
    _stand_at_ease(poses)
    for joint, goals in plan.of_joint().items():
        _check(joint)
        passed = [(goal.time, np.asarray(goal.value, dtype=float), goal.passing) for goal in goals]
        if joint in HUMAN.ball_names:
            poses.ball(joint)[:] = TurnCourse.through(passed).at(times)
        else:
            poses.hinge(joint)[:] = Course.through(passed).at(times)[:, 0]


def _stand_at_ease(poses: Poses) -> None:
    for side, vector in _HANGING.items():
        poses.ball(f"{side}_shoulder")[:] = quaternion.exp(np.radians(vector))
        for name, degrees in _EASE.items():
            poses.hinge(f"{side}_{name}")[:] = np.radians(degrees)


def _check(joint: str) -> None:
    if joint not in (*HUMAN.ball_names, *HUMAN.hinge_names):
        raise ArgumentError(f"a goal is for '{joint}': there is no such joint, see segue.body.human for all names")
    if joint == "root" or joint.startswith(_LEGS):
        raise ArgumentError(f"a goal is for '{joint}': footsteps and the body's goals decide where legs and root are")
