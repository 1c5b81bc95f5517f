import numpy as np
import pytest

from segue.curves import EulerChart, quaternion
from segue.dynamics import Tree, forward_kinematics
from segue.errors import ArgumentError
from tests.support.trees import pinocchio_model, random_motion, random_tree

pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle of these tests")


@pytest.mark.parametrize("seed", range(6))
def test_frames_agree_with_pinocchio(seed: int) -> None:
    joints = 1 + 5 * seed
    tree = random_tree(seed, joints, depth_first=False)
    model = pinocchio_model(tree, (0.0, 0.0, 0.0))
    data = model.createData()
    q, *_ = random_motion(seed, 11, joints)
    found = forward_kinematics(tree, q)
    for t in (0, 7, 10):
        pin.forwardKinematics(model, data, q[t])
        for i in range(joints):
            pose = data.oMi[i + 1]
            for ours, theirs in (
                (found.positions, pose.translation),
                (found.rotations, pose.rotation),
            ):
                np.testing.assert_allclose(ours[t, i], theirs, atol=1e-10 * (1 + np.abs(theirs).max()))


@pytest.mark.parametrize("seed", range(4))
def test_pull_back_is_the_transposed_jacobian(seed: int) -> None:
    joints = 3 + 6 * seed
    tree = random_tree(seed, joints, depth_first=False)
    q, *_ = random_motion(seed, 10, joints)
    rng = np.random.default_rng(seed)
    bodies = rng.integers(0, joints, 4)
    places, forces = rng.normal(size=(4, 3)), rng.normal(size=(10, 4, 3))
    found = forward_kinematics(tree, q).pull_back(bodies, places, forces)
    h = 1e-6
    for j in range(joints):
        moved = [forward_kinematics(tree, q + s * h * np.eye(joints)[j]).points(bodies, places) for s in (1, -1)]
        numeric = np.sum(forces * (moved[0] - moved[1]) / (2 * h), axis=(1, 2))
        np.testing.assert_allclose(found[:, j], numeric, atol=1e-7)


def test_moments_are_pulled_back_as_derivatives_by_turning_a_body() -> None:
    tree = random_tree(6, 12)
    q, *_ = random_motion(6, 4, 12)
    moments = np.random.default_rng(0).normal(size=(4, 1, 3))
    still = forward_kinematics(tree, q)
    found = still.pull_back([11], np.zeros((1, 3)), np.zeros((4, 1, 3)), moments)
    h = 1e-6
    for j in range(12):
        moved = forward_kinematics(tree, q + h * np.eye(12)[j]).rotations[:, 11]
        turn = quaternion.log(quaternion.from_matrix(moved @ still.rotations[:, 11].transpose(0, 2, 1))) / h
        np.testing.assert_allclose(found[:, j], np.sum(moments[:, 0] * turn, axis=1), atol=1e-5)


@pytest.mark.parametrize("order", ["ZYX", "XZY", "YXZ"])
def test_an_euler_chart_is_three_hinges_after_its_reference(order: str) -> None:
    chart = EulerChart(quaternion.normalise(np.array([0.5, -0.3, 0.8, 0.1])), order)
    tree = Tree(
        parents=np.array([-1, 0, 1]),
        axes=chart.axes,
        offsets=np.zeros((3, 3)),
        masses=np.ones(3),
        centres=np.zeros((3, 3)),
        inertias=np.zeros((3, 3, 3)),
        rotations=np.stack([quaternion.to_matrix(chart.reference), np.eye(3), np.eye(3)]),
    )
    angles = 0.5 * random_motion(1, 20, 3)[0]
    turned = forward_kinematics(tree, angles).rotations[:, 2]
    np.testing.assert_allclose(turned, quaternion.to_matrix(chart.orientation(angles)), atol=1e-12)


def test_bad_points_are_refused() -> None:
    tree = random_tree(0, 3)
    poses = forward_kinematics(tree, np.zeros((2, 3)))
    with pytest.raises(ArgumentError, match="there is no body 3"):
        poses.points([3], np.zeros((1, 3)))
    with pytest.raises(ArgumentError, match=r"places of shape \(k, 3\)"):
        poses.points([0, 1], np.zeros((1, 3)))
    with pytest.raises(ArgumentError, match=r"forces on these points must have shape \(2, 1, 3\)"):
        poses.pull_back([0], np.zeros((1, 3)), np.zeros((3, 1, 3)))
