"""Forces between partners: equal and opposite, soft, and hands that lie push but do not pull."""

from __future__ import annotations

import numpy as np
import pytest

from segue.dance.simulation.couple._hold_kernels import (
    BodyState,
    Capsules,
    ContactState,
    ContactTable,
    generalized_forces,
    hold_forces,
    touch_forces,
)
from segue.typing import Array

STIFFNESS, DAMPING, PAD, FRICTION, RADIUS, SEEKING = 500.0, 15.0, 0.005, 0.5, 0.1, 300.0
LOST = 0.05
HAND, OTHER = 3, 5


def body(place: Array, number: int, velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> BodyState:
    """Return a body of which one segment is at a place, axes as the world's, and moves."""
    places, spins = np.zeros((20, 3)), np.zeros((20, 6))
    places[number], spins[number, 3:] = place, velocity
    return BodyState(places, np.tile(np.eye(3).ravel(), (20, 1)), places + 0.02, spins, np.array([0.1, 1.0, 0.2]))


def table(grips: bool) -> ContactTable:
    """Return a hand of the leader, its palm 0.01 below its joint, on a ball of the follower (or in her palm)."""
    return ContactTable(
        hand_of=np.array([0]),
        hands=np.array([HAND]),
        palms=np.array([[0.0, -0.01, 0.0]]),
        others=np.array([OTHER]),
        starts=np.zeros((1, 3)),
        stops=np.zeros((1, 3)),
        radii=np.array([0.0 if grips else RADIUS]),
        grips=np.array([grips]),
        stiffness=np.array([STIFFNESS]),
        damping=np.array([DAMPING]),
        pads=np.array([0.0 if grips else PAD]),
        friction=np.array([0.0 if grips else FRICTION]),
        seeking=np.array([SEEKING]),
        lost=np.array([LOST]),
    )


def state() -> ContactState:
    return ContactState(np.zeros((1, 3)), np.zeros(1, bool), np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(1))


def pressed(
    above: float, grips: bool, speed: tuple[float, float, float] = (0.0, 0.0, 0.0), share: float = 1.0
) -> tuple[Array, Array]:
    """Return the force on the follower and the wrenches on both, of a palm so far above her surface (or palm)."""
    reach = 0.0 if grips else RADIUS
    leader = body(np.array([0.0, 1.0 + reach + above + 0.01, 0.0]), HAND, speed)
    follower = body(np.array([0.0, 1.0, 0.0]), OTHER)
    felt, (wrenches, drawn) = state(), np.zeros((2, 2, 20, 6))
    hold_forces(leader, follower, table(grips), np.array([share]), felt, wrenches, drawn)
    check_balanced(wrenches, leader, follower)
    assert not drawn[1].any()
    assert drawn[0, HAND, 1] == pytest.approx(-share * SEEKING * min(max(above, 0.0), LOST))
    assert felt.gaps[0] == pytest.approx(above)
    return felt.forces[0], wrenches


def check_balanced(wrenches: Array, leader: BodyState, follower: BodyState) -> None:
    """Forces on both sum up to nothing, and so do their moments about any point."""
    np.testing.assert_allclose(wrenches[..., :3].sum(axis=(0, 1)), 0.0, atol=1e-12)
    moment = sum(
        (wrench[:, 3:] + np.cross(each.masses, wrench[:, :3])).sum(axis=0)
        for each, wrench in zip((leader, follower), wrenches, strict=True)
    )
    np.testing.assert_allclose(moment, 0.0, atol=1e-12)


def test_palms_that_hold_each_other_pull_together() -> None:
    force, wrenches = pressed(0.02, grips=True)
    np.testing.assert_allclose(force, [0.0, 0.02 * STIFFNESS, 0.0])
    assert wrenches[0, HAND, 1] == pytest.approx(-0.02 * STIFFNESS)


def test_a_grip_opens_as_palms_part() -> None:
    force, _ = pressed(0.75 * LOST, grips=True)
    np.testing.assert_allclose(force, [0.0, 0.5 * 0.75 * LOST * STIFFNESS, 0.0])
    assert not pressed(LOST, grips=True)[0].any()


def test_what_moves_apart_is_damped() -> None:
    force, _ = pressed(0.0, grips=True, speed=(0.0, 0.0, 0.2))
    np.testing.assert_allclose(force, [0.0, 0.0, 0.2 * DAMPING])


def test_a_hand_that_lies_pushes_but_does_not_pull() -> None:
    force, _ = pressed(-0.005, grips=False)
    np.testing.assert_allclose(force, [0.0, -0.01 * STIFFNESS, 0.0])
    assert not pressed(PAD + 0.001, grips=False)[0].any()
    # nor does it stick to what it leaves
    assert pressed(-0.005, grips=False, speed=(0.0, 5.0, 0.0))[0][1] == 0.0


def test_a_hand_that_lies_rubs_no_more_than_friction_allows() -> None:
    force, _ = pressed(-0.005, grips=False, speed=(0.1, 0.0, 0.0))
    assert force[0] == pytest.approx(0.1 * DAMPING)
    force, _ = pressed(-0.005, grips=False, speed=(5.0, 0.0, 0.0))
    assert force[0] == pytest.approx(FRICTION * 0.01 * STIFFNESS)


def test_who_lets_go_feels_nothing() -> None:
    assert not pressed(0.005, grips=True, share=0.0)[0].any()
    assert not pressed(-0.005, grips=False, share=0.0)[0].any()


@pytest.mark.parametrize(("apart", "overlap"), [(0.25, 0.0), (0.18, 0.02)])
def test_bodies_that_overlap_push_each_other_away(apart: float, overlap: float) -> None:
    leader, follower = body(np.zeros(3), 2), body(np.array([apart, 0.3, 0.0]), 4)
    upright = np.array([[0.0, 1.0, 0.0]])
    one = Capsules(np.array([2]), np.zeros((1, 3)), upright, np.array([0.1]))
    two = Capsules(np.array([4]), np.zeros((1, 3)), upright, np.array([0.1]))
    wrenches = np.zeros((2, 20, 6))
    largest = touch_forces(leader, follower, one, two, 1000.0, 0.0, wrenches)
    assert largest == pytest.approx(1000.0 * overlap)
    assert wrenches[1, 4, 0] == pytest.approx(1000.0 * overlap)
    check_balanced(wrenches, leader, follower)


def test_felt_torques_are_those_of_the_engine() -> None:
    engine = pytest.importorskip("mujoco")
    from segue.body.figure import Figure
    from segue.dance.simulation.control.whole_body import mechanics_of
    from segue.dance.simulation.environment import Environment
    from segue.dance.simulation.model import BodyModel

    model = BodyModel(Figure.standard(), Environment()).engine_model
    data = engine.MjData(model)
    random = np.random.default_rng(1)
    engine.mj_integratePos(model, data.qpos, random.normal(0.0, 0.2, model.nv), 1.0)
    engine.mj_forward(model, data)
    wrenches = np.zeros((model.nbody, 6))
    wrenches[[2, 7]] = random.normal(size=(2, 6))
    wanted = np.zeros(model.nv)
    for number in (2, 7):
        force, moment = wrenches[number, :3].copy(), wrenches[number, 3:].copy()
        engine.mj_applyFT(model, data, force, moment, data.xipos[number].copy(), number, wanted)
    found = generalized_forces(mechanics_of(model, data), data.xipos, wrenches)
    np.testing.assert_allclose(found, wanted, atol=1e-10)
