"""The peers that the solver is measured against solve the same problem, and solve it well."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.torque_energy import TorqueEnergy

pytest.importorskip("pinocchio", reason="Pinocchio is the peer")

from tests.support import spacetime_problems as problems
from tests.support.pinocchio_solvers import PinocchioProblem, bfgs, gauss_newton, lbfgs


@pytest.fixture(scope="module", params=problems.OBJECTIVES)
def problem(request, tmp_path_factory) -> problems.Problem:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(problems, "MOCAP", tmp_path_factory.mktemp("empty"))
        return next(problems.random_problems(1, request.param))


def reference(problem: problems.Problem, coefficients: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the objective and its gradient (9, 38) by the package's own energy and plain sums."""
    change = problem.objective == "natural"
    weights = np.zeros(len(problem.tree))
    weights[problems.ROOT :] = problem.rate_weights**2 if change else 1.0
    torques = TorqueEnergy(problem.tree, problem.basis, problem.quadrature, weights=weights, change=change)
    energy, gradient = torques.with_gradient(coefficients)
    gradient = gradient[:, problems.ROOT :]
    for factor, order in ((0.3, 3), (100.0, 1)) if change else ((0.5, 2),):
        matrix = problem.basis.matrix(problem.quadrature.times, order)
        curve = factor * matrix @ coefficients[:, problems.ROOT :]
        energy += float(problem.quadrature.weights @ np.sum(curve**2, axis=1))
        gradient = gradient + 2 * factor * matrix.T @ (problem.quadrature.weights[:, None] * curve)
    return energy, gradient


def test_energy_and_gradient_agree_with_our_own(problem: problems.Problem) -> None:
    peer = PinocchioProblem(problem)
    unknowns = peer.start + np.random.default_rng(0).normal(size=peer.start.shape) * 0.02
    energy, gradient = peer.with_gradient(unknowns)
    expected, by_coefficients = reference(problem, problem.coefficients(unknowns))
    assert energy == pytest.approx(expected, rel=1e-10)
    assert peer.energy(unknowns) == pytest.approx(expected, rel=1e-10)
    wanted = by_coefficients[2:-2].ravel()
    np.testing.assert_allclose(gradient, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())


def test_the_start_is_the_cubic_that_meets_the_ends(problem: problems.Problem) -> None:
    times = np.linspace(0.0, problems.DURATION, 50)
    ends = [problem.basis.evaluate(problem.start, times[[0, -1]], order) for order in (0, 1)]
    np.testing.assert_allclose(np.stack(ends, axis=1).reshape(4, -1), problem.ends, atol=1e-9)
    jerk = problem.basis.evaluate(problem.start, times, 3)
    assert np.ptp(jerk, axis=0).max() < 1e-6 * max(1.0, np.abs(jerk).max())
    np.testing.assert_array_equal(problem.coefficients(problem.start[2:-2, problems.ROOT :]), problem.start)


def test_all_peers_find_the_same_minimum(problem: problems.Problem) -> None:
    peer = PinocchioProblem(problem)
    exact = gauss_newton(peer, tolerance=1e-13)
    slope = np.abs(peer.with_gradient(exact.unknowns)[1]).max()
    assert slope < 1e-4 * np.abs(peer.with_gradient(peer.start)[1]).max()
    assert exact.energy < peer.energy(peer.start)
    for solution in (gauss_newton(peer), bfgs(peer, exact.energy), lbfgs(peer, exact.energy)):
        assert exact.energy * (1 - 1e-9) <= solution.energy < exact.energy * (1 + 1.1e-4)
        assert solution.energy == pytest.approx(peer.energy(solution.unknowns), rel=1e-9)


def test_problems_repeat(problem: problems.Problem, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "MOCAP", tmp_path)
    again = next(problems.random_problems(1, problem.objective))
    np.testing.assert_array_equal(again.ends, problem.ends)
    other = replace(problem, objective="torque")
    assert other.regulariser == ((0.5, 2),)
