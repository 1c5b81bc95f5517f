import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.curves.sampled import gauss_legendre, uniform
from segue.errors import ArgumentError


@given(points=st.integers(1, 6), pieces=st.integers(1, 5), seed=st.integers(0, 10**6))
def test_gauss_legendre_is_exact_for_polynomials(points: int, pieces: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    breaks = np.cumsum(rng.uniform(0.1, 1.0, pieces + 1))
    polynomial = np.polynomial.Polynomial(rng.normal(size=2 * points))
    rule = gauss_legendre(breaks, points)
    whole = polynomial.integ()
    assert rule.weights @ polynomial(rule.times) == pytest.approx(whole(breaks[-1]) - whole(breaks[0]), rel=1e-10)
    assert np.all(np.diff(rule.times) > 0)


def test_gauss_legendre_is_not_exact_beyond_its_degree() -> None:
    rule = gauss_legendre([0.0, 1.0], 2)
    assert abs(rule.weights @ rule.times**4 - 0.2) > 1e-3


def test_uniform_samples_include_both_ends_and_integrate_straight_lines() -> None:
    rule = uniform(-1.0, 2.0, 7)
    assert rule.times[[0, -1]].tolist() == [-1.0, 2.0]
    assert rule.weights.sum() == pytest.approx(3.0)
    assert rule.weights @ (2.0 * rule.times + 1.0) == pytest.approx(6.0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: uniform(0.0, 1.0, 1),
        lambda: uniform(1.0, 1.0, 5),
        lambda: uniform(0.0, float("nan"), 5),
        lambda: gauss_legendre([0.0, 0.0]),
        lambda: gauss_legendre([0.0, 1.0], 0),
    ],
)
def test_bad_arguments_are_refused(make) -> None:
    with pytest.raises(ArgumentError):
        make()
