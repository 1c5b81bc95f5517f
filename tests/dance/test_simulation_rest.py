"""From rest to rest: arms that reach dance position by joint torques alone, and dances that begin and end with them."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.dance import plan as make_plan
from segue.dance.planning.rest import AT_REST, delayed, from_rest
from segue.errors import ArgumentError
from tests.support.thesis.torque_reach import arm_reach_plan, torque_arm_reach

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")


def test_arms_reach_dance_position_in_time_and_smoothly_and_the_body_stands_still() -> None:
    reach = torque_arm_reach(Figure.standard(), 0.6)
    assert reach.reached
    assert {"left_shoulder", "right_shoulder", "left_elbow", "right_elbow"} <= set(reach.limbs)
    found = reach.report()
    assert found["control"] == "torque"
    assert found["left_deg"] < 0.5
    assert found["outside_torque_Nm"] == 0.0
    assert found["feet_mm"] < 0.5
    assert found["drift_deg"] < 0.2
    # what is raised in front is balanced by a pelvis that goes back a little, and does not sink
    assert found["drift_mm"] < 30.0


@pytest.mark.parametrize("seconds", [0.0, float("nan"), 1e3])
def test_times_that_no_arm_can_be_given_are_refused(seconds: float) -> None:
    with pytest.raises(ArgumentError, match=r"from 0\.3 to 30 s"):
        arm_reach_plan(Figure.standard(), seconds)
    with pytest.raises(ArgumentError, match=r"from 0\.3 to 30 s"):
        from_rest(make_plan("foxtrot/forward basic"), seconds)


def test_arms_are_raised_before_the_first_step_and_lowered_after_the_last() -> None:
    plan = make_plan("foxtrot/forward basic")
    rested = from_rest(plan, 2.0)
    for joint, goals in plan.of_joint().items():
        found = rested.of_joint()[joint]
        assert found[0].time == 0.0
        if joint in AT_REST:
            assert [goal.time for goal in found[-2:]] == [plan.stop + 2.0, plan.stop + 4.0]
            np.testing.assert_array_equal(found[0].value, AT_REST[joint])
            np.testing.assert_array_equal(found[1].value, goals[0].value)
            assert found[1].time == 2.0
            np.testing.assert_array_equal(found[-2].value, goals[-1].value)
            np.testing.assert_array_equal(found[-1].value, AT_REST[joint])
        else:
            np.testing.assert_array_equal(found[0].value, goals[0].value)
    assert rested.footsteps[0].lift == plan.footsteps[0].lift + 2.0
    assert {"left_shoulder", "right_elbow_flexion"} <= set(rested.of_joint())


def test_a_delayed_plan_is_the_same_later() -> None:
    plan = make_plan("waltz/box step")
    later = delayed(plan, 1.5)
    assert later.stop == plan.stop + 1.5
    np.testing.assert_allclose(later.beats, plan.beats + 1.5)
    assert [step.land - 1.5 for step in later.footsteps] == pytest.approx([step.land for step in plan.footsteps])
    assert later.body[0].time == 0.0
    assert set(later.of_joint()) == set(plan.of_joint())
