"""The figure as a body of the physics engine: the same masses, inertias, limits and equations of motion as ours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue import clips
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.chart import EulerChart
from segue.dance.behaviour.environment import Ground
from segue.dance.body.shapes import SOLE_POINTS
from segue.dance.simulation.environment import Environment, gravity_of
from segue.dance.simulation.model import BodyModel
from segue.dynamics import GRAVITY, FigureTree, inverse_dynamics
from segue.errors import ArgumentError
from segue.motion.tracks import poses_of, positions_of, velocities_of
from tests.support.trees import pinocchio_model

mujoco = pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

FIGURES = [Figure.standard(1.75), Figure.standard(1.5, 50.0, "female"), Figure.standard(2.0, 110.0, "male")]


def random_poses(seed: int, count: int = 1) -> Poses:
    rng = np.random.default_rng(seed)
    balls = quaternion.exp(rng.normal(size=(count, len(HUMAN.ball_names), 3)) * 0.6)
    return Poses(rng.normal(size=(count, 3)), balls, rng.uniform(-0.4, 0.8, (count, len(HUMAN.hinge_names))))


def placed(model: BodyModel, poses: Poses) -> object:
    data = mujoco.MjData(model.engine_model)
    data.qpos[:] = positions_of(poses)[0]
    return data


@pytest.mark.parametrize("figure", FIGURES)
def test_the_mass_matrix_is_pinocchios(figure: Figure) -> None:
    pin = pytest.importorskip("pinocchio", reason="the oracle of the dynamics")
    poses = random_poses(1)
    model = BodyModel(figure, Environment())
    data = placed(model, poses)
    mujoco.mj_forward(model.engine_model, data)
    ours = np.empty((44, 44))
    mujoco.mj_fullM(model.engine_model, data, ours)
    # about the pose itself, a chart's rates are angular velocities along the segment's axes
    tree = FigureTree(figure, poses.balls[0])
    oracle = pinocchio_model(tree.tree, GRAVITY)
    matrix = pin.crba(oracle, oracle.createData(), tree.coordinates(poses)[0])
    theirs = np.triu(matrix) + np.triu(matrix, 1).T
    np.testing.assert_allclose(ours - np.diag(model.engine_model.dof_armature), theirs, atol=1e-9 * figure.mass)


@pytest.mark.parametrize("figure", FIGURES)
def test_inverse_dynamics_agrees_with_ours(figure: Figure) -> None:
    rng = np.random.default_rng(2)
    poses = random_poses(3)
    model = BodyModel(figure, Environment())
    tree = FigureTree(figure, poses.balls[0])
    q, qd, qdd = tree.coordinates(poses), rng.normal(size=(1, 44)), rng.normal(size=(1, 44))
    ours = inverse_dynamics(tree.tree, q, qd, qdd)[0]
    data = placed(model, poses)
    data.qvel[:], data.qacc[:] = qd[0], qdd[0]
    for b, joint in enumerate(HUMAN.joints):
        if joint.ball:
            chart = EulerChart(quaternion.identity(), "XYZ")
            data.qacc[HUMAN.joint_dofs[b]] += chart.drift(np.zeros(3), qd[0, HUMAN.joint_dofs[b]])
    model.engine_model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    mujoco.mj_inverse(model.engine_model, data)
    shoes = model.engine_model.dof_armature * data.qacc
    np.testing.assert_allclose(data.qfrc_inverse - shoes, ours, atol=1e-8 * figure.mass)


def test_velocities_are_the_derivatives_of_positions() -> None:
    state = clips.walk.state([0.7, 0.7 + 1e-5])
    positions, velocities = positions_of(state.poses), velocities_of(state)
    model = BodyModel(clips.walk.figure, Environment()).engine_model
    difference = np.empty(44)
    mujoco.mj_differentiatePos(model, difference, 1e-5, positions[0], positions[1])
    np.testing.assert_allclose(difference, velocities.mean(axis=0), atol=1e-4)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_poses_come_back_exactly(seed: int, count: int) -> None:
    poses = random_poses(seed, count)
    back = poses_of(positions_of(poses))
    np.testing.assert_array_equal(back.root, poses.root)
    np.testing.assert_array_equal(back.hinges, poses.hinges)
    np.testing.assert_allclose(quaternion.angle_between(back.balls, poses.balls), 0.0, atol=1e-7)


def test_segments_are_where_the_figure_has_them() -> None:
    figure, poses = FIGURES[1], random_poses(5)
    model = BodyModel(figure, Environment())
    data = placed(model, poses)
    mujoco.mj_forward(model.engine_model, data)
    positions, rotations = figure.forward(poses)
    np.testing.assert_allclose(data.xpos[1:], positions[0], atol=1e-12)
    np.testing.assert_allclose(quaternion.angle_between(data.xquat[1:], rotations[0]), 0.0, atol=1e-7)


def test_degrees_of_freedom_limits_and_motors_are_the_figures() -> None:
    model = BodyModel(FIGURES[0], Environment())
    engine = model.engine_model
    assert (engine.nq, engine.nv, engine.nu) == (HUMAN.column_count, 44, 38)
    assert [engine.actuator(k).name for k in range(engine.nu)] == list(HUMAN.dof_names[HUMAN.root_dofs :])
    for joint in HUMAN.joints:
        for hinge in joint.hinges:
            np.testing.assert_allclose(engine.joint(hinge.name).range, [hinge.limit.low, hinge.limit.high])
    knee = engine.actuator("left_knee_flexion")
    assert knee.forcerange[1] == pytest.approx(3.5 * FIGURES[0].mass)
    # nothing but the figure's own inertia and its shoes' resists, and no spring or damper is hidden
    shod = [k for k, name in enumerate(HUMAN.dof_names) if "ankle" in name or "toe" in name]
    assert np.flatnonzero(engine.dof_armature).tolist() == shod
    assert engine.dof_armature.max() == pytest.approx(0.01, rel=0.01)
    assert not engine.dof_damping.any()
    assert not engine.jnt_stiffness.any()


@pytest.mark.parametrize("figure", FIGURES)
def test_soles_lie_under_heel_ball_and_toes(figure: Figure) -> None:
    model = BodyModel(figure, Environment())
    data = placed(model, Poses.zero(1))
    mujoco.mj_forward(model.engine_model, data)
    lowest = data.geom_xpos[model.soles] - [0.0, model.sole_radius, 0.0]
    floor = figure.point("left_heel", Poses.zero(1))[0, 1]
    np.testing.assert_allclose(lowest[:, 1], floor, atol=1e-12)
    assert len(lowest) == 2 * SOLE_POINTS
    for name, points in (("left_heel", lowest[:2]), ("left_ball", lowest[2:4]), ("right_heel", lowest[6:8])):
        np.testing.assert_allclose(points.mean(axis=0), figure.point(name, Poses.zero(1))[0], atol=1e-12)


def test_a_limp_body_falls_and_comes_to_rest_on_the_floor() -> None:
    model = BodyModel(FIGURES[0], Environment())
    data = placed(model, Poses.zero(1))
    data.qpos[1] = 1.0
    for _ in range(2500):
        mujoco.mj_step(model.engine_model, data)
    assert np.isfinite(data.qpos).all()
    assert data.subtree_com[1][1] < 0.4
    assert data.xpos[1:, 1].min() > -0.02
    assert np.abs(data.qvel[:3]).max() < 1.5


def test_gravity_of_the_moon_is_the_moons() -> None:
    model = BodyModel(FIGURES[0], Environment(gravity=1.62))
    data = placed(model, Poses.zero(1))
    data.qpos[1] = 10.0
    for _ in range(100):
        mujoco.mj_step(model.engine_model, data)
    assert data.qvel[1] == pytest.approx(-0.162)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [({"friction": -0.1}, "friction"), ({"gravity": float("nan")}, "gravity"), ({"damping": 0.0}, "damping")],
)
def test_impossible_environments_are_refused(wrong: dict[str, float], word: str) -> None:
    with pytest.raises(ArgumentError, match=word):
        Environment(**wrong)


def test_the_floor_of_an_evening_is_what_is_simulated() -> None:
    ground = Ground(friction=0.4, gravity=1.62, yielding=0.02, damping=0.7)
    assert Environment.of(ground) == Environment(1.62, 0.4, 0.02, 0.7)


def test_gravity_may_be_a_place() -> None:
    assert gravity_of("Moon") == 1.62
    assert gravity_of("3.5") == 3.5
    with pytest.raises(ArgumentError, match="gravity is 'pluto'"):
        gravity_of("pluto")
