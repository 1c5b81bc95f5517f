"""Costs of a user in a cycle: joints follow them, feet stay planted, and the cycle stays closed."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.body.human import HUMAN
from segue.cycle import make_loop, repeat
from segue.spacetime.cyclic_path import CyclicPath
from segue.spacetime.path import Samples
from segue.spacetime.terms import Acceleration, UserTerm
from segue.spacetime.terms.term import TermSum
from segue.typing import Array

WALK = sg.clips.walk
ELBOW = HUMAN.columns["left_elbow_flexion"].start


def bent(times: Array, value: Array, velocity: Array, acceleration: Array) -> Array:
    """Return the squared angle of the left elbow from 1.5 rad."""
    return (value[:, ELBOW] - 1.5) ** 2


def elbow(motion: sg.Motion) -> Array:
    return motion.at(np.linspace(motion.start, motion.stop, 41)).hinge("left_elbow_flexion")


def steeply(times: Array, value: Array, velocity: Array, acceleration: Array) -> list[Array]:
    """Return the derivatives of `bent`."""
    by_value = np.zeros_like(value)
    by_value[:, ELBOW] = 2.0 * (value[:, ELBOW] - 1.5)
    return [by_value, np.zeros_like(value), np.zeros_like(value)]


@pytest.mark.parametrize("plant", [True, False])
def test_a_term_shapes_a_cycle_that_stays_closed_and_planted(plant: bool) -> None:
    plain, shaped = (make_loop(WALK, plant=plant, terms=terms) for terms in ((), [(4e3, UserTerm(bent, steeply))]))
    assert abs(elbow(shaped) - 1.5).max() < 0.3 * abs(elbow(plain) - 1.5).max()
    assert elbow(shaped)[0] == pytest.approx(elbow(shaped)[-1], abs=1e-9)
    times = np.linspace(0.0, plain.stop, 41)
    hands = [plain.figure.point("right_knuckles", each.at(times)) for each in (plain, shaped)]
    assert np.linalg.norm(hands[1] - hands[0], axis=1).max() < 0.01, "other joints stay where they were"
    if plant:
        slides = [sg.check(repeat(each, 4)).measures.slide.worst.slide for each in (plain, shaped)]
        assert slides[1] <= slides[0] + 0.002


def test_a_term_of_some_joints_or_of_nothing_gets_a_sentence() -> None:
    with pytest.raises(sg.ArgumentError, match="the whole body"):
        make_loop(sg.only(WALK, "left_arm"), 1.0, 2.0, terms=[UserTerm(bent)])
    with pytest.raises(sg.ArgumentError, match="is no term"):
        make_loop(WALK, terms=[3])  # type: ignore[list-item]
    with pytest.raises(sg.ArgumentError, match="one number a sample"):
        make_loop(WALK, terms=[UserTerm(lambda t, x, v, a: x)])


def cyclic(seed: int, count: int = 9, dimension: int = 3) -> tuple[CyclicPath, Array]:
    """Return a path whose second coordinate comes back with the other sign, and coefficients."""
    rng = np.random.default_rng(seed)
    pieces = np.repeat(np.arange(count), 3)
    which = (pieces[:, None] + np.arange(4)) % count
    basis = rng.normal(size=(4, len(which), 4))
    flips = np.array([False, True, False])
    times = np.linspace(0.0, 1.0, len(which))
    path = CyclicPath(times, np.full(len(times), 0.1), which, basis, flips, np.array([0, 1]))
    return path, rng.normal(size=(count, dimension))


def test_the_gradient_of_a_cyclic_path_is_that_of_differences() -> None:
    path, coefficients = cyclic(1)
    rng = np.random.default_rng(2)
    seeds = Samples(path.times, path.weights, *(rng.normal(size=(len(path.times), 3)) for _ in range(4)))
    gradient = path.gradient(seeds)

    def value(rows: Array) -> float:
        return sum(float((a * b).sum()) for a, b in zip(path.samples(rows)[2:], seeds[2:], strict=True))

    for k, d in np.ndindex(gradient.shape):
        moved = coefficients.copy()
        moved[k, d] += 1.0
        assert gradient[k, d] == pytest.approx(value(moved) - value(coefficients), rel=1e-9, abs=1e-9)


def test_one_step_minimises_a_quadratic() -> None:
    path, coefficients = cyclic(3)
    about = np.random.default_rng(4).normal(size=(len(path.times), 3))
    terms = TermSum.of([Acceleration(2.0, about)])
    best = path.improved(coefficients, terms, iterations=1, tolerance=0.0)
    gradient = path.gradient(terms.evaluate(path.samples(best))[1])
    assert np.abs(gradient).max() < 1e-9 * np.abs(path.gradient(terms.evaluate(path.samples(coefficients))[1])).max()
    np.testing.assert_array_equal(best[:, 2], coefficients[:, 2])
