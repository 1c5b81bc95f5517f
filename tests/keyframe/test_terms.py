"""Gradients and curvatures of penalties against differences, and what users can get wrong."""

from __future__ import annotations

import numpy as np
import pytest

from segue.errors import ArgumentError
from segue.keyframe import Adaptive, Settings, Term, VectorKeyframes, Weighted, inbetween_vectors
from segue.spacetime.terms import Acceleration, CovariantAcceleration, Jerk, UnitQuaternion, UserTerm
from segue.spacetime.terms.term import HasCurvature, weighted
from segue.typing import Array
from tests.keyframe.derivatives import gradient_by_differences, moved, random_samples, stacked

PENALTIES: dict[str, Term] = {
    "acceleration": Acceleration(),
    "scaled acceleration": Acceleration([1.0, 2.0, 0.0, 0.5]),
    "jerk": Jerk(),
    "covariant acceleration": CovariantAcceleration(),
    "normalised covariant acceleration": CovariantAcceleration(normalised=True),
    "unit quaternion, square": UnitQuaternion(),
    "unit quaternion, absolute": UnitQuaternion("absolute"),
    "user": UserTerm(lambda t, x, v, a: (t * x[:, 0] * v[:, 1] + a[:, 2]) ** 2),
}


@pytest.mark.parametrize("name", PENALTIES)
def test_gradients_agree_with_differences(name: str) -> None:
    samples = random_samples(1, 5, 4)
    value, gradient = PENALTIES[name].evaluate(samples)
    expected = gradient_by_differences(PENALTIES[name], samples)
    assert value > 0
    np.testing.assert_allclose(stacked(gradient), expected, atol=1e-7 * np.abs(expected).max())
    assert np.array_equal(gradient.times, samples.times)
    assert np.array_equal(gradient.weights, samples.weights)


def test_quadratic_penalties_know_their_curvature_exactly() -> None:
    samples = random_samples(2, 4, 4)
    for penalty in (Acceleration([1.0, 2.0, 0.0, 0.5]), Jerk()):
        assert isinstance(penalty, HasCurvature)
        curvature = penalty.curvature(samples)
        for order, s, d in np.ndindex(4, 4, 4):
            slopes = [stacked(penalty.evaluate(moved(samples, order, s, d, step))[1])[order, s, d] for step in (0, 1)]
            assert curvature[order, d, s] == pytest.approx(slopes[1] - slopes[0], abs=1e-12)


def covariant(samples: Array, k: int) -> Array:
    """Return the covariant acceleration (4, S), as the definition says it."""
    p, v, a = (part.T for part in samples[:3])
    b = (p * p).sum(axis=0)
    w = a - 2 * k * ((p * v).sum(axis=0) / b) * v
    return (w - p * ((p * w).sum(axis=0) / b)) / np.sqrt(b) ** k


@pytest.mark.parametrize("normalised", [False, True])
def test_the_curvature_of_covariant_acceleration_is_that_of_gauss_and_newton(normalised: bool) -> None:
    samples = random_samples(3, 4, 4)
    orders = stacked(samples)
    jacobian = np.zeros((4, 3, 4, 4))
    for order, d in np.ndindex(3, 4):
        ends = []
        for step in (1e-6, -1e-6):
            there = orders.copy()
            there[order, :, d] += step
            ends.append(covariant(there, int(normalised)))
        jacobian[:, order, d] = (ends[0] - ends[1]) / 2e-6
    expected = 2 * np.einsum("cids,cjes,s->idjes", jacobian, jacobian, samples.weights)
    curvature = CovariantAcceleration(normalised=normalised).curvature(samples)
    np.testing.assert_allclose(curvature, expected, atol=1e-7 * np.abs(expected).max())


def test_normalised_covariant_acceleration_is_half_the_angular_acceleration() -> None:
    # a turn about one axis by the angle t^3, along a path of any length: angular acceleration 6 t
    times, weights = np.linspace(0.1, 1.0, 7), np.ones(7)
    length, first, second = 1 + 0.3 * times**2, 0.6 * times, np.full(7, 0.6)
    half, spin, change = times**3 / 2, 3 * times**2 / 2, 3 * times
    zero = np.zeros(7)
    unit = np.stack([np.cos(half), np.sin(half), zero, zero])
    across = np.stack([-np.sin(half), np.cos(half), zero, zero])
    value = length * unit
    velocity = first * unit + length * spin * across
    acceleration = (second - length * spin**2) * unit + (2 * first * spin + length * change) * across
    samples = random_samples(0, 7, 4)._replace(
        times=times, weights=weights, value=value.T, velocity=velocity.T, acceleration=acceleration.T
    )
    energy = CovariantAcceleration(normalised=True).evaluate(samples)[0]
    assert energy == pytest.approx(((6 * times) ** 2).sum() / 4)


