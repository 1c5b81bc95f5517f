"""Legs in the air within their ranges, and a body that stands between feet far apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from segue.body.human import HUMAN
from segue.dance.course.course import Course
from segue.dance.performance.solo import preview
from segue.dance.planning.model import Footprint
from tests.dance.hand_made import walking_plan


def test_ankles_are_eased_in_the_air_alone() -> None:
    plan = walking_plan()
    rehearsal = Course.of(plan).rehearsal
    hinge = HUMAN["left_foot"].hinges[1]
    strained = hinge.limit.high + 0.2
    rehearsal.poses.hinge(hinge.name)[:] = strained
    rehearsal.ease_ankles()
    eased, flying = rehearsal.poses.hinge(hinge.name), rehearsal.feet["left"].flying
    assert eased.min() <= hinge.limit.high + 1e-9, "in mid-swing it is within its range"
    assert np.allclose(eased[~flying], strained), "a standing foot is not turned"


def test_who_stands_with_feet_far_apart_stands_between_them() -> None:
    plan = walking_plan()
    last = plan.footsteps[-1]
    heights = []
    for aside in (0.15, 0.75):
        wide = Footprint(last.end.x + aside * (1 if last.foot == "left" else -1), last.end.z, last.end.heading)
        motion = preview(replace(plan, footsteps=(*plan.footsteps[:-1], replace(last, end=wide))), fps=60.0)
        heights.append(float(motion.at([plan.stop]).root[0, 1]))
    assert heights[1] > heights[0] - 0.2, "the pelvis does not sink over one foot"
