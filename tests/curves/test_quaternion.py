"""Quaternions: group laws, and SciPy as the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from segue.curves import quaternion
from segue.typing import Array

vectors = arrays(float, 3, elements=st.floats(-3.0, 3.0))
quaternions = arrays(float, 4, elements=st.floats(-1.0, 1.0)).filter(lambda q: np.linalg.norm(q) > 0.1)
rotations = quaternions.map(quaternion.normalise)


def scipy_of(q: Array) -> Rotation:
    return Rotation.from_quat(q, scalar_first=True)


@given(rotations, rotations, rotations)
def test_multiplication_is_associative(a: Array, b: Array, c: Array) -> None:
    left = quaternion.multiply(quaternion.multiply(a, b), c)
    right = quaternion.multiply(a, quaternion.multiply(b, c))
    np.testing.assert_allclose(left, right, atol=1e-12)


@given(rotations, rotations, vectors)
def test_multiplying_and_rotating_agree_with_scipy(a: Array, b: Array, v: Array) -> None:
    product = quaternion.multiply(a, b)
    np.testing.assert_allclose(quaternion.rotate(product, v), (scipy_of(a) * scipy_of(b)).apply(v), atol=1e-12)


@given(vectors)
def test_log_undoes_exp_within_half_a_turn(v: Array) -> None:
    v = v * min(1.0, 3.1 / max(np.linalg.norm(v), 1e-9))
    np.testing.assert_allclose(quaternion.log(quaternion.exp(v)), v, atol=1e-9)


@given(rotations)
def test_log_agrees_with_scipy(q: Array) -> None:
    np.testing.assert_allclose(
        scipy_of(quaternion.exp(quaternion.log(q))).as_matrix(), scipy_of(q).as_matrix(), atol=1e-9
    )


@given(rotations, rotations)
def test_slerp_moves_at_constant_speed(a: Array, b: Array) -> None:
    third = quaternion.slerp(a, b, 1 / 3)
    whole = quaternion.angle_between(a, b)
    assert quaternion.angle_between(a, third) == pytest.approx(whole / 3, abs=1e-7)
    assert quaternion.angle_between(third, b) == pytest.approx(2 * whole / 3, abs=1e-7)


@given(vectors.filter(lambda v: np.linalg.norm(v) > 0.1), vectors.filter(lambda v: np.linalg.norm(v) > 0.1))
def test_the_rotation_between_two_vectors_takes_one_to_the_other(a: Array, b: Array) -> None:
    axis = np.cross(a, [1.0, 0.3, -0.2]) + 0.01
    turned = quaternion.rotate(quaternion.from_two_vectors(a, b, axis), a / np.linalg.norm(a))
    np.testing.assert_allclose(turned, b / np.linalg.norm(b), atol=2e-3)


def test_opposite_vectors_turn_about_the_given_axis() -> None:
    q = quaternion.from_two_vectors([0, 1, 0], [0, -1, 0], half_turn_axis=[1, 0.5, 0])
    np.testing.assert_allclose(q, [0, 1, 0, 0], atol=1e-12)


@pytest.mark.parametrize("order", ["XYZ", "ZYX", "YXZ", "ZXY"])
def test_euler_angles_come_back(order: str) -> None:
    rng = np.random.default_rng(1)
    angles = rng.uniform(-1.4, 1.4, (50, 3))
    np.testing.assert_allclose(quaternion.to_euler(order, quaternion.from_euler(order, angles)), angles, atol=1e-12)


def test_the_mean_does_not_care_about_signs() -> None:
    rng = np.random.default_rng(2)
    middle = quaternion.normalise(rng.normal(size=4))
    spread = quaternion.multiply(middle, quaternion.exp(rng.normal(scale=0.1, size=(400, 3))))
    spread[::2] *= -1.0
    assert quaternion.angle_between(quaternion.mean(spread), middle) < 0.02


def test_continuous_quaternions_never_change_hemisphere() -> None:
    rng = np.random.default_rng(3)
    path = quaternion.exp(np.cumsum(rng.normal(scale=0.2, size=(300, 5, 3)), axis=0))
    flipped = path * rng.choice([-1.0, 1.0], size=(300, 5, 1))
    smooth = quaternion.make_continuous(flipped)
    assert (np.sum(smooth[1:] * smooth[:-1], axis=-1) > 0).all()
    np.testing.assert_allclose(quaternion.to_matrix(smooth), quaternion.to_matrix(path), atol=1e-12)


@given(rotations, st.sampled_from(["XYZ", "ZYX", "YXZ", "ZXZ", "XYX", "YZY"]))
def test_euler_angles_agree_with_scipy(q: Array, order: str) -> None:
    angles = quaternion.to_euler(order, q)
    np.testing.assert_allclose(
        scipy_of(quaternion.from_euler(order, angles)).as_matrix(), scipy_of(q).as_matrix(), atol=1e-7
    )
    np.testing.assert_allclose(quaternion.to_matrix(q), scipy_of(q).as_matrix(), atol=1e-12)
    np.testing.assert_allclose(
        quaternion.to_matrix(quaternion.from_matrix(quaternion.to_matrix(q))), quaternion.to_matrix(q), atol=1e-9
    )


@pytest.mark.parametrize("order", ["XYZ", "ZYX", "YZX", "ZXZ", "YXY"])
def test_at_gimbal_lock_the_third_angle_is_zero_and_the_rotation_exact(order: str) -> None:
    locked = (0.0, np.pi) if order[0] == order[2] else (-0.5 * np.pi, 0.5 * np.pi)
    for middle in locked:
        q = quaternion.from_euler(order, [0.4, middle, 1.1])
        angles = quaternion.to_euler(order, q)
        assert angles[2] == 0.0
        np.testing.assert_allclose(
            quaternion.to_matrix(quaternion.from_euler(order, angles)), quaternion.to_matrix(q), atol=1e-7
        )


@given(rotations)
def test_quaternions_of_matrices_are_those_of_scipy(q: Array) -> None:
    matrix = scipy_of(q).as_matrix()
    expected = Rotation.from_matrix(matrix).as_quat(canonical=True, scalar_first=True)
    found = quaternion.from_matrix(matrix)
    assert min(np.abs(found - expected).max(), np.abs(found + expected).max()) < 1e-7
