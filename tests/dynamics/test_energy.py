import threading

import numpy as np
import pytest

from segue.curves import Quadrature, SplineBasis, gauss_legendre, uniform
from segue.dynamics import inverse_dynamics
from segue.errors import ArgumentError
from tests.support.torque_energy import TorqueEnergy
from tests.support.trees import random_tree

JOINTS = 7
CLAMPED = SplineBasis.uniform(0.2, 1.0, 8)
CYCLIC = SplineBasis.uniform(0.2, 1.0, 6, cyclic=True)


def coefficients_for(basis: SplineBasis, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(basis.count, JOINTS)) * 0.4


@pytest.mark.parametrize("basis", [CLAMPED, CYCLIC], ids=["clamped", "cyclic"])
@pytest.mark.parametrize("change", [False, True])
@pytest.mark.parametrize("samples", [3, 8, 21, 24, 40])
def test_gradient_agrees_with_finite_differences(basis: SplineBasis, change: bool, samples: int) -> None:
    tree = random_tree(4, JOINTS)
    weights = np.random.default_rng(1).uniform(0.2, 2.0, JOINTS)
    energy = TorqueEnergy(tree, basis, uniform(0.2, 1.0, samples), weights=weights, change=change)
    coefficients = coefficients_for(basis)
    value, gradient = energy.with_gradient(coefficients)
    assert energy(coefficients) == value
    step = 1e-6
    for seed in range(3):
        direction = coefficients_for(basis, seed + 10)
        ahead, behind = energy(coefficients + step * direction), energy(coefficients - step * direction)
        assert np.sum(gradient * direction) == pytest.approx((ahead - behind) / (2 * step), rel=2e-5)


def midpoints(start: float, stop: float, count: int) -> Quadrature:
    """Return the middles of equal parts of an interval."""
    step = (stop - start) / count
    return Quadrature(start + step * (np.arange(count) + 0.5), np.full(count, step))


@pytest.mark.parametrize("rule", [uniform(0.2, 1.0, 17), midpoints(0.2, 1.0, 9), gauss_legendre(CLAMPED.breaks, 3)])
def test_energy_is_the_weighted_integral_of_squared_torques(rule) -> None:
    tree = random_tree(5, JOINTS)
    weights = np.array([1.0, 0.0, 2.0, 0.5, 0.0, 1.0, 3.0])
    energy = TorqueEnergy(tree, CLAMPED, rule, weights=weights, gravity=(0.0, -3.0, 0.0))
    coefficients = coefficients_for(CLAMPED)
    motion = [CLAMPED.evaluate(coefficients, rule.times, order) for order in range(3)]
    tau = inverse_dynamics(tree, *motion, gravity=(0.0, -3.0, 0.0))
    np.testing.assert_allclose(energy.torques(coefficients), tau, rtol=1e-12, atol=1e-12)
    assert energy(coefficients) == pytest.approx(rule.weights @ (tau**2 @ weights), rel=1e-12)


def test_torque_change_converges_to_the_integral_of_the_squared_derivative() -> None:
    tree = random_tree(5, JOINTS)
    coefficients = coefficients_for(CLAMPED)
    fine = gauss_legendre(np.linspace(0.2, 1.0, 101), 3)
    h = 1e-6
    ahead, behind = (
        inverse_dynamics(tree, *(CLAMPED.evaluate(coefficients, fine.times + s * h, order) for order in range(3)))
        for s in (1, -1)
    )
    exact = float(fine.weights @ np.sum(((ahead - behind) / (2 * h)) ** 2, axis=1))
    errors = [
        abs(TorqueEnergy(tree, CLAMPED, uniform(0.2, 1.0, count), change=True)(coefficients) / exact - 1)
        for count in (41, 81, 161)
    ]
    assert errors[2] < 1e-2
    assert errors[2] < errors[1] < errors[0]


def test_weights_in_time_mask_samples_and_changes() -> None:
    tree = random_tree(5, JOINTS)
    rule = uniform(0.2, 1.0, 11)
    coefficients = coefficients_for(CLAMPED)
    mask = np.zeros((11, JOINTS))
    mask[4:7, 2] = 1.0
    tau = TorqueEnergy(tree, CLAMPED, rule).torques(coefficients)[:, 2]
    masked = TorqueEnergy(tree, CLAMPED, rule, weights=mask)(coefficients)
    assert masked == pytest.approx(np.sum(rule.weights[4:7] * tau[4:7] ** 2), rel=1e-12)
    changes = np.diff(tau) ** 2 / np.diff(rule.times)
    # an interval counts with the mean of its ends
    expected = changes[4] + changes[5] + (changes[3] + changes[6]) / 2
    assert TorqueEnergy(tree, CLAMPED, rule, weights=mask, change=True)(coefficients) == pytest.approx(
        expected, rel=1e-9
    )


def test_one_energy_serves_many_threads() -> None:
    tree = random_tree(6, 30)
    basis = SplineBasis.uniform(0.0, 1.0, 12)
    energy = TorqueEnergy(tree, basis, uniform(0.0, 1.0, 60), change=True)
    inputs = [np.random.default_rng(k).normal(size=energy.shape) for k in range(4)]
    expected = [energy.with_gradient(given)[1] for given in inputs]
    agree = [True] * 4

    def work(k: int) -> None:
        for _ in range(50):
            agree[k] &= np.array_equal(energy.with_gradient(inputs[k])[1], expected[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(agree)


def test_any_array_like_of_coefficients_is_taken() -> None:
    energy = TorqueEnergy(random_tree(4, JOINTS), CLAMPED, uniform(0.2, 1.0, 9))
    coefficients = coefficients_for(CLAMPED)
    frozen = coefficients.copy()
    frozen.flags.writeable = False
    value = energy(coefficients)
    for given in (coefficients.tolist(), np.asfortranarray(coefficients), frozen):
        assert energy(given) == value
    np.testing.assert_array_equal(coefficients, coefficients_for(CLAMPED))


def test_bad_arguments_are_refused() -> None:
    tree = random_tree(4, JOINTS)
    rule = uniform(0.2, 1.0, 9)
    with pytest.raises(ArgumentError, match=r"coefficients of shape \(8, 7\)"):
        TorqueEnergy(tree, CLAMPED, rule)(np.zeros((8, 6)))
    with pytest.raises(ArgumentError, match="weights must have shape"):
        TorqueEnergy(tree, CLAMPED, rule, weights=np.ones(6))
    with pytest.raises(ArgumentError, match="not negative"):
        TorqueEnergy(tree, CLAMPED, rule, weights=-np.ones(7))
    with pytest.raises(ArgumentError, match="outside the spline"):
        TorqueEnergy(tree, CLAMPED, uniform(0.0, 1.0, 9))
    with pytest.raises(ArgumentError, match="two times that increase"):
        TorqueEnergy(tree, CLAMPED, midpoints(0.2, 1.0, 1), change=True)
