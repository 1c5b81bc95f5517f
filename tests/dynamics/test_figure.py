"""The figure as a tree: the same kinematics, Pinocchio's torques, weight and momentum of a whole body."""

from __future__ import annotations

import numpy as np
import pinocchio
import pytest

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dynamics import GRAVITY, FigureTree, forward_kinematics, inverse_dynamics
from segue.errors import ArgumentError
from tests.motion.test_fit import smooth_poses
from tests.support.trees import pinocchio_model

FIGURE = Figure.standard(1.8, mass=80.0, sex="male")
POSES = smooth_poses(FIGURE, 24, 3)
MODEL = FigureTree.about(FIGURE, POSES)


def test_joint_values_and_poses_are_inverse() -> None:
    back = MODEL.poses(MODEL.coordinates(POSES))
    np.testing.assert_allclose(back.root, POSES.root)
    np.testing.assert_allclose(back.hinges, POSES.hinges)
    assert quaternion.angle_between(back.balls, POSES.balls).max() < 1e-7


def test_the_tree_moves_as_the_figure_does() -> None:
    q = MODEL.coordinates(POSES)
    positions, _ = FIGURE.forward(POSES)
    moved = forward_kinematics(MODEL.tree, q).positions
    lasts = [j for j, mass in enumerate(MODEL.tree.masses) if mass > 0]
    assert len(lasts) == len(HUMAN.segments)
    np.testing.assert_allclose(moved[:, lasts], positions, atol=1e-12)


def test_torques_agree_with_pinocchio() -> None:
    rng = np.random.default_rng(1)
    q = MODEL.coordinates(POSES)[:4]
    qd, qdd = rng.normal(size=(2, 4, 44))
    model = pinocchio_model(MODEL.tree, GRAVITY)
    data = model.createData()
    ours = inverse_dynamics(MODEL.tree, q, qd, qdd)
    theirs = np.array([pinocchio.rnea(model, data, *sample) for sample in zip(q, qd, qdd, strict=True)])
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())


def test_standing_still_the_root_carries_the_weight() -> None:
    still = Poses.zero(1)
    model = FigureTree.about(FIGURE, still)
    zero = np.zeros((1, 44))
    tau = inverse_dynamics(model.tree, model.coordinates(still), zero, zero)[0]
    assert tau[HUMAN.dof_names.index("root_y")] == pytest.approx(-80.0 * GRAVITY[1])
    # arms held out sideways pull the shoulders down, equally on both sides
    left, right = (tau[HUMAN.dof_names.index(f"{side}_shoulder_rotation_z")] for side in ("left", "right"))
    assert left == pytest.approx(-right)
    assert abs(left) > 5.0


def test_in_free_fall_nothing_needs_a_torque() -> None:
    falling = np.zeros((1, 44))
    falling[0, 1] = GRAVITY[1]
    q = MODEL.coordinates(POSES)[:1]
    tau = inverse_dynamics(MODEL.tree, q, np.zeros((1, 44)), falling)
    np.testing.assert_allclose(tau, 0.0, atol=1e-9)


def test_a_reference_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"\(7, 4\)"):
        FigureTree(FIGURE, np.zeros((3, 4)))


def turning(angles: np.ndarray, axis: int) -> Poses:
    """Return poses of a figure that turns as a whole about an axis by given angles."""
    poses = Poses.zero(len(angles))
    poses.balls[:, 0] = quaternion.exp(angles[:, None] * np.eye(3)[axis])
    return poses


def test_a_somersault_is_one_long_turn() -> None:
    angles = np.linspace(0.0, 2.2 * np.pi, 90)
    poses = turning(angles, 0)
    model = FigureTree.about(FIGURE, poses)
    q = model.coordinates(poses)
    turn = q[:, HUMAN.dof_names.index("root_rotation_x")]
    np.testing.assert_allclose(turn - turn[0], angles, atol=1e-9)
    assert quaternion.angle_between(model.poses(q).balls, poses.balls).max() < 1e-7


def test_a_turn_beyond_the_chart_is_named_not_computed_wrongly() -> None:
    poses = turning(np.linspace(0.0, np.pi, 60), 1)
    with pytest.raises(ArgumentError, match=r"^root turns too far from the reference at frame \d+ .* 80 are allowed"):
        FigureTree.about(FIGURE, poses).coordinates(poses)


@pytest.mark.parametrize("values", ["x", [[1.0], [1.0, 2.0]], None])
def test_what_is_no_array_of_numbers_is_refused_in_a_sentence(values: object) -> None:
    q = MODEL.coordinates(POSES)
    with pytest.raises(ArgumentError, match=r"^qd must"):
        inverse_dynamics(MODEL.tree, q, values, q)  # type: ignore[arg-type]
