"""The body as a whole: where it faces, how it sways, and how high it is to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.curves import quaternion
from segue.dance.performance.courses import Course
from segue.dance.performance.legs import standing_height
from segue.dance.planning.model import Plan
from segue.typing import Array

_PELVIS_SHARE = 0.35
"""Of the body's sway that the pelvis does; the lower back does the rest."""


@dataclass(frozen=True, eq=False)
class Carriage:
    """What the body as a whole is to do at T times.

    pelvis: (T, 4), its world rotation. spine: (T, 4), what sway adds to the lower back. height: (T,) of the root in m,
    as it would be if the legs reached everywhere.
    """

    pelvis: Array
    spine: Array
    height: Array


def carriage(plan: Plan, times: Array) -> Carriage:
    """Return the body's heading, sway and rise at times (T,)."""
    begins = (0.0, (plan.begins.heading, 0.0, 0.0), False)
    goals = [(goal.time, (goal.heading, goal.sway, goal.rise), goal.passing) for goal in plan.body]
    course = Course.through([begins, *goals] if not goals or goals[0][0] > 0.0 else goals)
    heading, sway, rise = course.at(times).T
    upright = np.array([0.0, 0.0, -1.0])
    headed = quaternion.exp(heading[:, None] * np.array([0.0, 1.0, 0.0]))
    return Carriage(
        pelvis=quaternion.multiply(headed, quaternion.exp(_PELVIS_SHARE * sway[:, None] * upright)),
        spine=quaternion.exp((1.0 - _PELVIS_SHARE) * sway[:, None] * upright),
        height=standing_height(plan.figure) + rise,
    )
