"""Footwork of simulated bodies: turns on the ball of the foot, weight that rocks, and feet that only touch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.dance import plan as make_plan
from segue.dance.body.shapes import AXIS_POINT, SOLE_POINTS
from segue.dance.course.centre_of_mass import pressure_course
from segue.dance.course.feet import foot_courses
from segue.dance.course.stands import Foot, Roll, Target, rolls_through
from segue.dance.notation.model import Foot as StepFoot
from segue.dance.notation.model import FootPosition, Pattern, Step
from segue.dance.planning.feet import FootShape, moved, pivoted
from segue.dance.planning.model import Bearing, BodyGoal, Footprint, Footstep, Plan, PlannedStep, Stance, Tempo
from segue.dance.simulation.control.body_controller import pivot_friction
from segue.dance.simulation.push import Push
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.solo import simulate

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

FIGURE = Figure.standard()
WIDTH, LEAD_IN = 0.16, 1.6
LEFT, RIGHT = Footprint(WIDTH / 2, 0.0, 0.0), Footprint(-WIDTH / 2, 0.0, 0.0)


def flight(foot: str, start: Footprint, end: Footprint, when: tuple[float, float], weight: bool = True) -> Footstep:
    lift, land = when
    bearing = Bearing.FLAT if weight else Bearing.TOE
    return Footstep(foot, start, end, lift, land, land + 0.12, Bearing.TOE, bearing, weight, 0)


def plan_of(footsteps: list[Footstep], body: list[BodyGoal], stop: float) -> Plan:
    pattern = Pattern("practice", "by hand", (), tempo=30.0)
    last = {step.foot: step.end for step in footsteps}
    ends = Stance(last.get("left", LEFT), last.get("right", RIGHT), body[-1].heading)
    step = PlannedStep(Step(StepFoot.LEFT, FootPosition.FORWARD, 1), pattern, 1, LEAD_IN, stop - 1.0, ends)
    begins = Stance(LEFT, RIGHT, 0.0)
    return Plan(FIGURE, Tempo(30.0, 4), begins, (step,), tuple(footsteps), tuple(body), (), LEAD_IN, stop)


def pivot_plan(turn: float) -> Plan:
    """The left foot steps ahead, and turns where it stands while the right one closes to it."""
    ahead = LEFT._replace(z=0.3)
    turned = pivoted(ahead, turn, FootShape.of(FIGURE))
    lift, land = LEAD_IN + 0.3, LEAD_IN + 1.0
    beside = Footprint(*moved(turned, turn, -WIDTH, 0.0), turn)
    footsteps = [
        flight("left", LEFT, ahead, (LEAD_IN - 0.7, LEAD_IN)),
        Footstep("left", ahead, turned, lift, lift, land, Bearing.TOE, Bearing.FLAT, False, 0),
        flight("right", RIGHT, beside, (lift, land)),
    ]
    body = [
        BodyGoal(0.0, 0.0, 0.5, 0.0, 0.0, False),
        BodyGoal(LEAD_IN, 0.0, 0.5, 0.0, 0.0, False),
        BodyGoal(lift, 0.25 * turn, 0.0, 0.0, 0.0, True),
        BodyGoal(land, 0.85 * turn, 0.2, 0.0, 0.0, True),
        BodyGoal(land + 0.3, turn, 0.5, 0.0, 0.0, False),
    ]
    return plan_of(footsteps, body, land + 0.8)


def ball_plan(bearing: Bearing) -> Plan:
    """The left foot steps ahead to stand flat or on its ball, the right one closes, and the left one steps again."""
    ahead, beside = LEFT._replace(z=0.3), RIGHT._replace(z=0.3)
    first = flight("left", LEFT, ahead, (LEAD_IN - 0.7, LEAD_IN))
    footsteps = [
        replace(first, bearing=bearing),
        flight("right", RIGHT, beside, (LEAD_IN + 0.3, LEAD_IN + 1.0)),
        flight("left", ahead, ahead._replace(z=0.5), (LEAD_IN + 1.3, LEAD_IN + 2.0)),
    ]
    return plan_of(footsteps, [BodyGoal(0.0, 0.0, 0.5, 0.0, 0.0, False)], LEAD_IN + 2.8)


def rocking_plan(weight: bool) -> Plan:
    """The left foot steps aside, with weight or to touch, and comes back."""
    aside = LEFT._replace(x=LEFT.x + 0.25)
    footsteps = [
        flight("left", LEFT, aside, (LEAD_IN - 0.6, LEAD_IN), weight),
        flight("left", aside, LEFT, (LEAD_IN + 1.0, LEAD_IN + 1.5)),
    ]
    return plan_of(footsteps, [BodyGoal(0.0, 0.0, 0.5, 0.0, 0.0, False)], LEAD_IN + 2.0)


def heading_of(dance: SimulatedDance, side: str) -> np.ndarray:
    """Where a foot's toes point, (T,) rad: from the middle of its heel to that of its ball."""
    first = 0 if side == "left" else SOLE_POINTS
    heel, ball = (dance.points[:, first + k : first + k + 2].mean(axis=1) for k in (0, 2))
    way = ball - heel
    return np.arctan2(way[:, 0], way[:, 2])


