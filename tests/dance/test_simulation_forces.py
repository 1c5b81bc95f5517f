"""The compiled dual method finds the forces that an independent exact solver finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.dance.simulation.control._force_kernels import solve_force_qp
from segue.typing import Array

PYRAMID = np.array([[1, 0.4, 0], [-1, 0.4, 0], [0, 0.4, 1], [0, 0.4, -1], [0, 1, 0], [0, -1, 0]])


def problem(seed: int, points: int, force_cost: float) -> tuple[Array, Array, Array, Array]:
    """A cost of few directions and a little of all, as contact forces have: pressing hard on, or past, many sides."""
    rng = np.random.default_rng(seed)
    wrench = rng.normal(size=(6, 3 * points))
    hessian = wrench.T @ (10.0 ** rng.uniform(-3, 1, (6, 1)) * wrench) + force_cost * np.eye(3 * points)
    gradient = hessian @ (100.0 * rng.normal(size=3 * points) + np.tile([0.0, 60.0, 0.0], points))
    least = np.zeros((points, 6))
    least[:, 5] = -rng.uniform(1.0, 300.0, points)
    return hessian, gradient, np.repeat(PYRAMID[None], points, axis=0), least


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6), points=st.sampled_from([1, 2, 4, 6, 12]), force_cost=st.sampled_from([2e-5, 1e-3, 1.0])
)
def test_forces_are_those_of_an_independent_solver(seed: int, points: int, force_cost: float) -> None:
    quadprog = pytest.importorskip("quadprog", reason="the oracle of the solver is not installed")
    hessian, gradient, sides, least = problem(seed, points, force_cost)
    found, solved = solve_force_qp(hessian, gradient, sides, least)
    assert solved
    columns = np.kron(np.eye(points), PYRAMID.T)
    expected = quadprog.solve_qp(hessian, gradient, columns, least.ravel())[0]
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-6 * (1.0 + np.abs(expected).max()))


@pytest.mark.parametrize("seed", range(5))
def test_forces_are_of_least_cost(seed: int) -> None:
    hessian, gradient, sides, least = problem(seed, 4, 1e-3)
    found, _ = solve_force_qp(hessian, gradient, sides, least)
    room = np.einsum("pkj,pj->pk", sides, found.reshape(-1, 3)) - least
    assert room.min() > -1e-5
    # the cost is convex: it is least where every way to another allowed place leads uphill at first
    downhill = gradient - hessian @ found
    rng = np.random.default_rng(seed)
    for _ in range(200):
        normal = rng.uniform(0.0, 1.0, 4) * -least[:, 5]
        inside = normal[:, None] * np.stack([*rng.uniform(-0.4, 0.4, (2, 4)), np.ones(4)], axis=1)[:, [0, 2, 1]]
        assert downhill @ (inside.ravel() - found) <= 1e-6 * np.abs(downhill).max() * np.abs(found).max()


def test_forces_that_cannot_be_are_told() -> None:
    sides = np.array([[[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]])
    _, solved = solve_force_qp(np.eye(3), np.zeros(3), sides, np.array([[2.0, -1.0]]))
    assert not solved
    _, solved = solve_force_qp(-np.eye(3), np.zeros(3), sides, np.array([[1.0, -2.0]]))
    assert not solved


def test_without_points_there_are_no_forces() -> None:
    found, solved = solve_force_qp(np.zeros((0, 0)), np.zeros(0), np.zeros((0, 6, 3)), np.zeros((0, 6)))
    assert solved
    assert len(found) == 0
