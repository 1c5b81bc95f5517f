"""Courses of dances: smooth ways through goals, feet that roll without slipping, and a centre of mass that balances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.body.momentum import angular_momentum
from segue.dance.course.centre_of_mass import CentreOfMassGoal, Legs, centre_of_mass_course, pressure_course
from segue.dance.course.feet import foot_courses, foot_paths
from segue.dance.course.limbs import limb_course, normal_curve
from segue.dance.course.quintic import Quintic, rates_of, through
from segue.dance.course.rehearsal import EVERY
from segue.dance.course.stands import Foot
from segue.dance.planning.model import Bearing, Footprint
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from tests.support.simulated_plans import foxtrot, plan_of, side_closes, walking

FIGURE = Figure.standard()
numbers = st.floats(-3.0, 3.0)


@settings(max_examples=50, deadline=None)
@given(st.lists(numbers, min_size=6, max_size=6), st.floats(0.05, 3.0))
def test_quintics_meet_both_ends(ends: list[float], lasting: float) -> None:
    first, last = np.array(ends[:3])[:, None], np.array(ends[3:])[:, None]
    curve = Quintic.between(1.0, 1.0 + lasting, first, last)
    np.testing.assert_allclose(curve.at(1.0), first, atol=1e-6)
    np.testing.assert_allclose(curve.at(1.0 + lasting), last, atol=1e-6 * (1 + lasting**-2))


def test_goals_that_are_passed_are_not_slowed_down_at() -> None:
    at = np.linspace(0.0, 2.0, 2001)
    goals = np.array([[0.0], [1.0], [2.0]])
    times = np.array([0.0, 1.0, 2.0])
    stopping, passing = (through(times, goals, np.array([False, flag, False]), at) for flag in (False, True))
    for course in (stopping, passing):
        np.testing.assert_allclose(course[[0, 1000, 2000], 0], [0.0, 1.0, 2.0], atol=1e-12)
    speed = [float(rates_of(course, 0.001)[1000, 0]) for course in (stopping, passing)]
    assert speed[0] == pytest.approx(0.0, abs=1e-3)
    # the movement of least jerk through the middle, at its greatest speed
    assert speed[1] == pytest.approx(1.875, abs=1e-3)


def test_the_normal_curve_begins_and_ends_at_rest() -> None:
    s = np.linspace(0.0, 1.0, 1001)
    done = normal_curve(s)
    np.testing.assert_allclose(done[[0, 500, 1000]], [0.0, 0.5, 1.0], atol=1e-12)
    assert np.all(np.diff(done) >= 0.0)
    speed = rates_of(done, 0.001)
    assert max(speed[0], speed[-1]) < 0.01
    # the greatest speed is the normal density's: 7 / sqrt(2 pi)
    assert speed.max() == pytest.approx(7.0 / np.sqrt(2 * np.pi), rel=1e-3)


def test_limbs_move_along_great_circles() -> None:
    plan = plan_of([])
    times = np.linspace(0.0, plan.stop, 2001)
    pose = Poses.zero(1)
    start = quaternion.exp(np.array([0.0, 0.0, -1.35]))
    shoulder = HUMAN.ball_names.index("left_shoulder")
    pose.balls[0, shoulder] = start
    course = limb_course(plan, pose, times)
    back = np.repeat(quaternion.conjugate(start)[None], len(times), axis=0)
    arc = quaternion.log(quaternion.multiply(back, course.balls[:, shoulder]))
    axis = arc[-1] / np.linalg.norm(arc[-1])
    np.testing.assert_allclose(arc - np.outer(arc @ axis, axis), 0.0, atol=1e-9)
    moving = np.abs(course.velocity[:, HUMAN.ball_dofs[shoulder]]).max(axis=1) > 0.02
    assert times[moving][0] == pytest.approx(0.2, abs=0.05)
    assert times[moving][-1] == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("figure", [FIGURE, Figure.standard(1.5), Figure.standard(2.0)])
def test_feet_roll_without_slipping(figure: Figure) -> None:
    foot = Foot.of(figure.build)
    pitch = np.linspace(-0.3, 0.5, 801)
    ahead, up = foot.ankle(pitch)
    # lifted heels: the toe joint stays; lifted toes: the ball under the heel goes as far as it turns
    joint = ahead + (foot.toe_height - foot.sole) * np.sin(pitch) + foot.toe * np.cos(pitch)
    np.testing.assert_allclose(joint[pitch >= 0], foot.toe, atol=1e-12)
    centre = ahead + (foot.radius - foot.sole) * np.sin(pitch) - foot.heel * np.cos(pitch)
    down = pitch < 0
    np.testing.assert_allclose(centre[down], -foot.heel + foot.radius * pitch[down], atol=1e-12)
    flat = foot.ankle(np.array(0.0))
    assert float(flat[0]) == pytest.approx(0.0, abs=1e-12)
    assert float(flat[1]) == pytest.approx(foot.sole)
    assert np.abs(np.diff(up)).max() < 0.001


@pytest.mark.parametrize("paces", [walking(3, 1.0), side_closes(2, 0.6), foxtrot(1, 0.5)])
def test_swings_leave_and_land_as_planned(paces: list) -> None:
    plan = plan_of(paces)
    for course in foot_courses(plan).values():
        for swing, stand in zip(course.swings, course.stands[1:], strict=True):
            flight, step = swing.path(course.foot), swing.step
            ahead, height = course.foot.sole_middle(np.array(swing.landing))
            x, z = course.foot.on_floor(stand.place, float(ahead))
            np.testing.assert_allclose(flight.sole(step.land)[0], [x, float(height), z], atol=1e-9)
            assert flight.sole(step.land)[1, 1] == pytest.approx(-0.12)
            heights = [flight.sole(t)[0, 1] for t in np.linspace(step.lift, step.land, 50)]
            assert max(heights) > 0.02
            assert swing.settles <= min((after.lift for after in plan.footsteps if after.lift > step.land), default=99)


def test_a_foot_that_lands_on_its_heel_bears_there_first() -> None:
    course = foot_courses(plan_of(walking(1, 1.0, close=False)))["left"]
    step = course.swings[0].step
    assert step.landing is Bearing.HEEL
    stand = course.stands[1]
    heel, fore = stand.bearing(step.land + 0.01)
    assert heel == 1.0
    assert fore == 0.0
    assert stand.bearing(step.land + 1.0) == (1.0, 1.0)
    assert stand.pitch(step.land)[0] < 0.0
    assert stand.pitch(step.land + 1.0)[0] == 0.0


@pytest.mark.parametrize("paces", [walking(3, 1.0), side_closes(2, 1.0)])
def test_the_centre_of_mass_balances_over_the_pressure(paces: list) -> None:
    plan = plan_of(paces)
    feet = foot_courses(plan)
    step = 0.002
    times = np.arange(0.0, plan.stop, step)
    pressure = pressure_course(feet, times)
    hips = {side: np.tile([sign * 0.09, -0.1, 0.0], (len(times), 1)) for side, sign in (("left", 1), ("right", -1))}
    start = np.array([0.0, 0.95, feet["left"].foot.middle])
    leg = FIGURE.build.thigh + FIGURE.build.shank
    ankles = {side: way.ankle for side, way in foot_paths(feet, times).items()}
    asked = CentreOfMassGoal(pressure, start, np.full(len(times), 0.94), 9.81, step)
    course = centre_of_mass_course(asked, Legs(hips, ankles, leg))
    level = course.level[0]
    fall = (level[2:] - 2 * level[1:-1] + level[:-2]) / step**2
    np.testing.assert_allclose(fall, course.pace[1:-1, None] ** 2 * (level - pressure)[1:-1], atol=1e-6)
    np.testing.assert_allclose(level[-1], pressure[-1], atol=1e-9)
    for side in feet:
        reach = np.linalg.norm(
            np.column_stack([level[:, 0], course.height[0], level[:, 1]]) + hips[side] - ankles[side], axis=1
        )
        assert reach.max() < leg


def test_heights_sink_no_faster_than_a_body_falls() -> None:
    step = 0.002
    times = np.arange(0.0, 2.0, step)
    # a foot that is suddenly far away: the leg reaches it only from 0.2 m lower
    leg, far = 0.85, np.where(times > 1.0, 0.6, 0.0)
    ankles = {"left": np.stack([np.zeros_like(far), np.zeros_like(far), far], axis=1)}
    hips = {"left": np.zeros((len(times), 3))}
    asked = CentreOfMassGoal(np.zeros((len(times), 2)), np.array([0.0, 0.8, 0.0]), np.full(len(times), 0.8), 9.81, step)
    height, _, growth = centre_of_mass_course(asked, Legs(hips, ankles, leg)).height
    assert height[0] == pytest.approx(0.8, abs=1e-3)
    assert np.hypot(height[-1], 0.6) < leg
    assert np.hypot(height, far).max() < leg
    assert growth.min() > -0.31 * 9.81
    assert growth.max() < 0.41 * 9.81


def test_pressure_lies_in_the_standing_foot_while_the_other_swings() -> None:
    plan = plan_of(walking(3, 1.0))
    feet = foot_courses(plan)
    for step in plan.footsteps:
        middle = pressure_course(feet, np.array([0.5 * (step.lift + step.land)]))[0]
        other = feet["left" if step.foot == "right" else "right"]
        places = [stand.place for stand in other.stands]
        assert any(np.hypot(middle[0] - each.x, middle[1] - each.z) < 0.15 for each in places)


def test_angular_momentum_of_a_body_that_turns_as_a_whole() -> None:
    step, rate = 0.01, 2.0
    poses = Poses.zero(5)
    poses.balls[:, 0] = quaternion.exp(np.outer(np.arange(5) * step * rate, [0.0, 1.0, 0.0]))
    momentum = angular_momentum(FIGURE, poses, step)[2]
    assert momentum[1] == pytest.approx(rate * _moment_about_vertical(), rel=1e-3)
    shifted = Poses(poses.root + np.arange(5)[:, None] * np.array([0.1, 0.0, 0.2]), poses.balls, poses.hinges)
    np.testing.assert_allclose(angular_momentum(FIGURE, shifted, step)[2], momentum, rtol=1e-3, atol=1e-6)


def _moment_about_vertical() -> float:
    """Return the T pose's moment of inertia about the vertical through its centre of mass."""
    positions, _ = FIGURE.forward(Poses.zero(1))
    inertias = list(FIGURE.inertias.values())
    centres = positions[0] + np.array([inertia.centre for inertia in inertias])
    masses = np.array([inertia.mass for inertia in inertias])
    off = centres - masses @ centres / masses.sum()
    return float(masses @ (off[:, 0] ** 2 + off[:, 2] ** 2) + sum(inertia.tensor[1, 1] for inertia in inertias))