@pytest.mark.parametrize("degrees", [45.0, -30.0])
def test_a_standing_foot_turns_on_its_ball(degrees: float) -> None:
    turn = np.radians(degrees)
    dance = simulate(pivot_plan(turn))
    assert dance.fall is None
    # the axis is a planted point: how far it went is slip
    assert dance.slip <= 0.0035
    assert dance.landing_error <= 0.010
    assert dance.beat_error <= 0.020
    assert dance.outside.applied == 0.0
    assert heading_of(dance, "left")[-1] == pytest.approx(turn, abs=np.radians(4.0))
    axis = dance.points[:, AXIS_POINT][:, [0, 2]]
    standing = dance.times > LEAD_IN + 0.2
    assert np.linalg.norm(axis[standing] - axis[standing][0], axis=1).max() < 0.006
    outer = dance.points[standing][:, AXIS_POINT + 1][:, [0, 2]]
    assert np.linalg.norm(outer[-1] - outer[0]) > 0.03


def test_who_is_pushed_before_a_pivot_still_turns_as_far_as_planned() -> None:
    turn = 0.8
    dance = simulate(pivot_plan(turn), pushes=[Push(LEAD_IN + 0.1, 100.0, 0.1, "left")])
    assert dance.adjusted > 0
    assert dance.fall is None
    assert heading_of(dance, "left")[-1] == pytest.approx(turn, abs=np.radians(4.0))


def test_quick_steps_that_turn_are_danced_upright() -> None:
    """Legs swing round faster than a sole's friction could turn the trunk with them."""
    dance = simulate(make_plan("swing/turning basic", part="follower", bars=2))
    assert dance.fall is None
    assert dance.adjusted == 0
    assert dance.slip <= 0.003
    assert dance.landing_error <= 0.010
    assert dance.beat_error <= 0.020


@pytest.mark.parametrize(("bearing", "least", "most"), [(Bearing.TOE, 0.04, 0.055), (Bearing.FLAT, -0.002, 0.001)])
def test_a_foot_stands_on_its_ball_where_it_is_told_to(bearing: Bearing, least: float, most: float) -> None:
    dance = simulate(ball_plan(bearing))
    assert dance.fall is None
    assert dance.slip <= 0.003
    assert dance.landing_error <= 0.010
    assert dance.beat_error <= 0.020
    risen = (dance.times > LEAD_IN + 0.65) & (dance.times < LEAD_IN + 0.95)
    heels = dance.points[risen][:, :2, 1]
    assert least < heels.min() <= heels.max() < most


def test_a_foot_rises_once_it_bears_alone_and_only_where_there_is_time() -> None:
    stand = foot_courses(ball_plan(Bearing.TOE))["left"].stands[1]
    (rise,) = stand.rises(LEAD_IN + 0.3, LEAD_IN + 1.0)
    assert stand.pitch(LEAD_IN + 0.3)[0] == 0.0
    assert stand.pitch(LEAD_IN + 0.9)[0] > 0.0
    joint = stand.foot.on_floor(stand.place, stand.foot.toe)
    assert stand.pressed(rise, 0.0, 0.0)[1] > joint[1]
    assert stand.pressed(rise - 0.2, 0.0, 0.0)[1] < joint[1]
    hasty = ball_plan(Bearing.TOE)
    late = [replace(step, lift=LEAD_IN + 0.8) if step.foot == "right" else step for step in hasty.footsteps]
    assert foot_courses(hasty, late)["left"].stands[1].rises(LEAD_IN, LEAD_IN + 1.0) == []


