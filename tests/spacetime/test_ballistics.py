"""Ballistic root paths: the centre of mass falls in flights, and the ends stay."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.curves.bspline import SplineBasis
from segue.dynamics import GRAVITY
from segue.spacetime.ballistics import falling_root, fitted_flight, sample_times
from segue.typing import Array

_COUNT = 24


def _offset(times: Array, size: float) -> Array:
    """Return the offset of a centre of mass that swings as limbs move."""
    return size * np.stack([np.sin(7 * times), np.cos(5 * times), np.sin(4 * times + 1)], axis=1)


def _acceleration(basis: SplineBasis, control: Array, times: Array, size: float) -> Array:
    swing = size * np.stack([-49 * np.sin(7 * times), -25 * np.cos(5 * times), -16 * np.sin(4 * times + 1)], axis=1)
    return np.asarray(basis.matrix(times, 2) @ control + swing)


@settings(deadline=None, max_examples=25)
@given(
    duration=st.floats(0.4, 1.5),
    first=st.floats(0.0, 0.4),
    length=st.floats(0.3, 0.6),
    size=st.floats(0.0, 0.1),
    seed=st.integers(0, 1000),
)
def test_the_centre_of_mass_falls_and_the_ends_stay(
    duration: float, first: float, length: float, size: float, seed: int
) -> None:
    control = np.cumsum(np.random.default_rng(seed).normal(0.0, 0.02, (_COUNT, 3)), axis=0)
    basis, times = SplineBasis.uniform(0.0, duration, _COUNT), sample_times(duration, _COUNT)
    flight = (first * duration, (first + length) * duration)
    fall = falling_root(control, _offset(times, size), duration, [flight])
    assert np.array_equal(fall.control[:2], control[:2])
    assert np.array_equal(fall.control[-2:], control[-2:])
    piece = duration / (_COUNT - 3)
    inside = np.linspace(flight[0] + piece, flight[1] - piece, 20)
    if first * duration > 2 * piece and flight[1] < duration - 2 * piece:
        off = _acceleration(basis, fall.control, inside, size) - GRAVITY
        assert np.abs(off).max() < 1.0
        assert np.abs(off.mean(axis=0)).max() < 0.1


def test_a_path_that_falls_stays() -> None:
    duration = 0.5
    basis, times = SplineBasis.uniform(0.0, duration, _COUNT), sample_times(duration, _COUNT)
    dense = np.linspace(0.0, duration, 200)
    thrown = np.array([0.1, 1.0, 0.0]) + np.outer(dense, [1.0, 2.0, 3.0]) + 0.5 * np.outer(dense**2, GRAVITY)
    control = basis.fit(dense, thrown)
    fall = falling_root(control, np.zeros((len(times), 3)), duration, [(0.0, duration)])
    assert fall.control == pytest.approx(control, abs=1e-6)
    assert fall.cost < 1e-6


def test_take_off_moves_away_from_a_seam_at_which_the_body_still_pushes() -> None:
    duration, take_off = 0.6, 0.08
    basis, times = SplineBasis.uniform(0.0, duration, 28), sample_times(duration, 28)
    dense = np.linspace(0.0, duration, 800)
    push = np.where(dense > take_off, GRAVITY[1], -2.0 * GRAVITY[1])
    height = 1.0 + np.cumsum(np.cumsum(push) * dense[1]) * dense[1]
    control = basis.fit(dense, np.stack([0 * dense, height, dense], axis=1))
    found = fitted_flight(control, np.zeros((len(times), 3)), duration, (0.0, 0.5), (False, True)).flights[0]
    assert 0.0 < found[0] < take_off + 0.02
    assert found[1] == 0.5
