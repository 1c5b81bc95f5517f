"""The search for the two times at which a signal is most alike, on signals that can be checked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from segue.cycle import Region, match_ends, search_regions
from segue.errors import ArgumentError
from segue.typing import Array

WHOLE = Region(-0.5, 1.5)


def value(t: Array) -> Array:
    """Return f(t) = t^3 - 2 t^2 + 1, the worked example of the discussion, section 5.3."""
    return (t**3 - 2 * t**2 + 1)[:, None]


def with_derivative(t: Array) -> Array:
    return np.concatenate([value(t), (3 * t**2 - 4 * t)[:, None]], axis=1)


def test_one_sided_regions_are_those_of_the_discussion() -> None:
    first, last = search_regions(-0.5, 1.5, WHOLE, 0.01, "inside")
    assert first == pytest.approx((-1 / 2, -1 / 10))
    assert last == pytest.approx((11 / 10, 3 / 2))


def test_values_alone_match_at_the_outer_and_the_inner_end() -> None:
    # f rises on the first region and is below it all over the second, where it is highest at 11/10: the scan has 1/10
    found = match_ends(value, *search_regions(-0.5, 1.5, WHOLE, 0.01, "inside"), 0.01)
    assert (found.start, found.stop) == pytest.approx((-1 / 2, 11 / 10), abs=1e-9)
    assert found.distance == pytest.approx(0.375 + 0.089)


def test_values_with_derivatives_match_at_the_end_of_the_second_region() -> None:
    # The discussion draws the pair (-1/10, 3/2). Its stop is the optimum; the start is not: from there the distance
    # still falls, to where (f(t) - f(3/2)) f'(t) + (f'(t) - f'(3/2)) f''(t) = 0.
    first, last = search_regions(-0.5, 1.5, WHOLE, 0.01, "inside")
    found = match_ends(with_derivative, first, last, 0.01)

    def apart(t: float) -> float:
        return float(np.linalg.norm(with_derivative(np.array([t])) - with_derivative(np.array([1.5]))))

    best = minimize_scalar(apart, bounds=first, method="bounded", options={"xatol": 1e-10}).x
    assert (found.start, found.stop) == pytest.approx((best, 3 / 2), abs=1e-5)
    assert best == pytest.approx(-0.20296, abs=5e-5)
    assert found.distance < apart(-0.1) - 0.09


@given(st.floats(0.8, 1.6), st.floats(-0.04, 0.04), st.floats(0.0, 6.0))
def test_a_periodic_signal_matches_a_period_apart(period: float, error: float, phase: float) -> None:
    def signal(t: Array) -> Array:
        angle = 2 * np.pi * t / period + phase
        return np.stack([np.sin(angle), np.cos(angle), np.sin(2 * angle)], axis=1)

    regions = search_regions(2.0, 2.0 + period + error, Region(0.0, 9.0), 1 / 60)
    found = match_ends(signal, *regions, 1 / 60)
    assert found.stop - found.start == pytest.approx(period, abs=1e-5)
    assert found.distance < 1e-4


def test_regions_are_a_fifth_of_the_length_and_stay_within_the_signal() -> None:
    first, last = search_regions(1.0, 2.0, Region(0.0, 2.03), 0.01)
    assert first == pytest.approx((0.9, 1.1))
    assert last == pytest.approx((1.9, 2.03))


@pytest.mark.parametrize(
    ("marks", "sentence"),
    [
        ((1.0, 1.0), "must stop after it starts"),
        ((-0.2, 1.0), "the motion lasts from 0 to 5 s only"),
        ((1.0, 5.2), "the motion lasts from 0 to 5 s only"),
        ((1.0, float("nan")), "stop is nan"),
        ((1.0, 1.2), "only 3 frames lie between"),
    ],
)
def test_marks_that_make_no_sense(marks: tuple[float, float], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        search_regions(*marks, Region(0.0, 5.0), 1 / 60)


def test_regions_of_no_kind() -> None:
    with pytest.raises(ArgumentError, match="centred or inside"):
        search_regions(0.0, 1.0, WHOLE, 0.01, "outside")  # type: ignore[arg-type]
