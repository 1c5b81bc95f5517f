"""Charts of several ball joints: the same numbers as the Euler chart, round trips, half turns."""

from __future__ import annotations

import numpy as np
import pytest

from segue.curves import EulerChart, quaternion
from segue.curves.chart import BallCharts
from segue.curves.chart_kernels import chart_turning
from segue.errors import ArgumentError

RNG = np.random.default_rng(5)
ORDERS = ("XYZ", "YZX", "ZXY")


def random_rotations(*shape: int, size: float = 0.6) -> np.ndarray:
    return quaternion.exp(RNG.normal(size=(*shape, 3)) * size)


@pytest.mark.parametrize("leading", range(3))
def test_coordinates_and_rates_are_those_of_the_euler_chart(leading: int) -> None:
    reference, q = random_rotations(1), random_rotations(9, 1, size=0.4)
    q = quaternion.multiply(reference, q)
    omega, alpha = RNG.normal(size=(2, 9, 1, 3))
    charts = BallCharts(reference, np.array([leading]))
    chart = EulerChart(reference, ORDERS[leading])
    value, rate, rise = charts.motion(q, omega, alpha)
    np.testing.assert_allclose(value, chart.coordinates(q), atol=1e-12)
    body = [quaternion.rotate(quaternion.conjugate(q), vector) for vector in (omega, alpha)]
    np.testing.assert_allclose(rate, chart.rates(value, body[0]), atol=1e-11)
    np.testing.assert_allclose(rise, chart.accelerations(value, rate, body[1]), atol=1e-10)


def test_there_and_back() -> None:
    first, last = random_rotations(7, size=1.0), random_rotations(7, size=1.0)
    charts = BallCharts.between(first, last)
    coordinates = RNG.normal(size=(12, 7, 3)) * 0.4
    rates, rises = RNG.normal(size=(2, 12, 7, 3))
    q, omega, alpha = charts.orientations(coordinates), np.empty_like(rates), np.empty_like(rises)
    chart_turning(charts.leading, q, coordinates, rates, rises, omega, alpha)
    back = charts.motion(q, omega, alpha)
    for one, other in zip(back, (coordinates, rates, rises), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)


def test_even_a_half_turn_stays_clear_of_the_edge() -> None:
    axes = RNG.normal(size=(500, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    first = random_rotations(500, size=1.0)
    last = quaternion.multiply(first, quaternion.exp(axes * np.pi * 0.999))
    charts = BallCharts.between(first, last)
    for fraction in np.linspace(0, 1, 9):
        middle = charts.coordinates(quaternion.slerp(first, last, np.full(500, fraction))[None])[0, :, 1]
        assert np.degrees(np.abs(middle).max()) < 70.0


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"\(B, 4\)"):
        BallCharts(np.zeros((2, 3)), np.zeros(2, np.int64))
