"""The start of a course: a standing pose, and footsteps that one foot can do in order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.body.legs import SIDES, reach_feet
from segue.dance.course.stands import Foot
from segue.dance.planning.model import Footprint, Plan, Stance
from segue.errors import ArgumentError
from segue.typing import Array

_REACH = 0.976  # of the straight leg from hip to ankle
_LEAST_HEIGHT = 0.3  # of the straight leg, of a pelvis above feet that are out of reach
_ROUNDS = 12  # each leaves a tenth of the error


def standing(figure: Figure, stance: Stance, joints: Mapping[str, Array]) -> Poses:
    """Return the pose of a standing body.

    joints: values of joints that the stance does not decide, such as those of the arms: quaternions (4,) or angles
    (1,). Both feet are on their footprints, the pelvis is upright and as high as the legs reach, and the centre of mass
    is between the feet.
    """
    pose, foot, build = Poses.zero(1), Foot.of(figure.build), figure.build
    for name, value in joints.items():
        (pose.ball if name in HUMAN.ball_names else pose.hinge)(name)[0] = value if len(value) > 1 else value[0]
    pose.ball("root")[0] = _headed(stance.heading)
    prints: dict[str, Footprint] = {"left": stance.left, "right": stance.right}
    feet = {side: (np.array([[at.x, foot.sole, at.z]]), _headed(at.heading)[None]) for side, at in prints.items()}
    across = build.half_hip * np.array([np.cos(stance.heading), -np.sin(stance.heading)])
    leg = _REACH * (build.thigh + build.shank)
    middle = 0.5 * sum(foot.on_floor(at, foot.middle) for at in prints.values())
    pose.root[0, [0, 2]] = middle
    room = 0.0
    for _ in range(_ROUNDS):
        away = [pose.root[0, [0, 2]] + sign * across - prints[side][:2] for side, sign in SIDES.items()]
        farthest = max(float(each @ each) for each in away)
        pose.root[0, 1] = foot.sole + np.sqrt(max(leg**2 - farthest, (_LEAST_HEIGHT * leg) ** 2))
        room = reach_feet(figure, pose, feet)
        pose.root[0, [0, 2]] += middle - figure.centre_of_mass(pose)[0, [0, 2]]
    if room < 0.0:
        raise ArgumentError(
            "the figure cannot stand as the plan begins: a foot is out of the leg's reach, begin with feet closer"
            " together"
        )
    reach_feet(figure, pose, feet)
    return pose


def _headed(heading: float) -> Array:
    return quaternion.exp(np.array([0.0, heading, 0.0]))


def check_footsteps(plan: Plan) -> None:
    """Raise ArgumentError if the footsteps of one foot overlap in time."""
    for side in SIDES:
        steps = plan.of_foot(side)
        for step in steps:
            if step.land < step.lift:
                raise ArgumentError(f"the {side} foot lands at {step.land:g} s, before it leaves at {step.lift:g} s")
        for before, after in pairwise(steps):
            if after.lift < before.land:
                raise ArgumentError(
                    f"the {side} foot leaves at {after.lift:g} s, before it has landed at {before.land:g} s"
                )
