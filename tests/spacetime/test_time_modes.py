"""Modes of time: what the unknowns of a gap mean, checked on SciPy's splines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline

from segue.errors import ArgumentError
from segue.spacetime import OBJECTIVES, Objective, coefficients_for
from segue.spacetime.time_modes import TimeModes, coefficients_against, samples_for, time_modes
from tests.spacetime.oracle import spline

durations = st.floats(0.05, 4.0)
counts = st.integers(1, 24)
objectives = st.sampled_from([*OBJECTIVES.values(), Objective(velocity=3.0), Objective(acceleration=1.0, jerk=0.1)])


def modes_of(duration: float, count: int, objective: Objective) -> TimeModes:
    return time_modes(duration, count, samples_for(count), objective)


def smooth_matrix(modes: TimeModes, objective: Objective, paths: np.ndarray) -> np.ndarray:
    """Return the regulariser's matrix (k, k) of paths given by coefficients (m + 4, k)."""
    duration, u = modes.duration, np.linspace(0.0, 1.0, len(modes.times))
    weights = np.full(len(u), duration / (len(u) - 1))
    weights[[0, -1]] /= 2
    total = np.zeros((paths.shape[1],) * 2)
    for order, weight in ((1, objective.velocity), (2, objective.acceleration), (3, objective.jerk)):
        derivative = spline(paths, 1.0)(u, order) / duration**order
        total += weight**2 * derivative.T @ (weights[:, None] * derivative)
    return total


@given(durations, counts, objectives)
def test_the_regulariser_is_the_square_of_the_unknowns(duration: float, count: int, objective: Objective) -> None:
    modes = modes_of(duration, count, objective)
    paths = modes.coefficients(np.zeros((4, count)), np.eye(count))
    np.testing.assert_allclose(smooth_matrix(modes, objective, paths), np.eye(count), atol=1e-7)


@given(durations, counts, objectives)
def test_the_regulariser_of_ends_and_unknowns(duration: float, count: int, objective: Objective) -> None:
    modes = modes_of(duration, count, objective)
    rng = np.random.default_rng(count)
    ends, unknowns = rng.normal(size=4), rng.normal(size=count)
    direct = smooth_matrix(modes, objective, modes.coefficients(ends, unknowns)[:, None])[0, 0]
    split = ends @ modes.square @ ends + ends @ modes.linear @ unknowns + unknowns @ unknowns
    assert split == pytest.approx(direct, rel=1e-7)


@given(durations, counts, objectives)
def test_modes_vanish_with_their_velocity_at_both_ends(duration: float, count: int, objective: Objective) -> None:
    modes = modes_of(duration, count, objective)
    path = spline(modes.coefficients(np.zeros((4, count)), np.eye(count)), duration)
    size = np.abs(path(modes.times)).max()
    for order, scale in ((0, size), (1, size / duration)):
        ends = path(np.array([0.0, duration]), order)
        np.testing.assert_allclose(ends, 0.0, atol=1e-11 * scale)
        np.testing.assert_allclose(modes.modes[[0, -1], :, order], 0.0, atol=1e-11 * scale)


