"""Energy, momentum and work of simulated bodies: as the physics engine has them, and as laws of nature want them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from segue.dance.simulation.dancer import FPS, STEPS, TICKS, Dancer
from segue.dance.simulation.energy import Energetics, energetics
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.model import TIMESTEP, BodyModel
from segue.dance.simulation.result import SimulatedDance
from segue.errors import ArgumentError
from segue.typing import Array
from tests.support.simulated_plans import plan_of, walking

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

SEED = 5


class Watched(NamedTuple):
    """A dance, and what the engine says of it: energies (T, 2), angular momentum (T, 3), work of the floor (T,)."""

    dance: SimulatedDance
    energies: Array
    spin: Array
    floor: Array


class Watcher:
    """An external force of zero that records the work of floor and joint stops."""

    def __init__(self) -> None:
        self.work, self._velocities = 0.0, 0.0

    def apply(self, time: float, data: Any) -> None:
        self.work += 0.5 * TIMESTEP * float(data.qfrc_constraint @ (self._velocities + data.qvel))
        self._velocities = np.array(data.qvel)


@pytest.fixture(scope="module")
def watched() -> Watched:
    """A step that a dancer takes, watched at every step of the physics."""
    engine, plan, watcher = mujoco(), plan_of(walking(1, 0.8, close=False), lead_in=1.3), Watcher()
    dancer = Dancer(InitialState.of(plan, Environment()), [watcher])
    model, rows = dancer.model.engine_model, []
    aside = engine.MjData(model)
    for _ in range(round((plan.lead_in + 1.0) * FPS)):
        dancer.record()
        aside.qpos[:], aside.qvel[:] = dancer.data.qpos, dancer.data.qvel
        for compute in (engine.mj_forward, engine.mj_energyPos, engine.mj_energyVel, engine.mj_subtreeVel):
            compute(model, aside)
        rows.append((*aside.energy, *aside.subtree_angmom[1], watcher.work))
        for _ in range(TICKS):
            dancer.tick()
    found = np.array(rows)
    return Watched(dancer.result(False), found[:, :2], found[:, 2:5], found[:, 5])


@pytest.fixture(scope="module")
def found(watched: Watched) -> Energetics:
    return energetics(watched.dance)


def test_energies_are_those_of_the_engine(watched: Watched, found: Energetics) -> None:
    potential, kinetic = watched.energies.T
    np.testing.assert_allclose(found.potential, potential, rtol=1e-9)
    assert kinetic.max() > 5.0
    # velocities are those of a smooth curve through the frames; a landing is sharper than that
    assert np.abs(found.kinetic - kinetic).max() < 0.03 * kinetic.max()
    assert np.sqrt(np.mean((found.kinetic - kinetic) ** 2)) < 0.005 * kinetic.max()


def test_momenta_are_those_of_the_engine(watched: Watched, found: Energetics) -> None:
    assert np.abs(found.angular_momentum - watched.spin).max() < 0.05 * np.abs(watched.spin).max()
    way = watched.dance.plan.figure.mass * np.diff(watched.dance.centre, axis=0) * watched.dance.fps
    middle = 0.5 * (found.momentum[1:] + found.momentum[:-1])
    assert np.abs(middle - way).max() < 0.03 * np.abs(way).max()


def test_what_the_body_has_is_what_joints_gave_and_the_floor_took(watched: Watched, found: Energetics) -> None:
    given = np.abs(np.diff(found.whole_work)).sum()
    assert given > 20.0
    taken = -watched.floor
    # a landing takes a fifth of a joule: less than that is what frames and smooth velocities may be off by
    assert taken[-1] > 0.1
    assert found.lost[-1] == pytest.approx(taken[-1], rel=0.15)
    assert np.sqrt(np.mean((found.lost - taken) ** 2)) < 0.25 * taken[-1]
    assert np.abs(found.lost - taken).max() < 0.005 * given


def test_power_is_the_rate_of_work(found: Energetics) -> None:
    for joint, power in found.power.items():
        spent = float(np.trapezoid(power, found.times))
        assert spent == pytest.approx(found.work[joint][-1] - found.work[joint][0], abs=0.02)


def test_nothing_is_left_unexplained(found: Energetics) -> None:
    assert np.isnan(found.unexplained[0])
    assert np.nanmax(found.unexplained) < 5.0


def test_a_limp_body_in_the_air_keeps_energy_and_spin(watched: Watched) -> None:
    dance = watched.dance
    engine, model = mujoco(), BodyModel(dance.plan.figure, dance.environment).engine_model
    data = engine.MjData(model)
    data.qpos[:] = dance.positions[0]
    data.qpos[1] += 3.0
    data.qvel[:] = np.random.default_rng(SEED).normal(scale=0.6, size=model.nv)
    positions = []
    for _ in range(25):
        positions.append(np.array(data.qpos))
        for _ in range(TICKS * STEPS):
            engine.mj_step(model, data)
    count = len(positions)
    fallen = {name: getattr(dance, name)[:count] for name in ("centre", "forces", "points", "unexplained")}
    still = np.zeros((count, dance.torques.shape[1]))
    found = energetics(replace(dance, positions=np.array(positions), torques=still, work=still, **fallen))
    assert np.ptp(found.potential) > 100.0
    inner = slice(1, -1)
    assert np.ptp(found.mechanical[inner]) < 0.01 * np.ptp(found.potential)
    assert np.ptp(found.angular_momentum[inner], axis=0).max() < 0.02 * np.abs(found.angular_momentum).max()
    weight = dance.plan.figure.mass * dance.environment.gravity
    np.testing.assert_allclose(np.diff(found.momentum[inner, 1]) * dance.fps, -weight, rtol=0.01)
    assert np.ptp(found.momentum[inner, [0]]) < 0.01 * weight


def test_a_moment_has_no_energetics(watched: Watched) -> None:
    with pytest.raises(ArgumentError, match="1 frames: energy needs at least 2"):
        energetics(replace(watched.dance, positions=watched.dance.positions[:1]))