def test_points_of_the_floor_are_told_by_where_feet_face() -> None:
    foot = Foot.of(FIGURE.build)
    np.testing.assert_allclose(foot.on_floor(Footprint(1.0, 2.0, np.pi / 2), 0.3), [1.3, 2.0], atol=1e-12)
    np.testing.assert_allclose(foot.on_floor(Footprint(1.0, 2.0, 0.0), 0.3, 0.1), [1.1, 2.3], atol=1e-12)


def test_a_rehearsal_has_feet_and_centre_of_mass_where_they_are_to_be() -> None:
    course = InitialState.of(plan_of(walking(2, 0.6)), Environment()).course
    poses, figure = course.rehearsal.poses, course.plan.figure
    place = course.mass_centre
    wanted = np.stack([place.level[0, ::EVERY, 0], place.height[0, ::EVERY], place.level[0, ::EVERY, 1]], axis=1)
    np.testing.assert_allclose(figure.centre_of_mass(poses), wanted, atol=0.005)
    positions, _ = figure.forward(poses)
    for side, way in course.rehearsal.feet.items():
        np.testing.assert_allclose(positions[:, HUMAN.segments.index(f"{side}_foot")], way.ankle, atol=0.002)


def test_the_swing_of_a_leg_shifts_the_pressure_that_moves_the_body() -> None:
    plan = plan_of(walking(2, 0.6))
    course = InitialState.of(plan, Environment()).course
    shift = course.mass_centre.pressure - pressure_course(course.feet, course.times)
    swings = np.zeros(len(course.times), bool)
    for step in plan.footsteps:
        swings |= (course.times > step.lift) & (course.times < step.land)
    before = course.times < plan.footsteps[0].lift - 0.5
    assert np.abs(shift[swings]).max() > 0.02
    assert np.abs(shift[before & (course.times > 1.2)]).max() < 0.002
