"""Splines through frames: SciPy's numbers where all rows count, and blind to what lies in a hole."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from segue.curves.interpolate import FrameSpline, HoleEnds
from segue.curves.spline_kernels import evaluate_rows
from segue.errors import ArgumentError

FPS = 30.0


def rows(count: int, seed: int = 1) -> np.ndarray:
    return np.cumsum(np.random.default_rng(seed).normal(size=(count, 5)), axis=0)


def times_of(count: int, each: int = 7) -> np.ndarray:
    return np.linspace(0.0, (count - 1) / FPS, each * (count - 1) + 1)


def derivatives(spline: FrameSpline, times: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple(np.array(part) for part in evaluate_rows(spline.knots, times, 0, 5))


@pytest.mark.parametrize("count", [2, 3, 4, 5, 30, 200])
def test_a_spline_is_the_not_a_knot_spline(count: int) -> None:
    values, times = rows(count), times_of(count)
    expected = CubicSpline(np.arange(count) / FPS, values)
    for order, found in enumerate(derivatives(FrameSpline(values, FPS), times)):
        np.testing.assert_allclose(found, expected(times, order), rtol=0, atol=1e-11 * FPS**order)


@pytest.mark.parametrize("fps", [24.0, 29.97, 30.0, 59.94, 120.0])
def test_the_time_of_a_row_gives_the_row_itself(fps: float) -> None:
    values = rows(500)
    found = FrameSpline(values, fps).at(np.arange(500) / fps)
    np.testing.assert_array_equal(found[:-1], values[:-1])
    np.testing.assert_allclose(found[-1], values[-1], rtol=1e-13)


def test_one_row_is_constant_and_times_are_held_within_the_rows() -> None:
    value, velocity, acceleration = derivatives(FrameSpline(rows(1), FPS), np.array([-1.0, 0.0, 9.0]))
    np.testing.assert_array_equal(value, np.repeat(rows(1), 3, axis=0))
    assert not velocity.any()
    assert not acceleration.any()
    spline = FrameSpline(rows(4), FPS)
    np.testing.assert_allclose(spline.at(np.array([-3.0, 77.0])), rows(4)[[0, 3]], rtol=1e-14)


@pytest.mark.parametrize("ends", HoleEnds)
@pytest.mark.parametrize("holes", [[(20, 30)], [(0, 5)], [(1, 3), (4, 9)], [(90, 118)], [(20, 30), (27, 60), (60, 62)]])
def test_what_lies_in_a_hole_does_not_count(holes: list[tuple[int, int]], ends: HoleEnds) -> None:
    values = rows(120)
    spoilt = values.copy()
    for first, last in holes:
        spoilt[first + 1 : last] = 1e6
    edges = {row for hole in holes for row in hole}
    inside = np.zeros(120, dtype=bool)
    for first, last in holes:
        inside[first + 1 : last] = True
    outside = [t for t in times_of(120) if not any(a / FPS + 1e-9 < t < b / FPS - 1e-9 for a, b in holes)]
    assert edges - set(np.flatnonzero(inside))
    good, bad = (
        derivatives(FrameSpline(v, FPS).without_frames(holes, ends), np.array(outside)) for v in (values, spoilt)
    )
    for order in range(3):
        # the whole spline, which is shared, feels the hole; forty rows away nothing of that is left
        np.testing.assert_allclose(bad[order], good[order], rtol=0, atol=1e-12 * 1e6 * FPS**order)
    assert np.isfinite(FrameSpline(spoilt, FPS).without_frames(holes, ends).at(times_of(120))).all()


def test_the_sides_of_a_hole_are_splines_of_their_own() -> None:
    values = rows(200)
    spline = FrameSpline(values, FPS).without_frames([(100, 110)], HoleEnds.NOT_A_KNOT)
    for side, offset in ((values[:101], 0), (values[110:], 110)):
        times = times_of(len(side))
        expected = CubicSpline(np.arange(len(side)) / FPS, side)
        for order, found in enumerate(derivatives(spline, times + offset / FPS)):
            np.testing.assert_allclose(found, expected(times, order), rtol=0, atol=1e-10 * FPS**order)


@pytest.mark.parametrize("shift", [-1e-13, 0.0, 1e-13])
@pytest.mark.parametrize("into", [0.0, 0.3, 0.95])
def test_slopes_at_a_hole_are_one_sided_and_of_second_order(shift: float, into: float) -> None:
    def parabola(t: np.ndarray) -> np.ndarray:
        return np.stack([t * t, 1 - t, 3 + 2 * t - t * t, t, 0 * t], axis=-1)

    t = np.arange(60) / FPS
    values = parabola(t)
    values[21:30] = 77.0
    # a cut need not fall on a row: the curve goes on for one
    at = np.array([20 + into, 30 - into]) / FPS + shift
    value, velocity, acceleration = derivatives(FrameSpline(values, FPS).without_frames([(20, 30)]), at)
    np.testing.assert_allclose(value, parabola(at), atol=1e-9)
    np.testing.assert_allclose(velocity[:, 0], 2 * at, atol=1e-9)
    np.testing.assert_allclose(acceleration[:, 0], 2.0, atol=1e-7)


def test_sides_of_one_and_two_rows_are_constant_and_straight() -> None:
    values = rows(10)
    lone = derivatives(FrameSpline(values, FPS).without_frames([(0, 8)]), np.array([0.0, 8 / FPS, 9 / FPS]))
    np.testing.assert_allclose(lone[0], values[[0, 8, 9]], atol=1e-12)
    np.testing.assert_array_equal(lone[1][0], np.zeros(5))
    np.testing.assert_allclose(lone[1][1:], np.tile((values[9] - values[8]) * FPS, (2, 1)), atol=1e-9)


def test_holes_add_up() -> None:
    values, times = rows(150), times_of(150)
    spline = FrameSpline(values, FPS)
    twice = spline.without_frames([(20, 30)]).without_frames([(25, 40), (90, 95)])
    assert twice.holes == ((20, 40), (90, 95))
    np.testing.assert_array_equal(twice.at(times), spline.without_frames([(90, 95), (20, 40)]).at(times))


@pytest.mark.parametrize("hole", [(-1, 4), (4, 4), (5, 10), (7, 3)])
def test_a_hole_lies_between_two_rows(hole: tuple[int, int]) -> None:
    with pytest.raises(ArgumentError, match="between two of the frames"):
        FrameSpline(rows(10), FPS).without_frames([hole])
