"""Splines through fixed and variable frames, with SciPy's as the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

from segue.errors import ArgumentError
from segue.keyframe import DynamicSpline, Ends, VectorKeyframes
from tests.keyframe.derivatives import stacked

COUNTS = (2, 3, 4, 5, 12)


def frames(seed: int, count: int, dimension: int = 3) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return np.cumsum(random.uniform(0.05, 1.5, count)), random.normal(size=(count, dimension))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("ends", ["natural", "not-a-knot", "clamped", "free"])
def test_a_spline_is_that_of_scipy(count: int, ends: str) -> None:
    times, values = frames(count, count)
    velocities = np.random.default_rng(1).normal(size=(2, 3))
    clamped = ends == "clamped"
    spline = DynamicSpline.through(times, values, ends=ends, end_velocities=velocities if clamped else None)
    condition = {"clamped": ((1, velocities[0]), (1, velocities[1])), "free": "natural"}.get(ends, ends)
    oracle = CubicSpline(times, values, bc_type=condition)
    at = np.linspace(times[0], times[-1], 101)
    for order in range(3):
        scale = np.abs(oracle(at, order)).max() + 1.0
        np.testing.assert_allclose(spline.at(at, order), oracle(at, order), atol=1e-10 * scale)
    middles = 0.5 * (times[:-1] + times[1:])
    np.testing.assert_allclose(spline.at(middles, 3), oracle(middles, 3), rtol=1e-7, atol=1e-7)


@given(st.integers(0, 10**6), st.integers(2, 9), st.sampled_from([end.value for end in Ends]))
@settings(max_examples=40, deadline=None)
def test_frames_that_lie_on_a_curve_do_not_change_it(seed: int, count: int, ends: str) -> None:
    times, values = frames(seed, count)
    spline = DynamicSpline.through(times, values, ends=ends)
    random = np.random.default_rng(seed)
    finer = spline.with_frames_at(random.uniform(times[0], times[-1], 4))
    at = np.linspace(times[0], times[-1], 50)
    np.testing.assert_allclose(finer.at(at), spline.at(at), atol=1e-7)
    assert finer.free.sum() == 4 * 3
    assert len(finer.times) == count + 4
    new = np.setdiff1d(finer.times, times)
    assert finer.free[np.isin(finer.times, new)].all()


def test_fixed_entries_stay_to_the_bit_and_the_curve_goes_through_all() -> None:
    times, values = frames(3, 6)
    free = np.random.default_rng(5).random(values.shape) < 0.5
    spline = DynamicSpline.through(times, values, free, ends="free")
    assert len(spline.variables) == free.sum() + 2 * 3
    other = spline.with_variables(spline.variables + 1.0)
    assert np.array_equal(other.frames[~free], values[~free])
    np.testing.assert_allclose(other.frames[free], values[free] + 1.0)
    np.testing.assert_allclose(other.at(times), other.frames, atol=1e-12)
    assert np.array_equal(spline.frames, values)


@pytest.mark.parametrize("ends", ["natural", "not-a-knot", "clamped", "free"])
def test_the_gradient_is_the_adjoint_of_the_samples(ends: str) -> None:
    times, values = frames(7, 6, 2)
    spline = DynamicSpline.through(times, values, np.random.default_rng(2).random(values.shape) < 0.6, ends=ends)
    sampling = spline.sampling(5)
    samples = spline.samples(sampling)
    pull = samples.over(np.random.default_rng(3).normal(size=(4, 2, len(samples.times))))
    gradient = spline.gradient(sampling, pull)
    # the samples are linear in the variables, so that a difference of any length is exact
    for k in range(len(gradient)):
        step = np.zeros_like(gradient)
        step[k] = 1.0
        there = spline.with_variables(spline.variables + step).samples(sampling)
        slope = ((stacked(there) - stacked(samples)) * stacked(pull)).sum()
        assert gradient[k] == pytest.approx(slope, rel=1e-8, abs=1e-8)


def test_samples_integrate_polynomials() -> None:
    spline = DynamicSpline.through([0.0, 0.3, 1.0], [[0.0], [1.0], [0.0]])
    samples = spline.samples(spline.sampling(4))
    assert samples.weights.sum() == pytest.approx(1.0)
    assert samples.weights @ samples.times**7 == pytest.approx(1 / 8)
    assert samples.weights @ samples.velocity[:, 0] == pytest.approx(0.0, abs=1e-14)


def test_partial_keyframes_begin_on_the_spline_of_what_is_given() -> None:
    times = [0.0, 1.0, 2.0, 4.0]
    given_ = np.array([[1, 0], [0, 1], [1, 0], [1, 0]], bool)
    values = np.where(given_, [[0.0, 9.0], [9.0, 5.0], [4.0, 9.0], [16.0, 9.0]], np.nan)
    spline = VectorKeyframes(times, values, given_).spline()
    oracle = CubicSpline([0.0, 2.0, 4.0], [0.0, 4.0, 16.0], bc_type="natural")
    assert spline.frames[1, 0] == pytest.approx(float(oracle(1.0)))
    assert (spline.frames[:, 1] == 5.0).all()
    assert np.array_equal(spline.free, ~given_)


@pytest.mark.parametrize(
    ("times", "values", "mask", "sentence"),
    [
        ([0.0], [[1.0]], None, "at least 2"),
        ([], np.empty((0, 2)), None, "at least 2"),
        ([0.0, 0.0], [[1.0], [2.0]], None, "keyframes 0 and 1 are both at 0 s"),
        ([0.0, 2.0, 1.0], [[1.0], [2.0], [3.0]], None, "keyframe 2 at 1 s comes after"),
        ([0.0, np.nan], [[1.0], [2.0]], None, "the time of keyframe 1 is nan"),
        ([0.0, 1.0], [[1.0], [np.nan]], None, "coordinate 0 of keyframe 1 at 1 s is nan"),
        ([0.0, 1.0], [[1.0], [2.0], [3.0]], None, "2 keyframes need as many rows"),
        ([0.0, 1.0], [[1.0], [2.0, 3.0]], None, "rows of numbers, all of one length"),
        ([0.0, 1.0], [[1.0], [2.0]], [[True, True]], "mask of the same shape"),
        ([0.0, 1.0], [[1.0, 2.0], [2.0, 3.0]], [[True, False], [True, False]], "coordinate 1 is given at no keyframe"),
    ],
)
def test_bad_keyframes_get_a_sentence(times: object, values: object, mask: object, sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        VectorKeyframes(times, values, mask)  # type: ignore[arg-type]


def test_bad_splines_get_a_sentence() -> None:
    with pytest.raises(ArgumentError, match="natural, clamped, not-a-knot, free"):
        DynamicSpline.through([0, 1], [[0], [1]], ends="open")
    with pytest.raises(ArgumentError, match="clamped ends have them"):
        DynamicSpline.through([0, 1], [[0], [1]], end_velocities=[[0], [0]])
    with pytest.raises(ArgumentError, match="two rows of 1 numbers"):
        DynamicSpline.through([0, 1], [[0], [1]], ends="clamped", end_velocities=[0, 0])
    with pytest.raises(ArgumentError, match="0 to 1 s"):
        DynamicSpline.through([0, 1], [[0], [1]]).at([1.5])
    with pytest.raises(ArgumentError, match="derivatives 0 to 3"):
        DynamicSpline.through([0, 1], [[0], [1]]).at([0.5], 4)
