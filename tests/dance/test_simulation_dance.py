"""Bodies with mass that dance by joint torques alone: they keep their feet, land on the beat, and do not fall."""

from __future__ import annotations

import json

import numpy as np
import pytest

from segue.dance.planning.model import Plan
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.push import Push
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.solo import simulate
from segue.errors import ArgumentError
from segue.motion.motion import gaps
from tests.support.simulated_plans import begun, plan_of, side_closes, walking

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

# a physics engine that finds itself unstable would warn
pytestmark = pytest.mark.filterwarnings("error::segue.errors.SegueWarning")

SLIP, LANDING, BEAT = 0.003, 0.010, 0.020


@pytest.fixture(scope="module")
def walk() -> SimulatedDance:
    return simulate(plan_of(walking(2, 1.0), lead_in=1.6))


def check(dance: SimulatedDance) -> None:
    assert dance.fall is None
    assert len(dance.landings) == dance.due > 0
    assert dance.slip <= SLIP
    assert dance.landing_error <= LANDING
    assert dance.beat_error <= BEAT
    assert max(dance.efforts.values()) <= 1.0
    assert dance.outside.applied == 0.0


def test_walking_forward_keeps_to_feet_and_beat(walk: SimulatedDance) -> None:
    check(walk)
    assert all(landing.miss is not None for landing in walk.landings)
    assert walk.centre[-1, 2] == pytest.approx(0.8, abs=0.06)


@pytest.mark.parametrize(
    "plan", [plan_of(walking(1, 1.0, -0.4), lead_in=1.6), plan_of(side_closes(1, 1.0), lead_in=1.6)]
)
def test_steps_back_and_to_the_side(plan: Plan) -> None:
    check(simulate(plan))


def test_what_moves_the_body_is_gravity_and_the_floor(walk: SimulatedDance) -> None:
    # what is left unexplained is the error of integration: the body weighs 670 N
    assert walk.outside.unexplained < 0.5
    total = walk.forces.sum(axis=1)
    weight = walk.plan.figure.mass * walk.environment.gravity
    assert total[:, 1].mean() == pytest.approx(weight, rel=0.01)
    assert np.abs(total[5:, [0, 2]]).max() <= walk.environment.friction * weight * 1.2


def test_pressure_lies_under_the_feet(walk: SimulatedDance) -> None:
    inside = walk.pressure[5:]
    assert np.isfinite(inside).all()
    points = walk.points[5:, :, [0, 2]]
    assert np.all(inside >= points.min(axis=1) - 1e-9)
    assert np.all(inside <= points.max(axis=1) + 1e-9)


def test_the_result_is_a_motion_of_the_figure(walk: SimulatedDance) -> None:
    motion = walk.motion
    assert not gaps(motion)
    assert motion.duration == pytest.approx(walk.times[-1])
    at = motion.at([1.0])
    np.testing.assert_allclose(at.root[0], walk.positions[100, :3], atol=1e-9)
    assert motion.figure.limit_excess(motion.at(motion.times)).max() < 0.02


def test_arms_reach_their_goals_in_time(walk: SimulatedDance) -> None:
    bend = walk.motion.at([0.2, 1.0, 1.03]).hinge("left_elbow_flexion")
    assert bend[0] == pytest.approx(0.25, abs=0.02)
    assert bend[2] == pytest.approx(1.4, abs=np.radians(2.0))


def test_the_same_plan_gives_the_same_bytes(walk: SimulatedDance) -> None:
    # until the second foot has landed
    again = begun(plan_of(walking(2, 1.0), lead_in=1.6), 270)
    assert len(again.landings) == 2
    np.testing.assert_array_equal(again.positions, walk.positions[:270])
    np.testing.assert_array_equal(again.torques, walk.torques[:270])


def test_the_report_is_ready_for_json(walk: SimulatedDance) -> None:
    report = json.loads(json.dumps(walk.report()))
    assert report["fall"] is None
    assert report["landings"] == {"due": 3, "made": 3}
    assert report["outside_force_N"]["applied"] == 0.0


def test_a_hard_push_fells_the_dancer_who_says_so() -> None:
    push = Push(1.0, 900.0, 0.2, "left")
    dance = simulate(plan_of([], lead_in=1.6), pushes=[push])
    assert dance.fall is not None
    assert str(dance.fall).endswith("before the first step")
    # who has fallen lets go
    assert not dance.torques[-1].any()
    assert np.isfinite(dance.positions).all()
    assert dance.centre[-1, 1] < 0.6 * dance.centre[0, 1]


def test_a_gentle_push_is_stood() -> None:
    push = Push.parse("t=0.5 s, 40 N, 0.1 s, forward, chest")
    dance = simulate(plan_of([], lead_in=0.5), pushes=[push])
    assert dance.fall is None
    assert np.abs(dance.centre[-1] - dance.centre[0]).max() < 0.02
    assert np.ptp(dance.centre[:, 2]) > 0.002


def test_who_is_interrupted_keeps_what_was_danced() -> None:
    dance = begun(plan_of([]), 30)
    assert dance.interrupted
    assert len(dance.positions) == 30


def test_ice_lets_feet_slide(walk: SimulatedDance) -> None:
    dance = simulate(walk.plan, Environment(friction=0.02))
    assert dance.slip > 5.0 * SLIP
    assert dance.fall is not None, "no foot can stop a body on a floor that gives 13 N"


@pytest.mark.parametrize(
    "phrase",
    ["80 N left", "t=3 s, 80 N, 0.1 s, up, chest", "t=3 s, 80 N, 0.1 s, left, tail", "t=nan s, 1 N, 1 s, left, chest"],
)
def test_pushes_that_make_no_sense_are_refused(phrase: str) -> None:
    with pytest.raises(ArgumentError, match=r"push|segment"):
        Push.parse(phrase)