@given(durations, counts, st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_no_unknowns_give_the_cubic_between_the_ends(duration: float, count: int, ends: list[float]) -> None:
    modes = modes_of(duration, count, OBJECTIVES["natural"])
    cubic = CubicHermiteSpline([0.0, duration], [ends[0], ends[2]], [ends[1], ends[3]])
    for order in range(3):
        expected = cubic(modes.times, order)
        tolerance = 1e-9 * (1 + np.abs(ends).max()) / min(duration, 1.0) ** 2
        np.testing.assert_allclose(modes.hermite[order] @ ends, expected, atol=tolerance)
        np.testing.assert_allclose(
            spline(modes.coefficients(np.array(ends), np.zeros(count)), duration)(modes.times, order),
            expected,
            atol=tolerance,
        )


@given(durations, counts, objectives, st.integers(0, 1000))
def test_samples_of_modes_are_those_of_the_spline(duration: float, count: int, objective: Objective, seed: int) -> None:
    modes = modes_of(duration, count, objective)
    rng = np.random.default_rng(seed)
    ends, unknowns = rng.normal(size=4), rng.normal(size=count)
    path = spline(modes.coefficients(ends, unknowns), duration)
    for order in range(3):
        expected = path(modes.times, order)
        got = modes.hermite[order] @ ends + modes.modes[:, :, order] @ unknowns
        np.testing.assert_allclose(got, expected, atol=1e-8 * np.abs(expected).max())
    # what the kernels read: whole blocks of eight samples
    blocks = np.asarray(modes.blocks).reshape(-1, count, 3, 8)
    np.testing.assert_array_equal(np.moveaxis(blocks, -1, 1).reshape(-1, count, 3), modes.modes)


@given(durations, counts, objectives)
def test_free_control_points_are_those_of_the_kernels(duration: float, count: int, objective: Objective) -> None:
    modes = modes_of(duration, count, objective)
    rng = np.random.default_rng(7)
    ends, unknowns = rng.normal(size=4), rng.normal(size=count)
    whole = modes.coefficients(ends, unknowns)
    np.testing.assert_allclose(whole[2:-2], modes.control @ ends + modes.to_control @ unknowns, atol=1e-12)


@given(durations, counts, objectives)
def test_the_smoothest_path_is_a_minimum(duration: float, count: int, objective: Objective) -> None:
    modes = modes_of(duration, count, objective)
    ends = np.array([0.3, -1.0, 1.2, 2.0])
    best = modes.smoothest(ends)
    least = smooth_matrix(modes, objective, best[:, None])[0, 0]
    rng = np.random.default_rng(3)
    for _ in range(5):
        other = best.copy()
        other[2:-2] += 1e-2 * rng.normal(size=count)
        assert smooth_matrix(modes, objective, other[:, None])[0, 0] >= least * (1 - 1e-12)


@given(durations, counts, objectives)
def test_shares_of_start_middle_and_end_make_up_the_whole(duration: float, count: int, objective: Objective) -> None:
    modes = modes_of(duration, count, objective)
    rise, step = modes.modes[:, :, 2], modes.times[1] - modes.times[0]
    own = rise.T @ (modes.weights[0][:, None] * rise)
    change = np.diff(rise, axis=0).T @ np.diff(rise, axis=0) / step
    for kind, whole in enumerate((own, change)):
        np.testing.assert_allclose(modes.mode_coupling[kind].sum(axis=0), whole, atol=1e-9 * np.abs(whole).max())
        for part in modes.mode_coupling[kind]:
            assert np.linalg.eigvalsh(part)[0] > -1e-9 * np.abs(whole).max()
    # modes hardly mix in what dominates the cost
    dominant = change if objective.torque_change else own
    np.testing.assert_allclose(dominant, np.diag(np.diag(dominant)), atol=1e-6 * np.abs(dominant).max())


def test_longer_gaps_get_more_coefficients() -> None:
    counts = [coefficients_for(duration) for duration in (0.05, 0.2, 0.5, 1.0, 2.0, 3.0, 30.0)]
    assert counts == sorted(counts)
    assert counts[1:4] == [5, 7, 10]
    for count in range(1, 41):
        assert samples_for(count) % 8 == 0
        assert samples_for(count) >= 2.5 * (count + 1)


def test_joints_that_run_against_their_limits_get_more_coefficients() -> None:
    limits = (np.array([-1.0, -np.inf]), np.array([1.0, np.inf]))
    calm = np.array([[0.0, 0.0], [1.0, 50.0], [0.0, 0.0], [-1.0, 50.0]])
    assert coefficients_against(limits, calm, 0.6) == coefficients_for(0.6)
    counts = []
    for rate in (0.1, 0.8, 1.2, 30.0):
        into = calm.copy()
        into[2:, 0] = 0.99, -rate  # at the end it comes back from beyond the limit
        counts.append(coefficients_against(limits, into, 0.6))
    assert counts == sorted(counts)
    assert counts[0] == coefficients_for(0.6) < counts[2] < counts[3] == 16


@pytest.mark.parametrize("duration", [0.0, -1.0, float("nan")])
def test_a_gap_that_lasts_no_time_is_refused(duration: float) -> None:
    with pytest.raises(ArgumentError, match="cannot be solved"):
        modes_of(duration, 5, OBJECTIVES["natural"])