def test_the_absolute_departure_is_the_absolute_value_away_from_zero() -> None:
    samples = random_samples(5, 6, 4)
    expected = samples.weights @ np.abs(1 - (samples.value**2).sum(axis=1))
    assert UnitQuaternion("absolute").evaluate(samples)[0] == pytest.approx(expected, abs=1e-3 * 6)


def aim(times: Array, value: Array, velocity: Array, acceleration: Array) -> Array:
    off: Array = (value[:, 0] - np.sin(3 * times)) ** 2
    return off


def aim_slopes(times: Array, value: Array, velocity: Array, acceleration: Array) -> list[Array]:
    return [2 * (value - np.sin(3 * times)[:, None]), 0 * velocity, 0 * acceleration]


LINE = VectorKeyframes([0.0, 1.0, 2.0], [[0.0], [0.2], [0.0]])


def test_a_users_penalty_improves_with_and_without_a_gradient() -> None:
    penalties = [(1e-3, Acceleration()), UserTerm(aim)]
    alone = inbetween_vectors(LINE, penalties, Settings(subdivision=None))
    told = inbetween_vectors(LINE, [(1e-3, Acceleration()), UserTerm(aim, aim_slopes)], Settings(subdivision=None))
    assert told.after["user"] < 0.2 * told.before["user"]
    assert alone.objective == pytest.approx(told.objective, rel=1e-5)


@pytest.mark.parametrize(
    ("function", "gradient", "sentence"),
    [
        (aim, lambda t, x, v, a: [3 * (x - np.sin(3 * t)[:, None]), 0 * v, 0 * a], "by value 0 is .* differences"),
        (aim, lambda t, x, v, a: [2 * (x - np.sin(3 * t)[:, None]), v, 0 * a], "by velocity 0 is"),
        (aim, lambda t, x, v, a: [x], "must be three arrays"),
        (aim, lambda t, x, v, a: 1 / 0, "gradient of the term 'user' fails with ZeroDivisionError"),
        (lambda t, x, v, a: x, None, r"returns an array \(32, 1\)"),
        (lambda t, x, v, a: -(x[:, 0] ** 2) - 1, None, "must be a number that is not negative"),
        (lambda t, x, v, a: x[:, 0] * np.nan, None, "is nan at"),
        (lambda t, x, v, a: np.abs(x[:, 0] - x[:, 0].mean()), None, "mixes samples"),
        (lambda t, x, v, a: x[:, 7], None, "fails with IndexError"),
        ("no function", None, "cannot be called"),
    ],
)
def test_bad_functions_get_a_sentence(function: object, gradient: object, sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        inbetween_vectors(LINE, [UserTerm(function, gradient)])  # type: ignore[arg-type]


def test_contradictory_penalties_get_a_sentence() -> None:
    for bad, sentence in (
        ([], "no terms"),
        ([(-1.0, Jerk())], "the weight of the term 'jerk' is -1.0: a positive number is needed"),
        ([(np.nan, Jerk())], "the weight of the term 'jerk' is nan: a positive number is needed"),
        ([(0.0, Jerk())], "the weight of the term 'jerk' is 0.0: a positive number is needed"),
        ([Jerk(), (2.0, Jerk())], "'jerk' is given 2 times"),
        ([UnitQuaternion()], "for one quaternion, 4 coordinates, but the path has 1"),
        ([CovariantAcceleration()], "for one quaternion"),
        ([Acceleration([1.0, 2.0])], "scale of the acceleration has 2 numbers, but the path 1"),
        (["jerk"], "is no term"),
        ([("much", Jerk())], "the weight of the term 'jerk' is 'much': a positive number is needed"),
        ([(1.0, 2.0, Jerk())], "is no term"),
    ):
        with pytest.raises(ArgumentError, match=sentence):
            inbetween_vectors(LINE, bad)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="none negative"):
        Acceleration(-1.0)
    with pytest.raises(ArgumentError, match="it must be one of square, absolute"):
        UnitQuaternion("round")


def test_weights_can_be_given_in_three_ways() -> None:
    acceleration, jerk, unit = Acceleration(), Jerk(), UnitQuaternion()
    found = weighted([acceleration, (2.0, jerk), Weighted(unit, 3.0)])
    assert [(entry.term, entry.weight) for entry in found] == [(acceleration, 1.0), (jerk, 2.0), (unit, 3.0)]


def test_a_wrong_gradient_of_ones_own_class_is_told() -> None:
    class Short:
        name = "short"

        def evaluate(self, samples):  # type: ignore[no-untyped-def]
            return 1.0, samples._replace(value=samples.value[:-1])

    with pytest.raises(ArgumentError, match="'short' has a gradient"):
        inbetween_vectors(LINE, [Short()], Settings(subdivision=Adaptive(rounds=0)))
