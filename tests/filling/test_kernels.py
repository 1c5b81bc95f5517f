"""Compiled passes of the transitions do what a few lines of NumPy do."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.chart import BallCharts
from segue.curves.chart_kernels import charts_between
from segue.filling._support_kernels import Resting, first_stay, resting_points, stray, support_path
from segue.filling.seams import joint_values
from segue.filling.solving import Patch
from segue.motion._ground_kernels import Rest
from segue.motion.interval import TINY
from segue.typing import Array

RESTING = Resting(Rest(seconds=0.1, box=0.01), steps=2, reach=0.06, tiny=TINY)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(8)


def wandering(rng: np.random.Generator, points: int, count: int) -> Array:
    """Return paths (P, T, 3) some of which rest now and then."""
    still = rng.random((points, 1, 1)) < 0.5
    return np.cumsum(np.where(still, 0.002, 0.05) * rng.normal(size=(points, count, 3)), axis=1)


def test_what_rests_is_what_keeps_to_a_box_near_the_floor(rng: np.random.Generator) -> None:
    found = []
    for trial in range(40):
        times = np.concatenate([np.linspace(0.7, 1.0, 7), np.linspace(1.5, 1.8, 7)])
        if trial % 4 == 0:
            times[:7] = np.maximum(times[:7], 0.97)  # hardly anything before the gap
        if trial % 8 == 0:
            times[:7] = 1.0
        paths, feet = wandering(rng, 5, 14), np.array([True, True, False, True, False])
        ground = 0.3 * rng.normal(size=paths.shape[:2]) if trial % 2 else np.zeros(paths.shape[:2])
        above = paths[:, :, 1] - ground
        lowest, speeds, rests = resting_points(times, paths, feet, ground, RESTING)
        assert lowest == above[feet].min()
        for side, chosen in enumerate((slice(4, 7), slice(7, 10))):
            own, at = paths[:, chosen], times[chosen]
            box = 0.01 * min((at[-1] - at[0]) / 0.1, 1.0)
            small = np.ptp(own, axis=1).max(axis=1) <= box
            low = (above[:, chosen].min(axis=1) - lowest <= 0.06) | ~feet
            sag = own[:, 1, 1] - 0.5 * (own[:, 0, 1] + own[:, 2, 1])
            falls = sag >= 0.5 * 9.80665 * (at[-1] - at[0]) ** 2 / 8
            np.testing.assert_array_equal(rests[:, side], small & low & ~falls & (at[-1] > at[0]))
            a, b = (5, 6) if side == 0 else (7, 8)
            moved = paths[:, b] - paths[:, a]
            step = times[b] - times[a]
            np.testing.assert_allclose(speeds[:, side], moved / step if step > 0 else 0.0 * moved)
        found += rests.ravel().tolist()
    assert 20 < sum(found) < len(found) - 20


def test_a_point_stays_until_it_first_goes(rng: np.random.Generator) -> None:
    for _ in range(50):
        path = wandering(rng, 1, 24)[0]
        for backwards in (False, True):
            place = path[-1 if backwards else 0].copy()
            inside = np.linalg.norm(path - place, axis=1) <= 0.02
            flags = inside[::-1] if backwards else inside
            expected = len(flags) - 1 if flags.all() else max(int(np.argmin(flags)) - 1, 0)
            assert first_stay(path, place, 0.02, backwards) == expected


def test_how_far_a_support_strays_counts_while_it_is_held(rng: np.random.Generator) -> None:
    times, path, ends = np.linspace(0.0, 0.6, 24), wandering(rng, 1, 24)[0], rng.normal(size=(2, 3))
    u = times[:, None] / 0.6
    away = np.linalg.norm(path - (ends[0] + u * (ends[1] - ends[0])), axis=1)
    for start, stop in ((0.0, 0.6), (0.1, 0.3), (0.301, 0.302)):
        inside = (times >= start) & (times <= stop)
        assert stray(times, path, ends, start, stop) == pytest.approx(away[inside].max(initial=0.0))


def test_the_path_of_a_support_begins_and_ends_with_its_places_and_speeds(rng: np.random.Generator) -> None:
    times, ends, speeds = np.linspace(0.0, 0.6, 6001), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    path = support_path(times, ends, speeds, 0.02)
    np.testing.assert_allclose(path[[0, -1]], ends, atol=1e-9)
    rates = np.gradient(path, times, axis=0, edge_order=2)
    np.testing.assert_allclose(rates[[0, -1]], speeds, atol=1e-3)
    np.testing.assert_allclose(path[3000], ends.mean(axis=0), atol=1e-4)


def test_charts_between_two_poses_lie_midway(rng: np.random.Generator) -> None:
    first, last = (quaternion.normalise(rng.normal(size=(50, 4))) for _ in range(2))
    reference, leading = charts_between(first, last, 2.0)
    apart = quaternion.log(quaternion.multiply(quaternion.conjugate(first), last))
    np.testing.assert_allclose(reference, quaternion.multiply(first, quaternion.exp(0.5 * apart)), atol=1e-12)
    far = np.linalg.norm(apart, axis=1) > 2.0
    assert far.any()
    assert not far.all()
    np.testing.assert_array_equal(leading, np.where(far, np.argmax(np.abs(apart), axis=1), 0))


def test_joint_values_and_splines_are_each_others_inverse(rng: np.random.Generator) -> None:
    control = 0.3 * rng.normal(size=(9, 44))
    charts = BallCharts(quaternion.normalise(rng.normal(size=(7, 4))), rng.integers(3, size=7))
    patch = Patch(charts, control, 0.7)
    times = np.linspace(0.0, 0.7, 15)
    values = joint_values(charts.reference, charts.leading, patch.state(times).parts, HUMAN.ball_dofs, HUMAN.hinge_dofs)
    np.testing.assert_allclose(values[0, 0], control[0], atol=1e-9)
    np.testing.assert_allclose(values[0, -1], control[-1], atol=1e-9)
    slopes = np.diff(control, axis=0)[[0, -1]] * 3 * 6 / 0.7
    np.testing.assert_allclose(values[1, [0, -1]], slopes, atol=1e-9)
    near = joint_values(
        charts.reference, charts.leading, patch.state(times[1:-1] + 1e-6).parts, HUMAN.ball_dofs, HUMAN.hinge_dofs
    )
    np.testing.assert_allclose((near[:2] - values[:2, 1:-1]) / 1e-6, values[1:, 1:-1], atol=1e-2)
