from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.curves import quaternion
from segue.curves.chart import EulerChart
from segue.errors import ArgumentError

ORDERS = ["".join(order) for order in permutations("XYZ")]
LIMIT = np.deg2rad(80.0)


def random_state(seed: int, angle: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return a reference, an orientation at the given angle from it, an angular velocity and an acceleration."""
    rng = np.random.default_rng(seed)
    reference = quaternion.normalise(rng.normal(size=4))
    direction = rng.normal(size=3)
    orientation = quaternion.multiply(reference, quaternion.exp(angle * direction / np.linalg.norm(direction)))
    return reference, orientation, rng.normal(size=3) * 5.0, rng.normal(size=3) * 20.0


@given(kind=st.sampled_from(ORDERS), seed=st.integers(0, 10**9), angle=st.floats(0.0, LIMIT))
def test_round_trip_is_exact(kind: str, seed: int, angle: float) -> None:
    reference, orientation, velocity, acceleration = random_state(seed, angle)
    chart = EulerChart(reference, kind)
    x = chart.coordinates(orientation)
    rates = chart.rates(x, velocity)
    accelerations = chart.accelerations(x, rates, acceleration)
    assert quaternion.angle_between(chart.orientation(x), orientation) < 1e-10
    np.testing.assert_allclose(chart.angular_velocity(x, rates), velocity, rtol=0, atol=1e-10)
    np.testing.assert_allclose(chart.angular_acceleration(x, rates, accelerations), acceleration, rtol=0, atol=1e-10)


@given(kind=st.sampled_from(ORDERS), seed=st.integers(0, 10**9), angle=st.floats(0.0, LIMIT))
def test_middle_turn_is_no_greater_than_the_angle_from_the_reference(kind: str, seed: int, angle: float) -> None:
    reference, orientation, *_ = random_state(seed, angle)
    assert abs(EulerChart(reference, kind).coordinates(orientation)[1]) <= angle + 1e-9


@pytest.mark.parametrize("kind", ORDERS)
@pytest.mark.parametrize("size", [1e-4, 0.3, 1.1])
def test_rates_are_those_of_the_orientation(kind: str, size: float) -> None:
    """Angular velocity is 2 conj(q) dq/dt and its derivative, here by central differences along a quadratic path."""
    rng = np.random.default_rng(7)
    chart = EulerChart(quaternion.normalise(rng.normal(size=4)), kind)
    x, rates, accelerations = rng.normal(size=(3, 3)) * np.array([size, 1.0, 3.0])[:, None]
    x *= size / np.linalg.norm(x)
    step = 1e-4

    def turn(t: float) -> np.ndarray:
        return chart.orientation(x + rates * t + accelerations * t * t / 2)

    def velocity(t: float) -> np.ndarray:
        between = quaternion.multiply(quaternion.conjugate(turn(t - step)), turn(t + step))
        return quaternion.log(between) / (2 * step)

    np.testing.assert_allclose(chart.angular_velocity(x, rates), velocity(0.0), atol=1e-6)
    numeric = (velocity(step) - velocity(-step)) / (2 * step)
    np.testing.assert_allclose(chart.angular_acceleration(x, rates, accelerations), numeric, atol=1e-5)


@pytest.mark.parametrize("kind", ORDERS)
def test_drift_is_the_derivative_of_the_rate_matrix(kind: str) -> None:
    rng = np.random.default_rng(3)
    chart = EulerChart(quaternion.identity(), kind)
    x, rates = rng.normal(size=(2, 6, 3)) * 0.4
    step = 1e-6
    change = (chart.rate_matrix(x + step * rates) - chart.rate_matrix(x - step * rates)) / (2 * step)
    np.testing.assert_allclose(chart.drift(x, rates), np.einsum("nij,nj->ni", change, rates), atol=1e-8)


@pytest.mark.parametrize("kind", ORDERS)
def test_reference_is_the_origin_and_arrays_of_any_shape_are_converted(kind: str) -> None:
    references = quaternion.normalise(np.random.default_rng(1).normal(size=(5, 4)))
    chart = EulerChart(references, kind)
    np.testing.assert_allclose(chart.coordinates(references), 0.0, atol=1e-12)
    x = np.random.default_rng(2).normal(size=(7, 5, 3)) * 0.3
    assert chart.orientation(x).shape == (7, 5, 4)
    np.testing.assert_allclose(chart.coordinates(chart.orientation(x)), x, atol=1e-12)


def test_bad_arguments_are_refused() -> None:
    for order in ("ZYZ", "ZY", "abc"):
        with pytest.raises(ArgumentError):
            EulerChart(quaternion.identity(), order)
    for reference in (np.zeros(4), np.ones(3), [np.nan, 0.0, 0.0, 1.0]):
        with pytest.raises(ArgumentError):
            EulerChart(reference)
    chart = EulerChart(quaternion.identity(), "ZYX")
    quarter = np.array([0.0, np.pi / 2, 0.0])
    with pytest.raises(ArgumentError):
        chart.coordinates(chart.orientation(quarter))
    with pytest.raises(ArgumentError):
        chart.rates(quarter, np.ones(3))
