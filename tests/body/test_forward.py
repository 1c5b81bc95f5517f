"""The figure's forward kinematics against Pinocchio: positions and rotations, velocities and accelerations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from segue.body.figure import Figure, Poses
from segue.body.forward_kernels import Bodies, JointMotion, forward_motion, forward_pose
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.spacetime.figure_motion import FigureBodies

pinocchio = pytest.importorskip("pinocchio")
FIGURE = Figure.standard()
COUNT = 4


def pinocchio_model() -> tuple[Any, list[int]]:
    """Return the figure as Pinocchio has it, and the joint of each link."""
    model, ids = pinocchio.Model(), []
    for s, joint in enumerate(HUMAN.joints):
        at = 0 if joint.parent is None else ids[HUMAN.segment_links[HUMAN.parents[s]]]
        kinds = (
            [pinocchio.JointModelFreeFlyer()]
            if joint.parent is None
            else [pinocchio.JointModelSpherical()]
            if joint.ball
            else [pinocchio.JointModelRevoluteUnaligned(np.array(hinge.axis)) for hinge in joint.hinges]
        )
        for k, kind in enumerate(kinds):
            shift = pinocchio.SE3(np.eye(3), FIGURE.offsets[s] if k == 0 else np.zeros(3))
            at = model.addJoint(at, kind, shift, f"{joint.name}_{k}")
            ids.append(at)
    return model, ids


def random_motion() -> JointMotion:
    rng = np.random.default_rng(5)
    return JointMotion(
        rng.normal(size=(3, COUNT, 3)),
        quaternion.exp(rng.normal(size=(COUNT, 7, 3))),
        rng.normal(size=(2, COUNT, 7, 3)),
        rng.normal(size=(3, COUNT, 20)),
    )


def configuration(model: Any, joints: JointMotion, t: int) -> np.ndarray:
    q = np.empty(model.nq)
    q[:3], q[HUMAN.hinge_positions] = joints.root[0, t], joints.hinges[0, t]
    q[HUMAN.ball_positions] = np.roll(joints.turns[t], -1, axis=1)  # Pinocchio's quaternions end with w
    return q


def test_segments_are_where_pinocchio_has_them() -> None:
    model, ids = pinocchio_model()
    joints, data = random_motion(), model.createData()
    positions, rotations = FIGURE.forward(Poses(joints.root[0], joints.turns, joints.hinges[0]))
    for t in range(COUNT):
        pinocchio.forwardKinematics(model, data, configuration(model, joints, t))
        for s, link in enumerate(HUMAN.segment_links):
            frame = data.oMi[ids[link]]
            np.testing.assert_allclose(positions[t, s], frame.translation, atol=1e-12)
            np.testing.assert_allclose(quaternion.to_matrix(rotations[t, s]), frame.rotation, atol=1e-12)


def test_axes_are_those_of_pinocchios_jacobian() -> None:
    model, ids = pinocchio_model()
    joints, data = random_motion(), model.createData()
    count = len(HUMAN.segments)
    positions, rotations, axes = np.empty((count, 3)), np.empty((count, 4)), np.zeros((HUMAN.dof_count, 3))
    forward_pose(FIGURE.tree, joints.root[0, 0], joints.turns[0], joints.hinges[0, 0], positions, rotations, axes)
    jacobians = pinocchio.computeJointJacobians(model, data, configuration(model, joints, 0))
    np.testing.assert_allclose(axes[3:], jacobians[3:, 3:].T, atol=1e-12)
    assert np.all(axes[:3] == 0.0)
    assert len(ids) == 27


def test_velocities_and_accelerations_are_those_of_pinocchio() -> None:
    model, ids = pinocchio_model()
    joints, data = random_motion(), model.createData()
    bodies = Bodies(np.empty((COUNT, 27, 4)), np.empty((5, COUNT, 27, 3)), np.empty((2, COUNT, 27, 3)))
    forward_motion(FigureBodies(FIGURE).links, joints, bodies)
    world = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
    for t in range(COUNT):
        # Pinocchio takes rates of ball joints and of the root in the axes of the body
        back = quaternion.conjugate(joints.turns[t])
        spins, rises = (quaternion.rotate(back, joints.spins[k, t]) for k in range(2))
        velocity, acceleration = (quaternion.rotate(back[0], joints.root[k, t]) for k in (1, 2))
        v, a = np.empty(model.nv), np.empty(model.nv)
        v[:3], a[:3] = velocity, acceleration - np.cross(spins[0], velocity)
        v[HUMAN.ball_dofs], a[HUMAN.ball_dofs] = spins, rises
        v[HUMAN.hinge_dofs], a[HUMAN.hinge_dofs] = joints.hinges[1, t], joints.hinges[2, t]
        pinocchio.forwardKinematics(model, data, configuration(model, joints, t), v, a)
        for link, joint_id in enumerate(ids):
            rate = pinocchio.getVelocity(model, data, joint_id, world)
            rise = pinocchio.getClassicalAcceleration(model, data, joint_id, world)
            frame = data.oMi[joint_id]
            np.testing.assert_allclose(quaternion.to_matrix(bodies.turns[t, link]), frame.rotation, atol=1e-12)
            wanted = [frame.translation, rate.angular, rate.linear, rise.angular, rise.linear]
            np.testing.assert_allclose(bodies.motion[:, t, link], wanted, atol=1e-10)