def test_a_pivot_keeps_the_inner_side_of_the_ball() -> None:
    foot = Foot.of(FIGURE.build)
    for side in ("left", "right"):
        before = Footprint(0.3, -0.2, 0.4)
        after = foot.pivoted(before, 1.5, side)
        assert after.heading == 1.5
        np.testing.assert_allclose(foot.ball(after, side), foot.ball(before, side), atol=1e-12)
    inner, outer = foot.ball(LEFT, "left"), foot.ball(LEFT, "left", outward=0.02)
    assert inner[0] < outer[0]


def test_small_turns_are_left_to_the_hips() -> None:
    turning, still = (foot_courses(pivot_plan(np.radians(turn)))["left"].stands[1] for turn in (20.0, 4.0))
    assert len(turning.pivots) == 1
    assert still.pivots == ()
    pivot = turning.pivots[0]
    assert turning.footprint(pivot.start) == pivot.before
    assert turning.last.heading == pytest.approx(np.radians(20.0))
    assert turning.reached(pivot.step.lift - 0.01) == turning.place
    assert turning.reached(pivot.step.lift) == turning.last
    assert turning.round_axis(0.5 * (pivot.start + pivot.stop)) < 0.2
    assert turning.round_axis(pivot.stop + 1.0) == 1.0


def test_what_slides_pushes_against_its_motion_alone() -> None:
    rng = np.random.default_rng(1)
    rows, weights = rng.normal(size=(6 * SOLE_POINTS, 44)), np.ones(6 * SOLE_POINTS)
    points = rng.normal(size=(2 * SOLE_POINTS, 3))
    assert pivot_friction(rows, weights, points, np.zeros(2), 0.6) is rows
    pushes = pivot_friction(rows, weights, points, np.array([0.0, 2.0]), 0.6)
    np.testing.assert_array_equal(pushes[: 3 * SOLE_POINTS], rows[: 3 * SOLE_POINTS])
    axis = SOLE_POINTS + AXIS_POINT
    np.testing.assert_array_equal(pushes[3 * axis : 3 * axis + 3], rows[3 * axis : 3 * axis + 3])
    outer = axis + 1
    motion = np.cross([0.0, 2.0, 0.0], points[outer] - points[axis])
    push = np.array([0.0, 1.0, 0.0]) - 0.6 * motion / np.linalg.norm(motion)
    np.testing.assert_allclose(pushes[3 * outer + 1], push @ rows[3 * outer : 3 * outer + 3])
    assert not pushes[[3 * outer, 3 * outer + 2]].any()
    np.testing.assert_array_equal(weights[3 * outer : 3 * outer + 3], [0.0, 1.0, 0.0])


def test_rolls_go_through_their_targets_in_turn() -> None:
    settle, rise = Target(1.0, 1.1, 0.0), Target(2.0, 2.2, 0.3)
    assert rolls_through(0.2, [settle, rise]) == (Roll(1.0, 1.1, 0.2, 0.0), Roll(2.0, 2.2, 0.0, 0.3))
    # a foot that landed in haste comes down all the same; one that has to leave at once does not
    hasty = rolls_through(0.2, [Target(1.0, 1.02, 0.0), rise])
    assert hasty[0].last == 0.0
    assert rolls_through(0.2, [settle, Target(1.01, 1.3, 0.3)]) == (Roll(1.01, 1.3, 0.2, 0.3),)
    through_flat = rolls_through(-0.1, [Target(0.0, 0.4, 0.3)])
    assert [roll.last for roll in through_flat] == [0.0, 0.3]
    assert through_flat[0].stop == through_flat[1].start


@pytest.mark.parametrize("weight", [True, False])
def test_weight_rocks_onto_a_foot_that_takes_it_and_not_onto_one_that_touches(weight: bool) -> None:
    plan = rocking_plan(weight)
    feet = foot_courses(plan)
    times = np.linspace(LEAD_IN, LEAD_IN + 1.0, 101)
    across = pressure_course(feet, times)[:, 0]
    assert across[0] < 0.0
    assert across[-1] < 0.0
    assert (across.max() > 0.15) == weight


def test_a_foot_that_only_touches_bears_little() -> None:
    loads = {}
    for weight in (True, False):
        dance = simulate(rocking_plan(weight))
        assert dance.fall is None
        during = (dance.times > LEAD_IN + 0.2) & (dance.times < LEAD_IN + 0.8)
        loads[weight] = dance.forces[during][:, :SOLE_POINTS, 1].sum(axis=1).max() / (FIGURE.mass * 9.81)
    assert loads[True] > 0.6
    assert loads[False] < 0.25
