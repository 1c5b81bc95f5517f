"""Filters of sampled signals, with SciPy as the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import interpolate, ndimage, signal

from segue.curves.interpolate import QuinticSpline, quintic_pieces
from segue.curves.sampled import differentiated, low_passed, median_filtered, window_frames


def walk(frames: int) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(frames, 2, 3)).cumsum(axis=0)


@pytest.mark.parametrize("frames", [5, 6, 40, 300])
@pytest.mark.parametrize("dt", [1 / 30, 1 / 120])
def test_derivatives_are_those_of_the_savitzky_golay_filter(frames: int, dt: float) -> None:
    values, window = walk(frames), window_frames(dt, frames)
    for order in range(4):
        expected = signal.savgol_filter(values, window, 3, deriv=order, delta=dt, axis=0)
        np.testing.assert_allclose(differentiated(values, dt, order), expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("frames", [4, 30, 400])
def test_the_low_pass_is_a_butterworth_filter_run_both_ways(frames: int) -> None:
    values, dt = walk(frames), 1 / 60
    sections = signal.butter(2, 16 * dt, output="sos")
    expected = signal.sosfiltfilt(sections, values, axis=0, padlen=min(frames - 1, 30))
    np.testing.assert_allclose(low_passed(values, dt), expected, atol=1e-9)


@pytest.mark.parametrize("frames", [1, 2, 30])
@pytest.mark.parametrize("width", [3, 5, 61])
def test_medians_are_exact(frames: int, width: int) -> None:
    values = np.round(walk(frames), 1)  # with equal values among them
    width = min(width, 2 * frames + 1)
    expected = ndimage.median_filter(values, (width, 1, 1), mode="reflect")
    np.testing.assert_array_equal(median_filtered(values, width, "symmetric"), expected)
    expected = ndimage.median_filter(values, (width, 1, 1), mode="mirror")
    np.testing.assert_array_equal(median_filtered(values, width, "reflect"), expected)


def test_quintic_splines_and_pieces_agree_with_scipy() -> None:
    random = np.random.default_rng(4)
    times, at = np.array([0.0, 0.3, 0.5, 1.2]), np.linspace(0.0, 1.2, 40)
    values, start, stop = random.normal(size=(4, 2)), random.normal(size=(2, 2)), random.normal(size=(2, 2))
    boundary = ([(1, start[0]), (2, start[1])], [(1, stop[0]), (2, stop[1])])
    expected = interpolate.make_interp_spline(times, values, k=5, bc_type=boundary)
    spline = QuinticSpline(times, values, start, stop)
    for order in range(5):
        np.testing.assert_allclose(spline(at, order), expected(at, order), atol=1e-7)
    states = random.normal(size=(4, 3, 2))
    pieces = interpolate.BPoly.from_derivatives(times, states)
    np.testing.assert_allclose(quintic_pieces(times, states, at), pieces(at), atol=1e-12)


def test_medians_pass_over_frames_that_are_not_numbers() -> None:
    values = np.arange(20.0)[:, None]
    values[7] = np.nan
    found = median_filtered(values, 5, "reflect")
    np.testing.assert_array_equal(found[[3, 4, 10, 15]], values[[3, 4, 10, 15]])
    assert np.isfinite(found).all()
