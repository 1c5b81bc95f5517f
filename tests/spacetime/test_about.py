"""Gaps about a path: smoothness is measured from it, so that by itself it costs nothing and is what comes out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from segue.body.figure import FEET
from segue.spacetime import Gap, Objective, solve
from segue.spacetime.solver import energy_of, own_energy, trace
from segue.typing import Array
from tests.spacetime.gaps import Energy, make_gap, unknowns_of

KEEPING = Objective(velocity=100.0, jerk=1.0)


def about(gap: Gap, seed: int, size: float = 0.05) -> Array:
    """Return the coefficients of a path between the ends of a gap that is not its Hermite path."""
    control = gap.modes.coefficients(gap.ends, np.zeros((gap.coefficients, gap.ends.shape[1])))
    control[2:-2] += size * np.random.default_rng(seed).normal(size=control[2:-2].shape)
    return control


def gap_about(seed: int, objective: Objective = KEEPING, **named: float) -> Gap:
    gap = make_gap(seed, objective, coefficients=9, limits=False, **named)  # type: ignore[arg-type]
    return replace(gap, reference_path=about(gap, seed))


@pytest.mark.parametrize("seed", range(3))
def test_the_path_itself_costs_nothing_and_stays(seed: int) -> None:
    gap = gap_about(seed)
    solution = solve(gap)
    assert solution.energy == pytest.approx(0.0, abs=1e-6)
    assert gap.reference_path is not None
    np.testing.assert_allclose(gap.control(solution.unknowns), gap.reference_path, atol=1e-9)


def test_departing_costs_the_squares_of_its_velocity_and_jerk() -> None:
    gap = gap_about(1)
    unknowns = unknowns_of(gap, 5)
    away = gap.control(unknowns) - gap.control(np.zeros_like(unknowns))
    np.testing.assert_allclose(away[[0, 1, -2, -1]], 0.0, atol=1e-12)
    # the same departure from the straight path of a gap at rest, whose Hermite path does not move
    rest = replace(gap, reference_path=None, ends=np.zeros_like(gap.ends))
    assert Energy(gap)(unknowns) == pytest.approx(own_energy(rest, unknowns), rel=1e-9)


def test_the_gradient_is_that_of_the_energy() -> None:
    gap = gap_about(2, replace(KEEPING, foot=2500.0, foot_speed=2.0), floor=0.0)
    gap = replace(gap, foot_rest_weights=np.random.default_rng(3).uniform(size=(len(FEET), len(gap.times))))
    energy, unknowns = Energy(gap), unknowns_of(gap, 6, 0.02)
    slope, step = energy.gradient(unknowns), 1e-6
    for f, k in ((0, 0), (7, 3), (20, 8), (30, 1)):
        there = [unknowns.copy(), unknowns.copy()]
        there[0][f, k] -= step
        there[1][f, k] += step
        found = (energy(there[1]) - energy(there[0])) / (2 * step)
        assert slope[f, k] == pytest.approx(found, rel=1e-4, abs=1e-3 * np.abs(slope).max())


def test_feet_that_rest_are_drawn_to_rest_and_others_are_not() -> None:
    lively = gap_about(4, replace(KEEPING, foot=2500.0, foot_speed=2.0), floor=0.0)
    rests = np.zeros((len(FEET), len(lively.times)))
    rests[:2] = 1.0
    gap = replace(lively, foot_rest_weights=rests)
    before, after = (trace(gap, unknowns) for unknowns in (np.zeros((38, 9)), solve(gap).unknowns))

    def way(paths: dict[str, Array], point: str) -> float:
        return float(np.linalg.norm(np.diff(paths[point], axis=0), axis=1).sum())

    assert way(after, "left_heel") < 0.8 * way(before, "left_heel")
    assert way(after, "right_heel") > 0.9 * way(before, "right_heel")


def test_the_energy_of_coefficients_is_that_of_their_unknowns() -> None:
    gap = make_gap(3, "natural", coefficients=9, limits=False)
    solution = solve(gap)
    assert energy_of(gap, gap.control(solution.unknowns)) == pytest.approx(own_energy(gap, solution.unknowns), rel=0.02)
