"""The ways in which a plan is danced: by joint torques alone, with help from outside, by the thesis's motor control."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from segue.body.anthropometry import STANDARD_GRAVITY
from segue.dance.simulation import Help, Mode, Push, simulate
from segue.dance.simulation.assistance import outside_hull
from segue.dance.simulation.classic.controller import bearing_shares, goals_of
from segue.errors import ArgumentError
from tests.support.simulated_plans import plan_of, walking

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("point", "way"),
    [
        ((0.3, 0.6), (0.0, 0.0)),
        ((1.5, 0.5), (0.5, 0.0)),
        ((0.2, -2.0), (0.0, -2.0)),
        ((4.0, 5.0), (3.0, 4.0)),
    ],
)
def test_how_far_a_point_is_beyond_others(point: tuple[float, float], way: tuple[float, float]) -> None:
    np.testing.assert_allclose(outside_hull(np.array(point), SQUARE), way, atol=1e-12)


def test_one_point_alone_is_its_own_hull() -> None:
    np.testing.assert_allclose(outside_hull(np.array([3.0, 4.0]), SQUARE[:1]), [3.0, 4.0])


def test_a_push_that_fells_is_stood_with_help_and_the_result_says_how_much() -> None:
    plan, push = plan_of([], lead_in=0.6), Push(0.4, 250.0, 0.1, "left")
    alone = simulate(plan, pushes=[push])
    helped = simulate(plan, mode=Mode.ASSISTED, pushes=[push])
    assert alone.fall is not None
    assert alone.help == Help(0.0, 0.0, 0.0)
    assert helped.fall is None
    assert helped.mode is Mode.ASSISTED
    figure = plan.figure
    assert 1.0 < helped.help.rms < helped.help.largest < figure.mass * 9.81 * figure.stature * np.sin(np.radians(20.0))
    assert helped.report()["helping_torque"]["impulse_Nms"] > 0.0


def test_who_stands_well_is_left_alone() -> None:
    dance = simulate(plan_of([], lead_in=0.3), mode="assisted")
    assert dance.help == Help(0.0, 0.0, 0.0)


def test_modes_that_there_are_not_are_refused() -> None:
    with pytest.raises(ArgumentError, match="the mode is 'magic': it must be one of torque, assisted, classic"):
        simulate(plan_of([], lead_in=0.3), mode="magic")


def test_the_thesis_walks_with_help_and_slides() -> None:
    dance = simulate(plan_of(walking(2, 1.0), lead_in=1.6), mode=Mode.CLASSIC)
    assert dance.mode is Mode.CLASSIC
    assert dance.landings
    assert dance.help.largest > 20.0
    assert dance.slip > 0.01
    assert max(dance.efforts.values()) <= 1.0 + 1e-9
    assert np.isfinite(dance.positions).all()
    # feet that are thrown about leave more to the error of integration than dancing does: little beside the weight
    assert dance.outside.unexplained < 0.1 * dance.plan.figure.mass * STANDARD_GRAVITY


def test_the_thesis_stands_until_it_is_felled_and_then_lets_go() -> None:
    plan = plan_of([], lead_in=0.5)
    stood = simulate(plan, mode=Mode.CLASSIC)
    assert stood.fall is None
    assert stood.help.largest < 30.0
    bend = stood.motion.at([0.2, 1.2]).hinge("left_elbow_flexion")
    assert bend == pytest.approx([0.25, 1.4], abs=np.radians(2.0))
    felled = simulate(plan, mode=Mode.CLASSIC, pushes=[Push(0.3, 900.0, 0.2, "left")])
    assert felled.fall is not None
    assert not felled.torques[-1].any()


def test_goals_of_legs_are_those_of_their_feet() -> None:
    plan = plan_of(walking(1, 1.0), lead_in=1.6)
    legs = [goal for goal in goals_of(plan) if "left_hip" in goal.tracks]
    step = plan.footsteps[0]
    assert [goal.stop for goal in legs[:3]] == pytest.approx([step.lift, 0.5 * (step.lift + step.land), step.land])
    assert all(before.stop == after.start for before, after in pairwise(legs))
    assert legs[-1].stop == plan.stop


def test_a_leg_in_the_air_bears_nothing() -> None:
    plan = plan_of(walking(1, 1.0), lead_in=1.6)
    left, right = plan.footsteps
    times = np.array([0.0, left.lift, left.land, right.lift, right.land, plan.stop])
    assert (left.foot, right.foot) == ("left", "right")
    assert bearing_shares(plan, times) == pytest.approx([0.5, 0.0, 0.0, 1.0, 1.0, 0.5])
