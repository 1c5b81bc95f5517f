"""Least squares with nonnegative unknowns give what SciPy's give."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from segue.dynamics.ground_push import nonnegative_fit


@pytest.mark.parametrize("count", [1, 3, 6, 40, 96])
@pytest.mark.parametrize("kind", ["random", "cone", "repeated", "flat"])
def test_the_rest_is_that_of_the_best_nonnegative_combination(count: int, kind: str) -> None:
    rng = np.random.default_rng(count)
    for _ in range(50):
        columns = rng.normal(size=(6, count))
        if kind == "cone":  # a half space has many best combinations
            columns[1] = 1.0
        elif kind == "repeated":
            columns = columns[:, rng.integers(0, max(1, count // 3), count)].copy()
        elif kind == "flat":
            columns[3:] = 0.0
        wanted = rng.normal(size=6)
        fit = nonnegative_fit(columns, wanted)
        assert (fit >= 0.0).all()
        rest = np.linalg.norm(wanted - columns @ fit)
        assert rest == pytest.approx(nnls(columns, wanted)[1], rel=1e-9, abs=1e-9)


def test_nothing_is_left_of_a_combination_and_everything_of_its_opposite() -> None:
    columns = np.abs(np.random.default_rng(0).normal(size=(6, 20)))
    whole = columns.sum(axis=1)
    assert columns @ nonnegative_fit(columns, whole) == pytest.approx(whole, abs=1e-9)
    assert not nonnegative_fit(columns, -whole).any()
