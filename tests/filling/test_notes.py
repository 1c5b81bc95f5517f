"""What is said of a filled gap: feet that glide are told, feet that stand, step or roll are not."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.filling._support_kernels import glide
from segue.typing import Array


def sole(heel: Array, toe: Array) -> Array:
    return np.stack([heel, toe])


def path(x: Array, height: Array | float) -> Array:
    return np.stack([x, np.broadcast_to(height, x.shape), 0 * x], axis=1)


def glided(feet: Array) -> float:
    """Return how far a foot glides less than 1 cm above level ground."""
    return float(glide(feet, np.full(feet.shape[:2], 0.01)))


def test_a_foot_that_slides_glides_as_far_as_it_goes() -> None:
    x = np.linspace(0.0, 0.4, 21)
    assert glided(sole(path(x, 0.0), path(x + 0.2, 0.001))) == pytest.approx(0.4)


def test_a_foot_that_swings_or_stands_does_not_glide() -> None:
    x = np.linspace(0.0, 0.4, 21)
    assert glided(sole(path(x, 0.05), path(x + 0.2, 0.04))) == 0.0
    assert glided(sole(path(0 * x, 0.0), path(0 * x + 0.2, 0.0))) == 0.0


def test_a_foot_that_rolls_over_its_toe_does_not_glide() -> None:
    lift = np.linspace(0.0, 0.1, 21)
    heel, toe = path(0.02 * lift, lift), path(0 * lift + 0.2, 0.0)
    assert glided(sole(heel, toe)) < 0.005


def test_a_walk_left_where_no_run_fits_tells_of_the_glide() -> None:
    poor = sg.transition(sg.clips.walk, sg.clips.run, 1.6, leave=1.9, enter=0.2)
    assert any("glides" in note for note in poor.fills[0].notes)
    good = sg.transition(sg.clips.walk, sg.clips.run, 0.6, leave=1.9, enter=0.2)
    assert not good.fills[0].notes
