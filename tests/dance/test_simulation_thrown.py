"""Bodies that are thrown hard: they fall, on any processor, and neither raise nor gain energy."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.human import HUMAN
from segue.dance.simulation.assistance import Mode
from segue.dance.simulation.dancer import Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.passive import FASTEST, Ligaments
from segue.dance.simulation.push import Push, PushForces
from tests.support.thrown import STANDING, hard_pushes, throw

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

pytestmark = pytest.mark.filterwarnings("error::segue.errors.SegueWarning")

# of the 200 pushes of `benchmarks.dance_throws`, the first ones
COUNT, WATCHED = 8, 0.4  # s after the fall


@pytest.mark.parametrize("number", range(COUNT))
def test_a_thrown_body_falls_and_gains_no_energy(number: int) -> None:
    thrown = throw(hard_pushes(COUNT)[number], number, WATCHED)
    assert thrown.fell
    assert thrown.stable
    # Floor, ligaments and joint stops are springs, and give back a little of the 700 J and more that they took: of 200
    # pushes at most 34 J. An unstable fall gains thousands.
    assert thrown.gained < 100.0
    # a joint of a boxer's or pitcher's arm reaches 80 rad/s; a push of 4 kN on a head turns it faster
    assert thrown.speed < 300.0


@pytest.mark.parametrize("mode", [Mode.ASSISTED, Mode.CLASSIC])
def test_other_modes_fall_as_well(mode: Mode) -> None:
    push = Push(0.1, 2000.0, 0.1, "left")
    dancer = Dancer(InitialState.of(STANDING, Environment()), [PushForces([push])], mode)
    while dancer.fall is None and dancer.time < 2.0:
        dancer.tick()
    assert dancer.fall is not None
    for _ in range(100):
        dancer.tick()
    assert np.isfinite(dancer.data.qpos).all()
    assert not dancer.data.warning.number.any()


def test_muscles_let_go_of_a_joint_that_is_thrown_too_fast() -> None:
    dancer = Dancer(InitialState.of(STANDING, Environment()))
    dancer.tick()
    assert not dancer.passive
    dancer.data.qvel[-1] = 2.0 * FASTEST
    dancer.tick()
    dancer.tick()
    assert dancer.passive
    assert dancer.fall is None, "it falls when it is down"
    assert not dancer.data.ctrl.any()


def test_ligaments_pull_with_bounded_torque_wherever_a_joint_is() -> None:
    ligaments, figure = Ligaments(STANDING.figure), STANDING.figure
    random, torques = np.random.default_rng(2), np.empty(44)
    for _ in range(2000):
        positions = np.zeros(51)
        positions[HUMAN.ball_positions] = random.normal(size=HUMAN.ball_positions.shape)
        positions[HUMAN.ball_positions] /= np.linalg.norm(positions[HUMAN.ball_positions], axis=1, keepdims=True)
        ligaments.pull(positions, np.zeros(44), torques)
        assert np.abs(torques).max() <= 5.0 * figure.mass
