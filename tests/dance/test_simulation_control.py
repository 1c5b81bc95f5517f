"""Whole-body control: the reduced program gives what the whole one does, and no joint goes beyond its strength."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.dance.course.limbs import limb_course
from segue.dance.planning.model import Footprint, Stance
from segue.dance.simulation.control._sense_kernels import frame_rows, point_rows
from segue.dance.simulation.control._task_kernels import track_rotation
from segue.dance.simulation.control._whole_body_kernels import Contacts, Tasks
from segue.dance.simulation.control.motor_programs import LimbPrograms, LimbState
from segue.dance.simulation.control.whole_body import WholeBody
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import standing_positions
from segue.dance.simulation.model import BodyModel
from segue.errors import ArgumentError
from segue.motion.tracks import positions_of
from tests.support.simulated_plans import plan_of

mujoco = pytest.importorskip("mujoco", reason="the physics engine is an optional extra")
quadprog = pytest.importorskip("quadprog", reason="the oracle of the solver is not installed")

STANCE = Stance(Footprint(0.08, 0.0, 0.0), Footprint(-0.08, 0.0, 0.0), 0.0)
MODEL = BodyModel(Figure.standard(), Environment())


def stood(seed: int = 0) -> tuple[object, WholeBody]:
    """A standing body that moves a little, with all that the controller reads up to date."""
    data = mujoco.MjData(MODEL.engine_model)
    data.qpos[:] = standing_positions(MODEL.figure, STANCE, {})
    data.qvel[:] = 0.2 * np.random.default_rng(seed).normal(size=44)
    mujoco.mj_fwdPosition(MODEL.engine_model, data)
    mujoco.mj_fwdVelocity(MODEL.engine_model, data)
    whole = WholeBody(MODEL, data, 0.6)
    mujoco.mj_fullM(MODEL.engine_model, data, whole.inertia)
    return data, whole


def contacts_of(data: object, whole: WholeBody, count: int = 12) -> Contacts:
    rows = np.zeros((3 * count, 44))
    for k, geom in enumerate(MODEL.soles[:count]):
        point = data.geom_xpos[geom] - [0.0, MODEL.sole_radius, 0.0]
        body = int(MODEL.engine_model.geom_bodyid[geom])
        point_rows(whole.mechanics, body, point, rows[3 * k : 3 * k + 3], np.zeros(3))
    return Contacts(rows, np.full(count, 300.0))


def random_tasks(seed: int, size: float = 1.0) -> Tasks:
    rng = np.random.default_rng(seed)
    return Tasks(
        rng.normal(size=(20, 44)), size * rng.normal(size=20), rng.uniform(1, 50, 20), np.zeros(44), np.full(44, 0.5)
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_reduced_program_is_the_whole_one(seed: int) -> None:
    data, whole = stood(seed)
    contacts, tasks = contacts_of(data, whole), random_tasks(seed)
    answer = whole.solve(tasks, contacts, whole.bias)
    n, f = 44, len(contacts.rows)
    hessian = np.zeros((n + f, n + f))
    weighted = tasks.weights[:, None] * tasks.rows
    hessian[:n, :n] = tasks.rows.T @ weighted + np.diag(tasks.posture_weights + 1e-4)
    hessian[n:, n:] = 2e-5 * np.eye(f)
    gradient = np.concatenate([weighted.T @ tasks.wanted, np.zeros(f)])
    equations = np.hstack([whole.inertia[:6], -contacts.rows[:, :6].T])
    lean = 0.6 * np.sqrt(0.5)
    side = np.array([[1, lean, 0], [-1, lean, 0], [0, lean, 1], [0, lean, -1], [0, 1, 0], [0, -1, 0]])
    cones = np.hstack([np.zeros((6 * f // 3, n)), np.kron(np.eye(f // 3), side)])
    least = np.tile([0.0, 0, 0, 0, 0, -300.0], f // 3)
    found = quadprog.solve_qp(
        hessian, gradient, np.vstack([equations, cones]).T, np.concatenate([-whole.bias[:6], least]), 6
    )[0]
    np.testing.assert_allclose(answer.accelerations, found[:n], atol=2e-4)
    np.testing.assert_allclose(answer.forces.ravel(), found[n:], atol=0.05)
    motors = whole.inertia @ answer.accelerations + whole.bias - contacts.rows.T @ answer.forces.ravel()
    np.testing.assert_allclose(motors[:6], 0.0, atol=1e-6)
    np.testing.assert_allclose(motors[6:], answer.torques, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_no_joint_goes_beyond_its_strength(seed: int) -> None:
    data, whole = stood(seed)
    answer = whole.solve(random_tasks(seed, size=400.0), contacts_of(data, whole), whole.bias)
    spans = [slice(span.start - 6, span.stop - 6) for span in HUMAN.joint_dofs[1:]]
    sizes = np.array([np.linalg.norm(answer.torques[span]) for span in spans])
    assert np.all(sizes <= MODEL.strengths * 0.9801)
    assert np.any(sizes > 0.9 * MODEL.strengths)


def test_without_contacts_the_body_falls_freely() -> None:
    _, whole = stood()
    rows = np.zeros((3, 44))
    tasks = Tasks(rows, np.zeros(3), np.zeros(3), np.zeros(44), np.full(44, 1.0))
    answer = whole.solve(tasks, Contacts(np.zeros((0, 44)), np.zeros(0)), whole.bias)
    total = (whole.inertia[:3] @ answer.accelerations + whole.bias[:3]) / whole.mass
    np.testing.assert_allclose(total, 0.0, atol=1e-9)


def test_jacobians_are_the_engines() -> None:
    data, whole = stood(3)
    body = MODEL.engine_model.body("left_foot").id
    point = data.xpos[body] + np.array([0.1, 0.2, 0.3])
    rows, drift = np.zeros((3, 44)), np.zeros(3)
    linear, angular, rates, turns = np.zeros((4, 3, 44))
    mujoco.mj_jac(MODEL.engine_model, data, linear, angular, point, body)
    mujoco.mj_jacDot(MODEL.engine_model, data, rates, turns, point, body)
    point_rows(whole.mechanics, body, point, rows, drift)
    np.testing.assert_allclose(rows, linear, atol=1e-12)
    np.testing.assert_allclose(drift, rates @ data.qvel, atol=1e-12)
    frame_rows(whole.mechanics, body, rows, drift)
    np.testing.assert_allclose(rows, angular, atol=1e-12)
    np.testing.assert_allclose(drift, turns @ data.qvel, atol=1e-12)


def test_a_foot_that_is_as_it_should_be_is_left_alone() -> None:
    heading, pitch = 0.7, 0.3
    across = np.array([np.cos(heading), 0.0, -np.sin(heading)])
    ahead = np.array([np.cos(pitch) * np.sin(heading), -np.sin(pitch), np.cos(pitch) * np.cos(heading)])
    facing = np.stack([across, np.cross(ahead, across), ahead], axis=1)
    turn = np.array([[heading, pitch], [0.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(track_rotation(turn, facing, np.zeros(3), 200.0, 28.0), 0.0, atol=1e-12)
    turn[0, 0] += 0.01
    assert track_rotation(turn, facing, np.zeros(3), 200.0, 28.0)[1] == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize(
    "stance",
    [
        STANCE,
        Stance(Footprint(0.15, 0.3, 0.4), Footprint(-0.08, 0.0, -0.2), 0.1),
        Stance(Footprint(3.0, 1.0, 2.0), Footprint(3.1, 1.15, 2.0), 2.0),
    ],
)
def test_bodies_stand_on_their_footprints(stance: Stance) -> None:
    data = mujoco.MjData(MODEL.engine_model)
    data.qpos[:] = standing_positions(MODEL.figure, stance, {})
    mujoco.mj_forward(MODEL.engine_model, data)
    for side, each in (("left", stance.left), ("right", stance.right)):
        foot = data.body(f"{side}_foot")
        np.testing.assert_allclose(foot.xpos[[0, 2]], [each.x, each.z], atol=1e-4)
        np.testing.assert_allclose(
            foot.xmat.reshape(3, 3)[:, 2], [np.sin(each.heading), 0, np.cos(each.heading)], atol=1e-4
        )
    assert data.qpos[7 + 0] == pytest.approx(1.0)


def test_feet_that_are_too_far_apart_are_told() -> None:
    with pytest.raises(ArgumentError, match="cannot stand"):
        standing_positions(MODEL.figure, Stance(Footprint(1.5, 0.0, 0.0), Footprint(-1.5, 0.0, 0.0), 0.0), {})


def test_limbs_are_moved_maintained_or_free() -> None:
    times = np.linspace(0.0, 2.0, 1001)
    pose = Poses.zero(1)
    course = limb_course(plan_of([]), pose, times)
    limbs = LimbPrograms()
    assert limbs.state("left_shoulder", course, 300) is LimbState.MOVE
    assert limbs.state("left_shoulder", course, 900) is LimbState.MAINTAIN
    assert limbs.state("left_knee", course, 300) is LimbState.MAINTAIN
    # a limb that is maintained gives under a push, and is drawn back
    positions = positions_of(pose)[0]
    positions[HUMAN.hinge_positions[HUMAN.hinge_names.index("left_wrist_flexion")]] = 0.1
    pull = limbs.accelerations(course, 900, positions, np.zeros(44))
    assert pull[HUMAN.dof_names.index("left_wrist_flexion")] == pytest.approx(-12.0)
    limbs.release()
    assert limbs.state("left_shoulder", course, 300) is LimbState.FREE
