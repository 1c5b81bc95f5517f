import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.curves.quadrature import gauss_legendre, midpoints, uniform
from segue.errors import ArgumentError


@given(points=st.integers(1, 6), pieces=st.integers(1, 5), seed=st.integers(0, 10**6))
def test_gauss_legendre_is_exact_for_polynomials(points: int, pieces: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    breaks = np.cumsum(rng.uniform(0.1, 1.0, pieces + 1))
    polynomial = np.polynomial.Polynomial(rng.normal(size=2 * points))
    rule = gauss_legendre(breaks, points)
    whole = polynomial.integ()
    assert rule.integrate(polynomial(rule.times)) == pytest.approx(whole(breaks[-1]) - whole(breaks[0]), rel=1e-10)
    assert np.all(np.diff(rule.times) > 0)


def test_gauss_legendre_is_not_exact_beyond_its_degree() -> None:
    rule = gauss_legendre([0.0, 1.0], 2)
    assert abs(rule.integrate(rule.times**4) - 0.2) > 1e-3


@pytest.mark.parametrize("rule", [uniform(-1.0, 2.0, 7), midpoints(-1.0, 2.0, 6)])
def test_evenly_spaced_rules_integrate_straight_lines(rule) -> None:
    assert rule.weights.sum() == pytest.approx(3.0)
    assert rule.integrate(2.0 * rule.times + 1.0) == pytest.approx(6.0)


def test_uniform_includes_both_ends_and_midpoints_neither() -> None:
    assert uniform(0.0, 1.0, 5).times[[0, -1]].tolist() == [0.0, 1.0]
    assert midpoints(0.0, 1.0, 4).times.tolist() == [0.125, 0.375, 0.625, 0.875]


@pytest.mark.parametrize(
    "make",
    [
        lambda: uniform(0.0, 1.0, 1),
        lambda: uniform(1.0, 1.0, 5),
        lambda: midpoints(0.0, float("nan"), 5),
        lambda: gauss_legendre([0.0, 0.0]),
        lambda: gauss_legendre([0.0, 1.0], 0),
        lambda: uniform(0.0, 1.0, 5).integrate(np.zeros(4)),
    ],
)
def test_bad_arguments_are_refused(make) -> None:
    with pytest.raises(ArgumentError):
        make()
