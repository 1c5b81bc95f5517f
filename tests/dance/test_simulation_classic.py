"""The thesis's motor control: torque functions, timing, loads, and the arm experiments of its section 7.1."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.dance.planning.rest import HANGING
from segue.dance.simulation import engine
from segue.dance.simulation.classic import LIMBS, SCALED, THESIS
from segue.dance.simulation.classic.limbs import (
    LIMB_OF,
    Limbs,
    critical_damper,
    distance_left,
    limb_lengths,
    predicted_beta,
)
from segue.dance.simulation.control.motor_programs import LimbState
from segue.dance.simulation.model import TIMESTEP
from segue.dance.simulation.push import Push
from segue.errors import ArgumentError
from segue.motion.tracks import poses_of, positions_of
from segue.typing import Array
from tests.support.thesis.body import GAINS, ClassicBody, Footing
from tests.support.thesis.reach import NEAR, ArmReach, arm_reach, dance_position
from tests.support.thesis.trials import free_swing, pushed_limb

mujoco = pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

FIGURE = Figure.standard()


@cache
def reach(gains: str, footing: str, seconds: float) -> ArmReach:
    return arm_reach(FIGURE, seconds, gains=gains, footing=footing)


@given(st.floats(0.3, 10.0), st.floats(0.02, 2.5))
@settings(max_examples=30, deadline=None)
def test_predicted_beta_takes_a_damped_limb_along_the_normal_curve(seconds: float, arc: float) -> None:
    spring, damper = SCALED.move_spring / seconds**2, critical_damper(seconds)
    steps = 2000
    dt = seconds / steps
    away, rate, worst = arc, 0.0, 0.0
    fractions = np.arange(steps) / steps
    every = [np.full(steps, value) for value in (arc, spring, damper, seconds)]
    betas = predicted_beta(fractions, *every)
    desired = arc * distance_left(fractions)
    for beta, wanted in zip(betas, desired, strict=True):
        worst = max(worst, abs(away - wanted))
        rate += dt * (-spring * np.expm1(beta * away) - damper * rate)
        away += dt * rate
    assert worst < 0.01 * arc
    assert abs(away) < 0.002 * arc


def test_with_more_time_the_damper_is_weaker() -> None:
    assert critical_damper(1.0) == pytest.approx(2.0 * critical_damper(2.0))


def test_limbs_near_their_goals_are_maintained_and_all_others_move() -> None:
    body = ClassicBody(FIGURE, HANGING, SCALED, Footing.HELD)
    body.aim(dance_position(), 1.0)
    states = body.limbs.states
    moving = {name for name, state in states.items() if state is LimbState.MOVE}
    assert moving == {"left_shoulder", "left_elbow", "right_shoulder", "right_elbow", "right_wrist"}
    body.limbs.release(["left_shoulder"])
    assert body.limbs.states["left_shoulder"] is LimbState.FREE
    with pytest.raises(ArgumentError, match="no limb 'tail'"):
        body.limbs.release(["tail"])


def test_the_error_raises_beta_of_a_limb_that_lags_at_ten_alarms() -> None:
    positions = _standing_positions()
    limbs = Limbs(THESIS, poses_of(positions[None]))
    limbs.aim({"left_elbow_flexion": np.array([1.0])}, 0.0, 1.0, positions)
    elbow = HUMAN.dof_names.index("left_elbow_flexion") - HUMAN.root_dofs
    springs = np.array(
        [limbs.programs(tick * TIMESTEP, positions).springs[elbow] for tick in range(round(1.0 / TIMESTEP))]
    )
    assert springs[0] == 0.0
    assert (np.diff(springs) >= 0.0).all()
    assert np.count_nonzero(np.diff(springs)) == 9


def test_a_limb_on_its_great_circle_arc_is_pulled_along_it() -> None:
    positions = _standing_positions()
    limbs = Limbs(SCALED, poses_of(positions[None]))
    goal = np.array([np.cos(0.4), 0.0, np.sin(0.4), 0.0])
    limbs.aim({"left_shoulder": goal}, 0.0, 1.0, positions)
    springs = limbs.programs(0.5, positions).springs
    shoulder = slice(HUMAN.dof_names.index("left_shoulder_rotation_x") - HUMAN.root_dofs, None)
    pull = springs[shoulder][:3]
    assert pull[1] > 0.0
    np.testing.assert_allclose(pull[[0, 2]], 0.0, atol=1e-9 * pull[1])
    assert limb_lengths(limbs.errors(positions))[LIMBS.index("left_shoulder")] == pytest.approx(0.8)


def _standing_positions() -> Array:
    positions: Array = positions_of(Poses.zero(1))[0]
    return positions


@pytest.mark.parametrize("footing", ["standing", "held"])
def test_scaled_gains_reach_dance_position_in_time(footing: str) -> None:
    found = reach("scaled", footing, 0.6)
    assert found.reached
    for arrival in found.arrivals.values():
        assert arrival.left < np.radians(1.0)
        assert arrival.beyond < np.radians(1.0)
        assert arrival.astray < np.radians(2.0)
    assert found.record.hardest[1] < 0.6


def test_the_body_stands_still_without_help_while_the_arms_go_up() -> None:
    record = reach("scaled", "standing", 0.6).record
    assert record.drift.pelvis < 0.005
    assert record.drift.turn < np.radians(1.0)
    assert record.drift.feet < 0.001
    assert record.outside.max() == 0.0


def test_balance_leans_on_a_torque_from_outside_and_says_how_large() -> None:
    report = reach("scaled", "balanced", 0.6).report()
    assert 0.0 < report["outside_torque_Nm"] < 10.0
    assert reach("scaled", "held", 0.6).report()["outside_torque_Nm"] is None


def test_thesis_gains_miss_with_real_inertia() -> None:
    found = reach("thesis", "held", 2.0)
    assert not found.reached
    assert max(arrival.left for arrival in found.arrivals.values()) > NEAR
    assert found.record.hardest[1] <= 1.0 + 1e-9


def test_the_reach_is_a_motion_of_the_figure_and_ends_at_its_goal() -> None:
    found = reach("scaled", "standing", 0.6)
    motion = found.motion
    assert motion.figure is FIGURE
    assert motion.stop == pytest.approx(found.times[-1])
    elbow = motion.at([found.times[-1]]).hinge("left_elbow_flexion")[0]
    assert np.degrees(elbow) == pytest.approx(dance_position()["left_elbow"]["flexion"], abs=1.0)


def test_the_same_reach_gives_the_same_bytes() -> None:
    first, second = (arm_reach(FIGURE, 0.3, footing="held").record for _ in range(2))
    assert first.positions.tobytes() == second.positions.tobytes()
    assert first.torques.tobytes() == second.torques.tobytes()


def test_a_pushed_arm_gives_and_comes_back() -> None:
    soft = pushed_limb(FIGURE, Push(0.1, 20.0, 0.2, "back", "left_forearm"))
    assert np.radians(1.0) < soft.gave < np.radians(15.0)
    assert soft.back is not None
    assert soft.back < 1.0
    assert soft.left < np.radians(1.0)
    assert "left" in soft.yielding


def test_an_arm_that_is_let_go_falls_and_swings() -> None:
    swing = free_swing(FIGURE, 2.0, gains=replace(SCALED, free_damper=0.0), footing="held")
    assert swing.raised[0] > np.radians(90.0)
    assert swing.raised[-100:].max() < np.radians(70.0)
    assert swing.settled is None
    assert not swing.record.torques[:, LIMBS.index("left_shoulder") == LIMB_OF].any()
    assert swing.record.torques[:, LIMBS.index("right_shoulder") == LIMB_OF].all()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: arm_reach(FIGURE, 0.0), "the reach is given 0.0 s"),
        (lambda: arm_reach(FIGURE, float("nan")), "from 0.3 to 30 s"),
        (lambda: arm_reach(FIGURE, 1.0, gains="mine"), "must be scaled or thesis"),
        (lambda: arm_reach(FIGURE, 1.0, footing="floating"), "standing, balanced, held"),
        (lambda: arm_reach(FIGURE, 1.0, part="band"), "the part is 'band'"),
        (lambda: free_swing(FIGURE, 1.0, side="upper"), "it must be left or right"),
        (lambda: free_swing(FIGURE, -1.0), "the arm swings for -1.0 s"),
        (lambda: replace(SCALED, main_spring=-1.0), "main_spring of the gains is -1.0"),
        (lambda: replace(SCALED, updates=0), "updates of the gains is 0"),
        (lambda: reach("scaled", "held", 0.6).angles("tail"), "the figure has no limb 'tail'"),
    ],
)
def test_bad_input_is_told_in_one_sentence(call: object, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        call()  # type: ignore[operator]


def test_without_the_engine_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    engine.mujoco.cache_clear()
    try:
        with pytest.raises(engine.MissingEngineError, match="needs mujoco, which is not installed"):
            arm_reach(FIGURE, 1.0)
    finally:
        engine.mujoco.cache_clear()


def test_gains_are_found_by_name() -> None:
    assert GAINS["thesis"] is THESIS
    assert arm_reach(FIGURE, 0.3, gains=replace(SCALED, name="mine"), footing="held").gains.name == "mine"
