import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import BSpline, CubicSpline

from segue.curves.bspline import SplineBasis, eliminate, end_conditions
from segue.errors import ArgumentError


def random_basis(seed: int, pieces: int, cyclic: bool) -> SplineBasis:
    rng = np.random.default_rng(seed)
    return SplineBasis(np.cumsum(rng.uniform(0.1, 1.0, pieces + 1)) - 1.0, cyclic)


bases = st.builds(random_basis, seed=st.integers(0, 10**6), pieces=st.integers(4, 12), cyclic=st.booleans())
fractions = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20)


def times_in(basis: SplineBasis, fractions: list[float]) -> np.ndarray:
    return basis.start + np.array(fractions) * (basis.stop - basis.start)


@given(basis=bases, fractions=fractions)
def test_functions_are_a_partition_of_unity(basis: SplineBasis, fractions: list[float]) -> None:
    times = times_in(basis, fractions)
    matrix = basis.matrix(times)
    assert matrix.shape == (len(times), basis.count)
    assert matrix.min() >= -1e-12
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0, atol=1e-12)
    for order in (1, 2, 3):
        scale = np.abs(basis.matrix(times, order)).max() + 1.0
        np.testing.assert_allclose(basis.matrix(times, order).sum(axis=1) / scale, 0.0, atol=1e-12)


@given(basis=bases, fractions=fractions, seed=st.integers(0, 10**6))
def test_curve_lies_in_the_hull_of_its_coefficients(basis: SplineBasis, fractions: list[float], seed: int) -> None:
    coefficients = np.random.default_rng(seed).normal(size=basis.count)
    curve = basis.evaluate(coefficients, times_in(basis, fractions))
    assert curve.min() >= coefficients.min() - 1e-12
    assert curve.max() <= coefficients.max() + 1e-12


@given(basis=bases, fractions=fractions, seed=st.integers(0, 10**6), order=st.integers(0, 3))
def test_derivatives_agree_with_scipy(basis: SplineBasis, fractions: list[float], seed: int, order: int) -> None:
    coefficients = np.random.default_rng(seed).normal(size=(basis.count, 2))
    times = times_in(basis, fractions)
    if basis.cyclic:
        times = times[times < basis.stop]
    if len(times) == 0:
        return
    whole = np.concatenate([coefficients, coefficients[:3]]) if basis.cyclic else coefficients
    oracle = BSpline(basis.knots, whole, 3)
    expected = oracle.derivative(order)(times) if order else oracle(times)
    scale = np.abs(expected).max() + 1.0
    np.testing.assert_allclose(basis.evaluate(coefficients, times, order) / scale, expected / scale, atol=1e-12)


@given(seed=st.integers(0, 10**6), pieces=st.integers(4, 12), order=st.integers(0, 2))
def test_cyclic_curves_close_smoothly(seed: int, pieces: int, order: int) -> None:
    basis = random_basis(seed, pieces, cyclic=True)
    coefficients = np.random.default_rng(seed + 1).normal(size=basis.count)
    step = 1e-9
    before, after = basis.evaluate(coefficients, [basis.stop - step, basis.stop + step], order)
    jerk = np.abs(basis.evaluate(coefficients, np.linspace(basis.start, basis.stop, 50), 3)).max()
    assert abs(before - after) < 1e-6 * (1.0 + jerk)


def test_cyclic_interpolation_agrees_with_scipys_periodic_spline() -> None:
    times = np.linspace(0.0, 2.0, 9)
    values = np.sin(np.pi * times) + 0.3 * np.cos(2 * np.pi * times)
    values[-1] = values[0]
    basis = SplineBasis(times, cyclic=True)
    coefficients = basis.fit(times[:-1], values[:-1])
    oracle = CubicSpline(times, values, bc_type="periodic")
    at = np.linspace(0.0, 2.0, 41)
    for order in range(3):
        np.testing.assert_allclose(basis.evaluate(coefficients, at, order), oracle(at, order), atol=1e-10)


@given(basis=bases, seed=st.integers(0, 10**6))
@settings(max_examples=30)
def test_fit_recovers_coefficients(basis: SplineBasis, seed: int) -> None:
    coefficients = np.random.default_rng(seed).normal(size=(basis.count, 3))
    times = np.concatenate([np.linspace(a, b, 5)[:-1] for a, b in zip(basis.breaks, basis.breaks[1:], strict=False)])
    np.testing.assert_allclose(basis.fit(times, basis.evaluate(coefficients, times)), coefficients, atol=1e-8)


