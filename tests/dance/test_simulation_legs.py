"""Legs that pass each other: ways round the standing leg, hips that turn, and flesh that cannot pass through flesh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.course.feet import foot_courses, foot_paths
from segue.dance.course.leg_clearance import pelvis_turns
from segue.dance.course.quintic import QuinticPath
from segue.dance.planning.footsteps import lift_earlier_if_fast
from segue.dance.planning.model import Footprint, Plan
from segue.dance.simulation import simulate
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.model import BodyModel
from tests.support.simulated_plans import plan_of, walking

FIGURE = Figure.standard()
STEP = 0.002


def crossing(via: tuple[tuple[float, float], ...] = ((0.25, -0.28), (0.4, -0.28))) -> Plan:
    """A step to the left, and the right foot that crosses behind the left one."""
    plan = plan_of(walking(2, 1.0, close=False), lead_in=1.2)
    first, second = plan.footsteps
    aside = Footprint(0.28, 0.0, 0.0)
    behind = Footprint(0.4, -0.14, 0.0)
    steps = (
        replace(first, start=plan.begins.left, end=aside),
        replace(second, start=plan.begins.right, end=behind, via=via),
    )
    return replace(plan, footsteps=steps)


def test_ways_pass_their_points_smoothly() -> None:
    first = np.array([[0.0, 0.0], [0.3, -0.1], [0.0, 0.0]])
    points, last = [np.array([0.2, 0.1]), np.array([0.3, 0.4])], np.array([0.1, 0.6])
    way = QuinticPath.past(1.0, 1.5, first, points, last)
    np.testing.assert_allclose(way.at(1.0), first, atol=1e-9)
    np.testing.assert_allclose(way.at(1.5), [last, [0.0, 0.0], [0.0, 0.0]], atol=1e-7)
    times = np.linspace(1.0, 1.5, 5001)
    places = np.array([way.at(time) for time in times])
    for point in points:
        assert np.linalg.norm(places[:, 0] - point, axis=1).min() < 1e-3
    np.testing.assert_allclose(np.gradient(places[:, 0], times, axis=0)[1:-1], places[1:-1, 1], atol=1e-3)
    assert np.abs(np.diff(places[:, 2], axis=0)).max() < 0.01 * np.abs(places[:, 2]).max()


def test_feet_that_would_have_to_hurry_leave_sooner() -> None:
    calm = plan_of(walking(3, 1.0, length=0.4, close=False)).footsteps
    assert lift_earlier_if_fast(calm) == calm
    planned = plan_of(walking(3, 0.7, length=0.6, close=False)).footsteps
    found = lift_earlier_if_fast(planned)
    assert [step.land for step in found] == [step.land for step in planned]
    for before, late, step in zip(found, planned[1:], found[1:], strict=False):
        assert before.land + 0.09 < step.lift < late.lift


def test_the_pelvis_turns_where_feet_cross() -> None:
    plan = crossing()
    times = np.arange(0.0, plan.stop, STEP)
    turns = pelvis_turns(np.zeros(len(times)), foot_paths(foot_courses(plan), times), STEP)
    # the right foot is behind the left one: hips turn to the right, so that it is the one that trails
    assert turns[-1] < -0.2
    assert np.abs(turns).max() < 0.451
    assert turns[0] == pytest.approx(0.0, abs=1e-9)
    plain = plan_of(walking(3, 1.0))
    ways = foot_paths(foot_courses(plain), times)
    assert not pelvis_turns(np.zeros(len(times)), ways, STEP).any()


def test_a_foot_that_crosses_goes_round_the_standing_leg() -> None:
    # straight on, the right foot would pass through the left one
    plan = crossing(via=((0.2, 0.0),))
    course = InitialState.of(plan, Environment()).course
    (swing,) = course.feet["right"].swings
    assert swing.via != plan.footsteps[1].via
    dance = simulate(crossing())
    assert dance.fall is None
    assert dance.touch == 0.0
    assert dance.report()["legs_touch_N"] == 0.0


def test_legs_push_each_other_apart_and_nothing_else() -> None:
    engine, model = mujoco(), BodyModel(FIGURE, Environment())
    data = engine.MjData(model.engine_model)
    engine.mj_resetData(model.engine_model, data)
    data.qpos[1] = 3.0  # far above the floor
    for side, sign in (("left", 1.0), ("right", -1.0)):
        data.qpos[HUMAN.ball_positions[HUMAN.ball_names.index(f"{side}_hip")]] = quaternion.exp(
            np.array([0.0, 0.0, -0.12 * sign])
        )
    engine.mj_forward(model.engine_model, data)
    names = {model.engine_model.geom(k).name for pair in data.contact.geom for k in pair}
    assert "left_shank_leg" in names
    assert "right_shank_leg" in names
    assert not any(name.endswith("flesh") for name in names)
    assert np.abs(data.qfrc_constraint).max() > 1.0
    np.testing.assert_allclose(data.qfrc_constraint[:3], 0.0, atol=1e-9)
