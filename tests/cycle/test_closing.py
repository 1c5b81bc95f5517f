"""Cyclic splines through what nearly closes."""

from __future__ import annotations

import numpy as np
import pytest

from segue.curves import quaternion
from segue.curves.spline_kernels import evaluate_rows
from segue.cycle.closing import ClosedBasis, closed_rotations, closed_values, flips_of
from segue.typing import Array


def ends(basis: ClosedBasis, coefficients: Array, flips: Array | None = None) -> tuple[Array, Array]:
    """Return value and two derivatives at the start of a period, and just before its end."""
    knots = basis.knots(coefficients, flips)
    parts = evaluate_rows(knots, np.array([0.0, basis.period]), 0, coefficients.shape[1])
    return np.array([part[0] for part in parts]), np.array([part[1] for part in parts])


def test_fits_are_c2_where_they_begin_again() -> None:
    basis = ClosedBasis(1.3, 9)
    rng = np.random.default_rng(1)
    start, stop = ends(basis, basis.fit(rng.normal(size=(len(basis.times), 5))))
    assert np.allclose(start, stop, atol=1e-9)


def test_a_smooth_cycle_is_followed() -> None:
    basis = ClosedBasis(2.0, 40)
    wave = np.sin(np.pi * basis.times)[:, None]
    knots = basis.knots(basis.fit(wave))
    times = np.linspace(0.0, 2.0, 77)
    value, rate, rise = evaluate_rows(knots, times, 0, 1)
    assert np.allclose(value[:, 0], np.sin(np.pi * times), atol=1e-5)
    assert np.allclose(rate[:, 0], np.pi * np.cos(np.pi * times), atol=1e-3)
    assert np.allclose(rise[:, 0], -(np.pi**2) * np.sin(np.pi * times), atol=0.05)


def test_an_arm_that_goes_full_circle_is_followed() -> None:
    basis = ClosedBasis(1.0, 25)
    turns = quaternion.make_continuous(quaternion.exp(2 * np.pi * basis.shares[:, None, None] * [1.0, 0.0, 0.0]))
    assert flips_of(turns).all()
    flips = np.ones(4, dtype=bool)
    coefficients = basis.fit(turns[:, 0], flips)
    start, stop = ends(basis, coefficients, flips)
    assert np.allclose(start, -stop, atol=1e-9)
    found = evaluate_rows(basis.knots(coefficients, flips), basis.times, 0, 4)[0]
    assert quaternion.angle_between(quaternion.normalise(found), turns[:, 0]).max() < 1e-4


def test_the_gap_is_spread_evenly() -> None:
    shares = np.linspace(0.0, 1.0, 11)
    values = np.stack([np.sin(shares), shares**2], axis=1)
    closed = closed_values(values, shares, values[0], values[-1])
    assert np.allclose(closed[0], closed[-1])
    assert np.allclose(np.diff(closed - values, n=2, axis=0), 0.0, atol=1e-15)
    assert np.allclose(closed[5], values[5])


def test_the_gap_of_rotations_is_spread_over_the_group() -> None:
    shares = np.linspace(0.0, 1.0, 21)
    turns = quaternion.exp(np.stack([shares, shares**2, 0.3 * np.sin(3 * shares)], axis=1))[:, None]
    closed = closed_rotations(turns, shares, turns[0], turns[-1])
    assert quaternion.angle_between(closed[0], closed[-1]).max() < 1e-12
    assert np.allclose(np.linalg.norm(closed, axis=-1), 1.0)
    steps = quaternion.angle_between(closed, turns)[:, 0]
    gap = quaternion.angle_between(turns[0], turns[-1])[0]
    assert steps == pytest.approx(np.abs(shares - 0.5) * gap, abs=1e-12)
