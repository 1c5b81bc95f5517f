"""Interpolating curves: through their samples, C2, and SciPy's spline for vectors."""

from __future__ import annotations

import numpy as np

from segue.curves import quaternion
from segue.curves.interpolate import interpolate_positions, interpolate_rotations

TIMES = np.arange(20) / 30.0


def test_curves_pass_through_their_samples() -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(size=(20, 4, 3))
    turns = quaternion.exp(np.cumsum(rng.normal(scale=0.3, size=(20, 4, 3)), axis=0))
    np.testing.assert_allclose(interpolate_positions(TIMES, points, TIMES), points, atol=1e-12)
    found = interpolate_rotations(TIMES, turns, TIMES)
    assert quaternion.angle_between(found, turns).max() < 1e-7


def test_a_steady_turn_stays_steady() -> None:
    turns = quaternion.exp(np.outer(3.0 * TIMES, [0.0, 1.0, 0.0]))
    at = np.linspace(0.1, 0.5, 37)
    expected = quaternion.exp(np.outer(3.0 * at, [0.0, 1.0, 0.0]))
    assert quaternion.angle_between(interpolate_rotations(TIMES, turns, at), expected).max() < 1e-4


def test_rotations_have_continuous_second_derivatives() -> None:
    rng = np.random.default_rng(2)
    turns = quaternion.exp(np.cumsum(rng.normal(scale=0.2, size=(20, 3)), axis=0))
    h = 1e-4
    knot = TIMES[9]
    steps = np.array([-3, -2, -1, 1, 2, 3]) * h + knot
    values = interpolate_rotations(TIMES, turns, steps)
    before = (values[0] - 2 * values[1] + values[2]) / h**2
    after = (values[3] - 2 * values[4] + values[5]) / h**2
    scale = np.abs(before).max()
    assert np.abs(before - after).max() < 0.02 * scale


def test_one_sample_is_constant() -> None:
    point = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(interpolate_positions(np.zeros(1), point, [0.0, 0.5]), np.repeat(point, 2, axis=0))
