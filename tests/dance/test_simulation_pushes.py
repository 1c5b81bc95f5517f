"""Who is pushed puts feet elsewhere, gives way at the hips, or falls like a body; who is not dances as ever."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from segue.dance import plan as make_plan
from segue.dance.course.stands import Foot
from segue.dance.simulation.control.recovery import solve_qp
from segue.dance.simulation.control.support import Support
from segue.dance.simulation.dancer import Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.push import Push, read_pushes
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.solo import simulate
from segue.errors import ArgumentError, FileFormatError
from tests.support.simulated_plans import begun, plan_of, side_closes, walking
from tests.support.thrown import STANDING, throw

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

pytestmark = pytest.mark.filterwarnings("error::segue.errors.SegueWarning")

WALK = plan_of(walking(2, 1.0), lead_in=1.6)
SHOVE = Push(1.75, 80.0, 0.1, "right", "pelvis")


@pytest.fixture(scope="module")
def pushed() -> SimulatedDance:
    return simulate(WALK, pushes=[SHOVE])


def test_who_is_pushed_puts_feet_elsewhere_and_goes_on(pushed: SimulatedDance) -> None:
    assert pushed.fall is None
    assert pushed.adjusted > 0
    assert len(pushed.landings) == pushed.due
    assert pushed.landing_error > 0.03  # what is told is the way from the planned place
    assert max(pushed.efforts.values()) <= 1.0
    assert pushed.outside.applied == 0.0
    report = pushed.report()
    assert report["steps"]["adjusted"] == pushed.adjusted


def test_without_adjusted_steps_the_same_push_fells(pushed: SimulatedDance) -> None:
    stubborn = simulate(WALK, pushes=[SHOVE], adjusting=False)
    assert stubborn.fall is not None
    assert stubborn.adjusted == stubborn.unplanned == 0


def test_the_same_push_gives_the_same_bytes(pushed: SimulatedDance) -> None:
    # until a second after the push, by when a foot has landed elsewhere
    again = begun(WALK, 275, [SHOVE])
    assert again.adjusted > 0
    np.testing.assert_array_equal(again.positions, pushed.positions[:275])


def test_who_is_not_pushed_dances_as_if_nothing_could_be_adjusted() -> None:
    plan = plan_of(side_closes(1, 1.0), lead_in=1.6)
    dances = [begun(plan, 270, adjusting=adjusting) for adjusting in (True, False)]
    assert len(dances[0].landings) == dances[0].due == 2
    np.testing.assert_array_equal(dances[0].positions, dances[1].positions)
    np.testing.assert_array_equal(dances[0].torques, dances[1].torques)
    assert not dances[0].adjusted


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_steps_are_adjusted_from_where_feet_stand_before_they_pivot() -> None:
    # astray before a pivot, and told to stand still in between
    plan = make_plan("swing/turning basic", part="follower", bars=2)
    dance = simulate(plan, pushes=[Push(2.35, 100.0, 0.1, "left")])
    assert dance.adjusted > 0
    assert dance.fall is None
    assert np.isfinite(dance.positions).all()


def test_who_stands_takes_a_step_that_nobody_planned() -> None:
    dance = simulate(plan_of([], lead_in=1.0), pushes=[Push(0.4, 250.0, 0.1, "back")])
    assert dance.fall is None
    assert dance.unplanned > 0
    assert dance.due == len(dance.landings) == 0
    assert dance.centre[-1, 2] - dance.centre[0, 2] < -0.05


@pytest.mark.parametrize(("impulse", "towards"), [(200.0, "back"), (90.0, "45 deg")])
def test_who_falls_gains_no_energy(impulse: float, towards: str) -> None:
    push = Push(0.1, impulse / 0.1, 0.1, towards)
    thrown = throw(push, 0)
    assert thrown.fell
    # joints, ligaments and floor are springs, and give back a little of the 700 J and more that they took
    assert thrown.gained < 100.0
    # a body that lies has its mass 10 to 20 cm above the floor, and hardly moves
    assert thrown.left < 0.35 * STANDING.figure.mass * Environment().gravity


def test_a_body_that_is_let_go_only_loses_energy() -> None:
    dancer = Dancer(InitialState.of(plan_of([], lead_in=0.5), Environment()), [])
    dancer.let_go()
    dancer.model.engine_model.opt.enableflags |= 2  # the engine's own account of energy
    energies = []
    for _ in range(500):
        dancer.tick()
        energies.append(float(dancer.data.energy.sum()))
    assert energies[-1] < energies[5] - 100.0
    assert max(energies[5:]) < energies[5] + 1.0
    # ligaments, joint stops and floor are springs, which are not counted: a part of what they took comes back
    assert np.max(energies[5:] - np.minimum.accumulate(energies[5:])) < 0.1 * energies[5]


def test_pushes_are_felt_where_they_go() -> None:
    facing = np.eye(3)
    for towards, level in (
        ("left", (1.0, 0.0)),
        ("back", (0.0, -1.0)),
        ("forward left", (np.sqrt(0.5), np.sqrt(0.5))),
        ("back-right", (-np.sqrt(0.5), -np.sqrt(0.5))),
        ("30 deg", (0.5, np.sqrt(0.75))),
        ("-90°", (-1.0, 0.0)),
    ):
        force = Push(0.0, 10.0, 0.1, towards).at(0.05, facing)
        np.testing.assert_allclose(force[[0, 2]], 10.0 * np.array(level), atol=1e-9)
    assert Push.parse("t=1, 5 N, 0.1 s, left, left forearm").segment == "left_forearm"


@pytest.mark.parametrize("towards", ["up", "left right", "forward left back", "deg", "nan deg", "1e400 deg", ""])
def test_directions_that_are_none_are_refused(towards: str) -> None:
    with pytest.raises(ArgumentError, match="the push goes to"):
        Push(0.0, 10.0, 0.1, towards)


def test_times_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ArgumentError, match="the push's time is 'soon'"):
        Push("soon", 10.0, 0.1, "left")  # type: ignore[arg-type]


def test_pushes_after_the_dance_are_refused() -> None:
    plan = plan_of([], lead_in=0.5)
    with pytest.raises(ArgumentError, match=r"the push at 9 s comes after the dance, which ends at 2\.50 s"):
        simulate(plan, pushes=[Push(0.1, 1.0, 0.1, "left"), Push(9.0, 1.0, 0.1, "left")])


@pytest.mark.parametrize("warned", ["ignore", "error"])
def test_a_push_beyond_all_physics_is_told_as_such(warned: Literal["ignore", "error"]) -> None:
    warnings.simplefilter(warned)
    with pytest.raises(ArgumentError, match=r"moved too violently at 0\.\d\d s"):
        simulate(plan_of([], lead_in=0.5), pushes=[Push(0.0, 1e12, 0.1, "left")])


@pytest.mark.filterwarnings("ignore:the physics engine warns")
def test_who_has_fallen_is_seen_until_physics_ends() -> None:
    felling, bursting = Push(0.0, 2000.0, 0.1, "left"), Push(1.0, 1e12, 0.1, "left")
    dance = simulate(plan_of([], lead_in=0.5), pushes=[felling, bursting])
    assert dance.fall is not None
    assert dance.times[-1] == pytest.approx(1.0, abs=0.02)
    assert dance.centre[-1, 1] < 0.7 * dance.centre[0, 1]


def test_a_file_of_pushes_is_read_and_its_faults_are_told_by_line(tmp_path: Path) -> None:
    file = tmp_path / "pushes.txt"
    file.write_text("# two shoves\nt=1 s, 80 N, 0.1 s, left, chest\n\nt=2 s, 40 N, 0.1 s, 30 deg, hips  # softer\n")
    first, second = read_pushes(file)
    assert (first.time, first.direction, second.segment) == (1.0, "left", "pelvis")
    file.write_text("t=1 s, 80 N, 0.1 s, left, chest\nt=2 s, 40 N, 0 s, left, hips\n")
    with pytest.raises(FileFormatError, match="duration is") as caught:
        read_pushes(file)
    assert ":2" in str(caught.value)


def test_who_believes_a_floor_to_be_better_than_it_is_slides() -> None:
    plan = plan_of(walking(1, 1.0), lead_in=1.2)
    careful = simulate(plan, Environment(friction=0.08))
    deceived = simulate(plan, Environment(friction=0.08, believed_friction=0.6))
    assert careful.fall is None
    assert careful.slip < 0.005
    assert deceived.slip > 0.05
    assert deceived.report()["environment"]["believed_friction"] == 0.6
    with pytest.raises(ArgumentError, match="believed_friction is -1"):
        Environment(believed_friction=-1.0)


def test_least_cost_finds_what_exists_and_says_where_nothing_does() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        root = random.normal(size=(6, 6))
        hessian, gradient = root @ root.T + np.eye(6), random.normal(size=6)
        rows, least = random.normal(size=(9, 6)), -random.random(9)
        found = solve_qp(hessian, gradient, rows, least)
        assert found is not None
        assert np.all(rows @ found >= least - 1e-8)
        # at the least no way that stays within bounds goes down: the slope is met by those at their bounds alone
        at = rows @ found < least + 1e-7
        slope = hessian @ found - gradient
        prices = np.linalg.lstsq(rows[at].T, slope, rcond=None)[0] if at.any() else np.zeros(0)
        np.testing.assert_allclose(rows[at].T @ prices, slope, atol=1e-6)
        assert np.all(prices > -1e-6)
    rows = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert solve_qp(np.eye(2), np.zeros(2), rows, np.array([1.0, 1.0])) is None


def test_shifted_footsteps_carry_the_pressure_that_lies_on_them() -> None:
    foot = Foot.of(WALK.figure.build)
    first = WALK.footsteps[0]
    support = Support(foot, {"left": WALK.begins.left, "right": WALK.begins.right}, WALK.footsteps)
    under = foot.on_floor(first.end, foot.middle)[None]
    before, after = np.array([first.lift - 0.01]), np.array([WALK.footsteps[1].lift + 0.01])
    np.testing.assert_allclose(support.mixes(after, under), [[1.0, 0.0, 0.0]])
    assert not support.mixes(before, under).any()
    (room,) = support.room(after, under, np.zeros((3, 2)))
    assert np.all(room.bounds > 0.0)
    assert room.bounds.min() < 0.04 < room.bounds.max()
