"""The least-jerk course: its ends, its symmetry, and that it has the least jerk."""

from __future__ import annotations

import numpy as np
import pytest

from segue.curves import least_jerk


def test_it_rests_at_both_ends_and_is_held_outside() -> None:
    assert least_jerk([-1.0, 0.0, 0.5, 1.0, 2.0]).tolist() == [0.0, 0.0, 0.5, 1.0, 1.0]
    s, step = np.linspace(0.0, 1.0, 101), 1e-4
    np.testing.assert_allclose(least_jerk(s) + least_jerk(1.0 - s), 1.0, atol=1e-12)
    for end in (0.0, 1.0):
        before, here, after = least_jerk(end + step * np.array([-1.0, 0.0, 1.0]))
        assert (after - before) / (2 * step) == pytest.approx(0.0, abs=1e-6)
        assert (after - 2 * here + before) / step**2 == pytest.approx(0.0, abs=2e-3)


def test_no_course_with_the_same_ends_has_less_jerk() -> None:
    least = np.polynomial.Polynomial([0, 0, 0, 10, -15, 6])
    s = np.linspace(0.0, 1.0, 11)
    np.testing.assert_allclose(least_jerk(s), least(s), atol=1e-14)

    def cost(course: np.polynomial.Polynomial) -> float:
        square = (course.deriv(3) ** 2).integ()
        return float(square(1.0) - square(0.0))

    departure = np.polynomial.Polynomial([0, 0, 0, 1, -3, 3, -1])  # and its first two derivatives vanish at both ends
    for size in (-2.0, -0.1, 0.1, 2.0):
        assert cost(least + size * departure) > cost(least)
