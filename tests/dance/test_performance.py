"""A plan performed: what the figure does with footsteps whose every number is known."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance import measure, preview
from segue.dance.course.stands import Foot
from segue.dance.performance.measure import pivot_axis, sole_points
from segue.dance.performance.solo import FPS
from segue.dance.planning.model import Bearing, BodyGoal, Footprint, Footstep, JointGoal, Plan
from segue.errors import ArgumentError
from tests.dance.hand_made import LANDINGS, STRIDE, walking_plan


def heights(plan: Plan, side: str, time: float) -> dict[str, float]:
    motion = preview(plan)
    heel, ball, tip = sole_points(plan.figure, side, motion.at([time]))[0, :, 1]
    return {"heel": float(heel), "ball": float(ball), "tip": float(tip)}


@pytest.mark.parametrize("stride", [STRIDE, 0.25, -0.45])
@pytest.mark.parametrize("stature", [1.5, 1.75, 2.0])
def test_a_walk_keeps_all_measures(stride: float, stature: float) -> None:
    plan = walking_plan(Figure.standard(stature), stride * stature / 1.75)
    found = measure(plan, preview(plan))
    assert found.planted < 0.5e-3
    assert abs(found.landing) < 1 / 60
    assert found.knee > np.radians(2.0)
    assert found.floor < 0.5e-3
    assert found.overlap == 0.0
    assert found.limits < np.radians(0.5)


def test_feet_stand_where_the_plan_puts_them() -> None:
    plan = walking_plan()
    motion = preview(plan)
    for step in plan.footsteps:
        ankle = motion.figure.forward(motion.at([step.settled + 0.1]))[0][0]
        x, _, z = ankle[HUMAN.segments.index(f"{step.foot}_foot")]
        assert (x, z) == pytest.approx((step.end.x, step.end.z), abs=1e-3)


def test_heel_leads_land_on_the_heel_and_settle_flat() -> None:
    plan = walking_plan()
    landed = heights(plan, "left", LANDINGS[0])
    assert landed["heel"] == pytest.approx(0.0, abs=5e-4)
    assert landed["tip"] > 0.02
    settled = heights(plan, "left", LANDINGS[0] + 0.2)
    assert max(settled.values()) < 1e-3


def test_backward_steps_land_on_the_toes() -> None:
    landed = heights(walking_plan(stride=-0.45), "left", LANDINGS[0])
    assert landed["tip"] == pytest.approx(0.0, abs=5e-4)
    assert landed["heel"] > 0.02


def test_a_foot_on_its_toes_bends_the_toe_joint() -> None:
    plan = walking_plan()
    toes = replace(plan.footsteps[0], landing=Bearing.TOE, bearing=Bearing.TOE)
    raised = replace(plan, footsteps=(toes, *plan.footsteps[1:]))
    alone = 0.5 * (plan.footsteps[1].lift + LANDINGS[1]) + 0.1
    pose = preview(raised).at([alone])
    assert np.degrees(pose.hinge("left_toe_extension")[0]) > 15.0
    assert heights(raised, "left", alone)["heel"] > 0.04
    flat = preview(plan).at([alone])
    assert np.degrees(flat.hinge("left_toe_extension")[0]) < 2.0


def test_feet_clear_the_floor_in_the_air() -> None:
    plan = walking_plan()
    motion = preview(plan)
    step = plan.footsteps[1]
    middle = np.linspace(step.lift + 0.3 * (step.land - step.lift), step.land - 0.08, 30)
    assert sole_points(plan.figure, step.foot, motion.at(middle))[..., 1].min() > 0.004


def test_via_points_are_passed() -> None:
    plan = walking_plan()
    step = plan.footsteps[1]
    wide = replace(step, via=((step.start.x - 0.15, 0.5 * (step.start.z + step.end.z)),))
    motion = preview(replace(plan, footsteps=(plan.footsteps[0], wide, *plan.footsteps[2:])))
    heel = sole_points(plan.figure, "right", motion.at(np.linspace(step.lift, step.land, 60)))[:, 0]
    assert heel[:, 0].min() == pytest.approx(step.start.x - 0.15, abs=0.02)


def test_a_pivot_turns_about_the_inner_side_of_the_ball() -> None:
    plan = walking_plan()
    last = plan.footsteps[-1]
    ball = plan.figure.build.toe[2]
    turned = Footprint(last.end.x - ball * np.sin(0.8), last.end.z + ball - ball * np.cos(0.8), last.end.heading + 0.8)
    pivot = Footstep(last.foot, last.end, turned, 5.0, 5.0, 5.6, Bearing.TOE, Bearing.FLAT, True, last.step)
    body = (*plan.body, BodyGoal(5.8, 0.5, float(last.foot == "right"), 0.0, 0.0, False))
    made = replace(plan, footsteps=(*plan.footsteps, pivot), body=body)
    motion = preview(made)
    assert measure(made, motion).planted < 0.5e-3
    axis = pivot_axis(plan.figure, last.foot, motion.at([5.0, 5.8]))
    assert np.linalg.norm(axis[1] - axis[0]) < 1e-3
    points = sole_points(plan.figure, last.foot, motion.at([5.0, 5.8]))
    ahead = points[1, 2] - points[1, 1]
    assert np.arctan2(ahead[0], ahead[2]) == pytest.approx(0.8, abs=0.01)


def test_the_body_passes_over_the_foot_that_bears_it_and_rests_between_both() -> None:
    plan = walking_plan()
    motion = preview(plan)
    foot = Foot.of(plan.figure.build)
    for standing, step in pairwise(plan.footsteps):
        passing = plan.figure.centre_of_mass(motion.at(np.linspace(step.lift, step.land, 60)))[:, [0, 2]]
        away = np.linalg.norm(passing - foot.on_floor(standing.end, foot.middle), axis=1)
        assert away.min() < 0.06, "while one foot swings, the body passes over the other"
    rest = plan.figure.centre_of_mass(motion.at([plan.stop]))[0, [0, 2]]
    soles = [foot.on_floor(step.end, foot.middle) for step in plan.footsteps[-2:]]
    assert rest == pytest.approx(np.mean(soles, axis=0), abs=0.02)


def test_the_body_rises_and_faces_as_it_is_to() -> None:
    plan = walking_plan()
    goals = [goal._replace(heading=0.3, sway=0.1) if goal.time > 5.0 else goal for goal in plan.body]
    rest = BodyGoal(6.2, 0.3, 0.0, -0.1, 0.1, False)
    made = preview(replace(plan, body=(*goals, rest)))
    pelvis = made.at([plan.stop]).ball("root")[0]
    front = quaternion.rotate(pelvis, np.array([0.0, 0.0, 1.0]))
    assert np.arctan2(front[0], front[2]) == pytest.approx(0.3, abs=0.01)
    up = quaternion.rotate(pelvis, np.array([0.0, 1.0, 0.0]))
    left = quaternion.rotate(pelvis, np.array([1.0, 0.0, 0.0])) * np.array([1.0, 0.0, 1.0])
    assert up @ left > 0.02, "sway to the left leans to the left"
    lower, usual = (
        preview(replace(plan, body=body)).at([plan.stop]).root[0, 1] for body in ((*goals, rest), plan.body)
    )
    assert lower < usual - 0.03


def test_joints_go_through_their_goals_and_pass_intermediate_ones_in_full_swing() -> None:
    turn = quaternion.exp(np.array([0.0, 0.6, 0.0]))
    half = quaternion.exp(np.array([0.0, 0.3, 0.0]))
    goals = (
        JointGoal(1.0, "neck", quaternion.identity(), False),
        JointGoal(1.5, "neck", half, True),
        JointGoal(2.0, "neck", turn, False),
        JointGoal(2.0, "left_elbow_flexion", np.array([0.9]), False),
    )
    motion = preview(replace(walking_plan(), goals=goals))
    for goal in goals[:3]:
        assert quaternion.angle_between(motion.at([goal.time]).ball("neck")[0], goal.value) < 1e-3
    assert motion.at([4.0]).hinge("left_elbow_flexion")[0] == pytest.approx(0.9)
    speed = np.linalg.norm(motion.sample("neck", [1.25, 1.5, 1.75]).velocity, axis=1)
    assert speed[1] > speed[0]
    assert speed[1] > speed[2]


def test_goals_for_legs_and_for_no_joint_are_told() -> None:
    plan = walking_plan()
    for joint, words in (("left_knee_flexion", "footsteps"), ("tail", "no such joint")):
        goal = JointGoal(1.0, joint, np.array([0.1]), False)
        with pytest.raises(ArgumentError, match=words):
            preview(replace(plan, goals=(goal,)))


def test_impossible_plans_are_told() -> None:
    plan = walking_plan()
    with pytest.raises(ArgumentError, match="before it leaves"):
        preview(replace(plan, footsteps=(replace(plan.footsteps[0], land=0.1),)))
    early = replace(plan.footsteps[2], lift=plan.footsteps[0].land - 0.1)
    with pytest.raises(ArgumentError, match="before it has landed"):
        preview(replace(plan, footsteps=(plan.footsteps[0], early)))
    with pytest.raises(ArgumentError, match="fps is 5"):
        preview(plan, fps=5.0)


def test_the_same_plan_gives_the_same_motion_at_its_rate() -> None:
    plan = walking_plan()
    one, other = preview(plan), preview(plan)
    assert one.fps == FPS
    assert one.stop == pytest.approx(plan.stop, abs=1 / FPS)
    assert np.array_equal(one.poses.hinges, other.poses.hinges)


def test_motion_is_smooth() -> None:
    plan = walking_plan()
    root = preview(plan).poses.root
    jerk = np.diff(root, n=3, axis=0) * FPS**3
    assert np.abs(jerk).max() < 200.0, "no frame of the pelvis leaps"
