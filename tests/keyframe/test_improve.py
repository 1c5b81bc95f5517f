"""The core: descent over variable frames, keyframes met all the while, and subdivision."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from segue.errors import ArgumentError
from segue.keyframe import Adaptive, Everywhere, Settings, State, Status, VectorKeyframes, improving, inbetween_vectors
from segue.keyframe.subdivision import inner_times, piece_residuals
from segue.spacetime.metric import metric_of
from segue.spacetime.terms import Acceleration, CovariantAcceleration, Jerk, UnitQuaternion, UserTerm
from segue.spacetime.terms.term import TermSum
from segue.typing import Array


def keyframes(seed: int, count: int = 5, dimension: int = 2, partial: bool = False) -> VectorKeyframes:
    random = np.random.default_rng(seed)
    times, values = np.cumsum(random.uniform(0.2, 1.2, count)), random.normal(size=(count, dimension))
    mask = random.random(values.shape) < 0.6 if partial else np.ones(values.shape, bool)
    mask[0] = True
    return VectorKeyframes(times - times[0], values, mask)


def crowded(times: Array, value: Array, velocity: Array, acceleration: Array) -> Array:
    """Be far from the origin, above all in a short while: nothing that a few cubics can do well."""
    near: Array = np.exp(-(value**2).sum(axis=1)) * np.exp(-(((times - 1.0) / 0.1) ** 2))
    return near


def test_the_natural_spline_is_already_the_least_in_acceleration() -> None:
    improvement = inbetween_vectors(keyframes(0), [Acceleration()])
    assert improvement.status is Status.CONVERGED
    assert improvement.iterations == 0
    assert improvement.after["acceleration"] == pytest.approx(improvement.before["acceleration"])


@pytest.mark.parametrize("ends", ["not-a-knot", "free"])
def test_other_ends_come_to_the_natural_spline_where_they_may(ends: str) -> None:
    keys = keyframes(1)
    natural = inbetween_vectors(keys, [Acceleration()]).after["acceleration"]
    improvement = inbetween_vectors(
        keys, [Acceleration()], Settings(ends=ends, between=2, subdivision=Everywhere(rounds=2))
    )
    assert improvement.after["acceleration"] >= natural * (1 - 1e-9)
    assert improvement.after["acceleration"] == pytest.approx(natural, rel=1e-3)


def test_one_step_is_enough_for_a_quadratic_and_it_is_the_least() -> None:
    keys = keyframes(2, partial=True)
    improvement = inbetween_vectors(keys, [Acceleration(), (0.01, Jerk())], Settings(subdivision=None))
    assert improvement.iterations == 1
    path, sampling = improvement.path, improvement.path.sampling(8)
    objective = TermSum.of([Acceleration(), (0.01, Jerk())])
    gradient = path.gradient(sampling, objective.evaluate(path.samples(sampling))[1])
    start = path.with_variables(path.variables * 0)
    first = start.gradient(sampling, objective.evaluate(start.samples(sampling))[1])
    assert np.abs(gradient).max() < 1e-6 * np.abs(first).max()


@given(st.integers(0, 10**6), st.booleans(), st.booleans())
@settings(max_examples=15, deadline=None)
def test_every_state_meets_the_keyframes_and_none_is_worse(seed: int, partial: bool, renormalise: bool) -> None:
    keys = keyframes(seed, partial=partial)
    penalties = [Acceleration(), (5.0, UserTerm(crowded))]
    settings_ = Settings(renormalise=renormalise, subdivision=Adaptive(rounds=2), samples=6, iterations=25)
    states: list[State] = []
    improvement = inbetween_vectors(keys, penalties, settings_, on_step=lambda state: states.append(state))
    for state in states:
        at_keys = state.path.at(keys.times)
        np.testing.assert_allclose(at_keys[keys.given], keys.values[keys.given], atol=1e-11)
        exact = state.path.frames[np.isin(state.path.times, keys.times)]
        assert np.array_equal(exact[keys.given], keys.values[keys.given])
    for before, after in pairwise(states):
        if before.round == after.round:
            assert after.objective < before.objective
    assert improvement.path is states[-1].path


def test_an_improvement_can_be_stopped_or_left_at_any_time() -> None:
    penalties = [(1e-5, Acceleration()), UserTerm(crowded)]
    whole = inbetween_vectors(keyframes(4), penalties)
    assert whole.iterations > 4
    stopped = inbetween_vectors(keyframes(4), penalties, on_step=lambda state: state.iteration == 2)
    assert stopped.status is Status.STOPPED
    assert stopped.iterations == 2
    assert whole.objective < stopped.objective
    states = improving(keyframes(4), penalties)
    first, second = next(states), next(states)
    states.close()
    assert second.objective < first.objective
    limited = inbetween_vectors(keyframes(4), penalties, Settings(iterations=1, subdivision=None))
    assert limited.status is Status.ITERATIONS


def test_renormalised_penalties_do_not_depend_on_their_scale() -> None:
    keys, plan = keyframes(5), Settings(renormalise=True, subdivision=None, tolerance=1e-9)
    paths = []
    for scale in (1.0, 1e4):
        aim = UserTerm(lambda t, x, v, a, scale=scale: scale * (x[:, 0] - 1.0) ** 2)  # type: ignore[misc]
        improvement = inbetween_vectors(keys, [(5.0, Acceleration()), (2.0, aim)], plan)
        assert improvement.rounds[0].objective < 7.0  # what it is at first, by equation 7
        paths.append(improvement.path)
    np.testing.assert_allclose(paths[0].variables, paths[1].variables, atol=1e-4)
    raw = inbetween_vectors(keys, [(5.0, Acceleration()), (2.0, UserTerm(lambda t, x, v, a: (x[:, 0] - 1.0) ** 2))])
    assert np.abs(raw.path.at(keys.times[:-1] + 0.1) - paths[0].at(keys.times[:-1] + 0.1)).max() > 1e-3


def test_a_penalty_that_is_zero_at_first_counts_raw() -> None:
    zero = UserTerm(lambda t, x, v, a: 0.0 * t)
    improvement = inbetween_vectors(keyframes(5), [Acceleration(), zero], Settings(renormalise=True))
    assert improvement.after == pytest.approx(improvement.before)


def test_the_descent_finds_what_scipy_finds() -> None:
    keys = keyframes(6)
    penalties = [(0.05, Acceleration()), UserTerm(crowded)]
    ours = inbetween_vectors(keys, penalties, Settings(subdivision=None, tolerance=1e-10))
    start = keys.spline().with_frames_at(inner_times(keys.times, 1))
    sampling, objective = start.sampling(8), TermSum.of(penalties)

    def value(variables: Array) -> tuple[float, Array]:
        path = start.with_variables(variables)
        found, gradient = objective.evaluate(path.samples(sampling))
        return found, path.gradient(sampling, gradient)

    theirs = minimize(value, start.variables, jac=True, method="L-BFGS-B", options={"ftol": 1e-14, "gtol": 1e-9})
    assert ours.objective == pytest.approx(float(theirs.fun), rel=1e-6)


@pytest.mark.parametrize("coupled", [False, True])
@pytest.mark.parametrize("ends", ["natural", "clamped", "not-a-knot", "free"])
def test_the_banded_metric_is_the_inverse_of_the_dense_one(coupled: bool, ends: str) -> None:
    random = np.random.default_rng(8)
    keys = VectorKeyframes(
        np.cumsum(random.uniform(0.2, 1, 5)), random.normal(size=(5, 4)), random.random((5, 4)) < 2 / 3
    )
    path = keys.spline(ends=ends).with_frames_at(inner_times(keys.times, 1))
    sampling = path.sampling(5)
    samples = path.samples(sampling)
    smooth = Acceleration([1.0, 2.0, 3.0, 4.0])
    curvatures = [smooth.curvature(samples)]
    if coupled:
        curvatures += [CovariantAcceleration().curvature(samples), 10.0 * UnitQuaternion().curvature(samples)]
    solve = metric_of(path, sampling, samples, curvatures)
    # how each variable moves the samples, (n, 4, D, S)
    moves = []
    for k in range(len(path.variables)):
        step = np.zeros_like(path.variables)
        step[k] = 1.0
        there = path.with_variables(path.variables + step).samples(sampling)
        moves.append([(b - a).T for a, b in zip(samples[2:], there[2:], strict=True)])
    jacobian = np.array(moves)
    dense = np.einsum("kids,lids,ids->kl", jacobian, jacobian, curvatures[0])
    for curvature in curvatures[1:]:
        part = jacobian[:, : len(curvature)]
        dense += np.einsum("kids,idjes,ljes->kl", part, curvature, part)
    gradient = random.normal(size=len(dense))
    np.testing.assert_allclose(dense @ solve(gradient), gradient, atol=1e-4)


def test_adaptive_frames_go_where_the_path_is_bad() -> None:
    keys = VectorKeyframes(np.arange(9) / 4, np.stack([np.linspace(-1, 1, 9), np.full(9, 0.1)], axis=1))
    penalties = [(1e-4, Acceleration()), UserTerm(crowded)]
    improvement = inbetween_vectors(keys, penalties, Settings(between=0, subdivision=Adaptive(rounds=2, points=2)))
    added = np.concatenate([round_.added for round_ in improvement.rounds])
    assert len(added) == 4
    assert (np.abs(added - 1.0) < 0.26).all()
    edges = np.union1d(keys.times, added)
    for time in improvement.rounds[1].added:
        k = int(np.searchsorted(keys.times, time))
        assert time == pytest.approx(0.5 * (keys.times[k - 1] + keys.times[k]))
    assert np.array_equal(improvement.path.times, edges)


def test_the_weak_residual_knows_where_jerk_can_be_gained() -> None:
    # five keyframes at rest and a jump between the last two: the others have nothing to gain
    keys = VectorKeyframes(np.arange(8.0), np.array([0, 0, 0, 0, 0, 0, 0, 1.0])[:, None])
    path = inbetween_vectors(keys, [Jerk()], Settings(subdivision=None)).path
    residuals = piece_residuals(path, TermSum.of([Jerk()]))
    assert np.argmax(residuals) >= 11
    assert residuals[:6].max() < 0.05 * residuals.max()


def test_global_subdivision_cuts_every_piece() -> None:
    keys = keyframes(9)
    improvement = inbetween_vectors(keys, [Jerk()], Settings(between=2, subdivision=Everywhere(rounds=1, points=1)))
    assert len(improvement.path.times) == 2 * (4 * 3) + 1
    assert improvement.rounds[1].objective < improvement.rounds[0].objective


def test_subdivision_ends_where_it_gains_nothing() -> None:
    improvement = inbetween_vectors(keyframes(0), [Acceleration()], Settings(subdivision=Adaptive(rounds=9)))
    assert len(improvement.rounds) == 2


def test_the_cost_of_a_step_grows_with_the_frames_and_not_faster() -> None:
    # 2,000 frames of 3 coordinates: a dense metric would need 2,000^3 operations, and 100 MB
    keys = keyframes(3, count=1000, dimension=3)
    improvement = inbetween_vectors(keys, [Acceleration(), (1e-4, Jerk())], Settings(subdivision=None))
    assert improvement.status is Status.CONVERGED
    assert improvement.iterations == 1


def test_bad_settings_get_a_sentence() -> None:
    for bad, sentence in (
        ({"between": -1}, "between is -1"),
        ({"samples": 1}, "samples is 1: a whole number from 2 to 1000 is needed"),
        ({"tolerance": float("nan")}, "tolerance is nan"),
        ({"ends": "loose"}, "ends is 'loose': it must be one of natural, clamped, not-a-knot, free"),
    ):
        with pytest.raises(ArgumentError, match=sentence):
            Settings(**bad)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="rounds"):
        Adaptive(rounds=-1)