@given(seed=st.integers(0, 10**6), count=st.integers(6, 12), start=st.integers(0, 3), stop=st.integers(0, 3))
def test_end_conditions_hold_for_any_unknowns(seed: int, count: int, start: int, stop: int) -> None:
    rng = np.random.default_rng(seed)
    basis = SplineBasis.uniform(0.5, 1.3, count)
    ends = end_conditions(basis, start, stop)
    conditions, unknowns = rng.normal(size=(start + stop, 2)), rng.normal(size=(count - start - stop, 2))
    coefficients = ends.coefficients(conditions, unknowns)
    for order in range(start):
        np.testing.assert_allclose(basis.evaluate(coefficients, [0.5], order)[0], conditions[order], atol=1e-9)
    for order in range(stop):
        np.testing.assert_allclose(basis.evaluate(coefficients, [1.3], order)[0], conditions[start + order], atol=1e-9)
    np.testing.assert_array_equal(coefficients[ends.unknown], unknowns)
    assert ends.unknown.tolist() == list(range(start, count - stop))


def test_gradient_by_unknowns_is_the_chain_rule() -> None:
    rng = np.random.default_rng(0)
    ends = eliminate(rng.normal(size=(3, 8)))
    conditions, unknowns, weights = rng.normal(size=3), rng.normal(size=5), rng.normal(size=8)
    by_unknowns = ends.gradient(weights)
    for k in range(5):
        moved = unknowns + 1e-3 * np.eye(5)[k]
        change = weights @ (ends.coefficients(conditions, moved) - ends.coefficients(conditions, unknowns)) / 1e-3
        assert change == pytest.approx(by_unknowns[k], rel=1e-9)


def test_sampled_basis_gives_value_velocity_and_acceleration() -> None:
    basis = SplineBasis.uniform(0.0, 1.0, 7)
    times = np.linspace(0.0, 1.0, 11)
    # t^3 is a cubic spline, so it is met exactly
    coefficients = basis.fit(times, times**3)
    value, velocity, acceleration = basis.sampled(times).motion(coefficients)
    np.testing.assert_allclose(value, times**3, atol=1e-12)
    np.testing.assert_allclose(velocity, 3 * times**2, atol=1e-11)
    np.testing.assert_allclose(acceleration, 6 * times, atol=1e-10)
    np.testing.assert_allclose(basis.sampled(times).matrices[3] @ coefficients, 6.0, atol=1e-9)


@pytest.mark.parametrize(
    "make",
    [
        lambda: SplineBasis(np.array([0.0, 0.0, 1.0])),
        lambda: SplineBasis(np.array([0.0, 1.0, 2.0]), cyclic=True),
        lambda: SplineBasis.uniform(0.0, 1.0, 3),
        lambda: SplineBasis.uniform(1.0, 0.0, 8),
        lambda: SplineBasis.uniform(0.0, 1.0, 8).matrix([1.1]),
        lambda: SplineBasis.uniform(0.0, 1.0, 8).matrix([np.nan]),
        lambda: SplineBasis.uniform(0.0, 1.0, 8).evaluate(np.zeros(7), [0.5]),
        lambda: SplineBasis.uniform(0.0, 1.0, 8).fit([0.0, 1.0], [1.0]),
        lambda: SplineBasis.uniform(0.0, 1.0, 8).fit([0.0, 1.0], [1.0, np.inf]),
        lambda: end_conditions(SplineBasis.uniform(0.0, 1.0, 8), 4, 0),
        lambda: end_conditions(SplineBasis.uniform(0.0, 1.0, 8, cyclic=True)),
        lambda: end_conditions(SplineBasis.uniform(0.0, 1.0, 5), 3, 3),
        lambda: eliminate([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]),
        lambda: end_conditions(SplineBasis.uniform(0.0, 1.0, 8)).coefficients(np.zeros(3), np.zeros(4)),
    ],
)
def test_bad_arguments_are_refused(make) -> None:
    with pytest.raises(ArgumentError):
        make()
