"""The peer that rotations are measured against does what it should: it is no straw man."""

from __future__ import annotations

import numpy as np
import pytest

from segue.curves import quaternion
from segue.keyframe import inbetween_rotations
from tests.support.barr1992 import _Problem, solve
from tests.support.rotation_keys import keys, measured_energy


def test_the_discrete_energy_has_the_right_gradient() -> None:
    problem = _Problem(*keys(), per_span=3)
    random = np.random.default_rng(0)
    unknowns = problem.start[problem.free].ravel() + 0.1 * random.normal(size=4 * problem.free.sum())
    gradient = problem.energy(unknowns)[1]
    direction = random.normal(size=len(unknowns))
    ahead, behind = (problem.energy(unknowns + step * direction)[0] for step in (1e-6, -1e-6))
    assert gradient @ direction == pytest.approx((ahead - behind) / 2e-6, rel=1e-5)
    jacobian = problem.lengths_jacobian(unknowns)
    there = problem.lengths(unknowns + 1e-7 * direction)
    np.testing.assert_allclose(jacobian @ direction, (there - problem.lengths(unknowns)) / 1e-7, atol=1e-4)


def test_the_constrained_method_comes_to_the_same_path() -> None:
    times, turned = keys()
    found = solve(times, turned, 4)
    ours = inbetween_rotations(times, turned).path
    assert quaternion.angle_between(found.quaternions, ours.at(found.times)).max() < np.radians(3.0)
    np.testing.assert_allclose(np.linalg.norm(found.quaternions, axis=1), 1.0, atol=1e-5)
    assert found.energy == pytest.approx(ours.energy, rel=0.15)


def test_energy_by_differences_is_that_of_a_known_turn() -> None:
    # by the angle t^3 about one axis: angular acceleration 6 t, of whose square a quarter counts
    def turn(at: np.ndarray) -> np.ndarray:
        half = at**3 / 2
        return np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=1)

    assert measured_energy(turn, np.array([0.0, 0.4, 1.0])) == pytest.approx(9 / 3, rel=1e-3)
