"""Rotations through seven hard keyframes: what the paper's figures 7 to 10 show, in both forms."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from segue.curves import quaternion
from segue.errors import ArgumentError, SegueWarning
from segue.keyframe import Adaptive, DynamicSpline, Everywhere, Settings, State, inbetween_rotations
from segue.keyframe.rotations import (
    RotationImprovement,
    RotationPath,
    exact_residual,
    rotation_keyframes,
    soft_residual,
)
from segue.spacetime.terms import UnitQuaternion
from segue.spacetime.terms.quaternion import write_unit
from segue.typing import Array
from tests.support.rotation_keys import keys, measured_energy

FORMS = [{}, {"form": "soft"}, {"form": "soft", "departure": "absolute"}]


@cache
def improved(form: str = "exact", departure: str = "square") -> RotationImprovement:
    return inbetween_rotations(*keys(), form=form, departure=departure)


@cache
def best() -> float:
    """Return the energy of the best path there is: 30 frames a span, about as good as numbers get."""
    fine = Settings(between=29, ends="free", subdivision=None, tolerance=1e-10)
    return inbetween_rotations(*keys(), settings=fine).path.energy


def random_keys(seed: int) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 9))
    turned = [quaternion.normalise(random.normal(size=4))]
    for degrees in random.uniform(0, 150, count - 1):
        axis = random.normal(size=3)
        turned.append(
            quaternion.multiply(turned[-1], quaternion.exp(np.radians(degrees) * axis / np.linalg.norm(axis)))
        )
    return np.cumsum(random.uniform(0.1, 2.0, count)), np.array(turned)


def test_the_keys_are_hard() -> None:
    times, turned = keys()
    steps = np.degrees(quaternion.angle_between(turned[:-1], turned[1:]))
    assert len(times) == 7
    assert steps.max() == pytest.approx(150.0)
    assert np.diff(times).max() > 2.9 * np.diff(times).min()


@pytest.mark.parametrize("form", FORMS)
def test_unit_length_is_kept(form: dict[str, str]) -> None:
    assert improved(**form).path.deviation < (0.002 if form else 1e-12)
    times = np.linspace(keys()[0][0], keys()[0][-1], 3000)
    path = improved(**form).path
    np.testing.assert_allclose(np.linalg.norm(path.at(times), axis=1), 1.0, atol=1e-12)
    lengths = np.linalg.norm(path.quaternions(times), axis=1)
    assert np.abs(lengths - 1.0).max() == pytest.approx(path.deviation, abs=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_energy_falls_by_a_third_and_comes_near_the_best(form: dict[str, str]) -> None:
    improvement = improved(**form)
    assert improvement.path.energy < 0.7 * improvement.initial.energy
    assert best() * (1 - 1e-6) < improvement.path.energy < 1.001 * best()


@pytest.mark.parametrize("form", FORMS)
def test_keyframes_are_met_exactly_at_every_iteration(form: dict[str, str]) -> None:
    times, turned = keys()
    seen: list[State] = []
    inbetween_rotations(times, turned, on_step=lambda state: seen.append(state), **form)  # type: ignore[arg-type]
    assert len(seen) > 5
    for state in seen:
        at_keys = quaternion.normalise(state.path.at(times))
        assert quaternion.angle_between(at_keys, turned).max() < 1e-7


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_exact_form_is_never_worse_than_the_spline(seed: int) -> None:
    improvement = inbetween_rotations(*random_keys(seed))
    assert improvement.path.energy <= improvement.initial.energy * (1 + 1e-9)
    assert improvement.path.deviation < 1e-12


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_the_soft_form_is_not_worse_than_the_spline_either(seed: int) -> None:
    improvement = inbetween_rotations(*random_keys(seed), form="soft")
    # the spline itself is not of unit length: where it could not be better, keeping the length costs a little
    assert improvement.path.energy <= improvement.initial.energy * 1.001
    assert improvement.path.deviation < 0.002


@pytest.mark.parametrize(("ends", "near"), [("natural", 1.04), ("free", 1.015)])
def test_two_adaptive_points_are_close_to_six_global_ones(ends: str, near: float) -> None:
    times, turned = keys()
    rule = Adaptive(rounds=1, points=2)
    two = inbetween_rotations(times, turned, settings=Settings(between=0, ends=ends, subdivision=rule))
    six = inbetween_rotations(times, turned, settings=Settings(between=1, ends=ends, subdivision=None))
    assert len(two.path.spline.times) == 7 + 2
    assert len(six.path.spline.times) == 7 + 6
    assert six.path.energy < two.path.energy < near * six.path.energy


def test_frames_are_added_where_the_body_turns_fastest() -> None:
    times, turned = keys()
    rule = Adaptive(rounds=1, points=2)
    two = inbetween_rotations(times, turned, settings=Settings(between=0, ends="free", subdivision=rule))
    np.testing.assert_allclose(two.details.rounds[-1].added, [times[:2].mean(), times[2:4].mean()])


def test_the_residual_falls_as_frames_are_added() -> None:
    # figure 10: the initial spline, one and three variable frames between two keyframes
    splines = [improved().initial.spline]
    for between in (1, 3, 9):
        plan = Settings(between=between, ends="free", subdivision=None, tolerance=1e-9)
        splines.append(inbetween_rotations(*keys(), settings=plan).path.spline)
    totals = []
    for spline in splines:
        sampling = spline.sampling(6)
        totals.append(float(sampling.quadrature.weights @ exact_residual(spline, sampling)))
    assert totals == sorted(totals, reverse=True)
    assert totals[1] < 0.3 * totals[0]
    assert totals[3] < 0.05 * totals[0]


def test_the_residual_of_a_steady_turn_is_zero() -> None:
    # great circles of unit quaternions solve the Euler-Lagrange equations, and a fine spline comes near one
    times = np.linspace(0.0, 1.0, 60)
    circle = np.stack([np.cos(times), np.sin(times), 0 * times, 0 * times], axis=1)
    spline = DynamicSpline.through(times, circle, np.ones(circle.shape), ends="not-a-knot")
    sampling = spline.sampling(3)
    assert exact_residual(spline, sampling).max() < 0.1
    assert soft_residual(spline, sampling, UnitQuaternion(), 1.0).max() < 0.1
    bent = spline.with_variables(spline.variables + 0.01 * np.sin(20 * np.tile(times, 4)))
    assert exact_residual(bent, sampling).max() > 100.0


def test_derivatives_of_unit_quaternions_are_those_of_a_known_path() -> None:
    # the unit circle at any length: its derivatives turn by a quarter each, whatever the length does
    times = np.linspace(0.2, 1.5, 6)
    length = [1 + 0.3 * times**2, 0.6 * times, 0.6 + 0 * times, 0 * times, 0 * times]
    zero = 0 * times
    circle = [np.stack([np.cos(times + k * np.pi / 2), np.sin(times + k * np.pi / 2), zero, zero]) for k in range(5)]
    path = np.stack([sum(comb(k, i) * length[i] * circle[k - i] for i in range(k + 1)) for k in range(5)])
    unit = np.empty_like(path)
    write_unit(path, unit)
    np.testing.assert_allclose(unit, np.stack(circle), atol=1e-12)


def test_a_steady_turn_stays_steady() -> None:
    angles = np.radians([0.0, 140.0, 200.0, 340.0])
    turned = np.stack([np.cos(angles / 2), 0 * angles, np.sin(angles / 2), 0 * angles], axis=1)
    improvement = inbetween_rotations(angles, turned, settings=Settings(subdivision=Everywhere(rounds=2)))
    assert improvement.initial.energy > 0.01
    assert improvement.path.energy < 1e-4
    np.testing.assert_allclose(
        improvement.path.angular_velocity(np.linspace(0.0, angles[-1], 50)), [[0.0, 1.0, 0.0]] * 50, atol=0.01
    )


def test_energy_and_angular_velocity_are_those_of_the_rotations() -> None:
    path, times = improved().path, keys()[0]
    assert measured_energy(path.at, times) == pytest.approx(path.energy, rel=1e-3)
    at, step = np.linspace(0.1, 3.4, 20), 1e-5
    turned = [Rotation.from_quat(path.at(at + sign * step), scalar_first=True) for sign in (1, -1)]
    differences = (turned[0] * turned[1].inv()).as_rotvec() / (2 * step)
    np.testing.assert_allclose(path.angular_velocity(at), differences, atol=1e-6)


def test_the_same_input_gives_the_same_path() -> None:
    again = inbetween_rotations(*keys())
    assert np.array_equal(again.path.spline.data, improved().path.spline.data)


def test_signs_of_quaternions_do_not_matter() -> None:
    times, turned = keys()
    turned[[1, 4]] *= -1
    assert inbetween_rotations(times, turned).path.energy == pytest.approx(improved().path.energy, rel=1e-9)


@pytest.mark.filterwarnings("error")
def test_keyframes_that_are_all_alike_stay_as_they_are() -> None:
    alike = np.tile([1.0, 0.0, 0.0, 0.0], (4, 1))
    for form in ("exact", "soft"):
        improvement = inbetween_rotations([0, 1, 2, 3], alike, form=form)
        np.testing.assert_allclose(improvement.path.at([0.5, 1.7]), alike[:2], atol=1e-12)


@pytest.mark.parametrize(
    ("times", "turned", "sentence"),
    [
        ([0, 1], [[1, 0, 0, 0], [0, 0, 0, 0]], "the quaternion of keyframe 1 at 1 s has no length"),
        ([0, 1], [[1, 0, 0, 0], [0, 1, 0, np.nan]], "coordinate 3 of keyframe 1 at 1 s is nan"),
        ([0], [[1, 0, 0, 0]], "at least 2"),
        ([0, 0], [[1, 0, 0, 0], [0, 1, 0, 0]], "both at 0 s"),
        ([0, 1], [[1, 0, 0], [0, 1, 0]], r"a quaternion has 4 numbers \(w, x, y, z\), not 3"),
    ],
)
def test_bad_quaternions_get_a_sentence(times: object, turned: object, sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        inbetween_rotations(times, turned)  # type: ignore[arg-type]


def test_other_bad_input() -> None:
    with pytest.raises(ArgumentError, match="exact, soft"):
        inbetween_rotations(*keys(), form="hard")
    with pytest.raises(ArgumentError, match=r"the stiffness is -1\.0"):
        inbetween_rotations(*keys(), form="soft", stiffness=-1.0)
    with pytest.warns(SegueWarning, match="keyframe 1 has the length 2 and is scaled to 1"):
        found = rotation_keyframes([0, 1], [[1, 0, 0, 0], [0, 2, 0, 0]])
    assert np.array_equal(found.values[1], [0, 1, 0, 0])


def uneven(seed: int) -> tuple[Array, Array]:
    """Return keyframes some of which are thousands of times as far apart as others."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 8))
    return np.cumsum(rng.uniform(1e-3, 5.0, count)), quaternion.normalise(rng.normal(size=(count, 4)))


def closely_measured_energy(path: RotationPath) -> float:
    """Return the energy from 4,000 samples a piece, so that no sudden turn lies between them."""
    total = 0.0
    for start, stop in pairwise(path.spline.times):
        times = np.linspace(start, stop, 4001)[1:] - (stop - start) / 8000
        p, dp, ddp = (path.spline.at(times, order) for order in range(3))
        length = np.linalg.norm(p, axis=1, keepdims=True)
        u = p / length
        along = (u * dp).sum(axis=1, keepdims=True)
        velocity = (dp - u * along) / length
        bend = (ddp - 2.0 * velocity * along) / length
        across = bend - u * (u * bend).sum(axis=1, keepdims=True)
        total += float((across**2).sum()) * (stop - start) / 4000
    return total


@pytest.mark.filterwarnings("ignore::segue.SegueWarning")
@pytest.mark.parametrize("seed", [1026, 1027, 1044, 1055, 1056])
def test_nothing_is_worse_than_the_spline_however_uneven_the_times(seed: int) -> None:
    times, turns = uneven(seed)
    found = inbetween_rotations(times, turns)
    assert closely_measured_energy(found.path) <= closely_measured_energy(found.initial) * (1 + 1e-6)
    assert quaternion.angle_between(found.path.at(times), turns).max() < 1e-9


def test_where_nothing_better_is_found_the_spline_is_returned_and_the_user_told() -> None:
    with pytest.warns(SegueWarning, match="the spline is returned"):
        found = inbetween_rotations(*uneven(1055))
    assert found.path is found.initial
    assert found.details.after == found.details.before


@pytest.mark.parametrize("form", ["exact", "soft"])
def test_what_is_done_to_keyframes_is_done_to_their_path(form: str) -> None:
    key_times, turns = keys()
    found, times = inbetween_rotations(key_times, turns, form=form).path, np.linspace(key_times[0], key_times[-1], 50)
    other = quaternion.normalise(np.array([0.3, -0.5, 0.7, 0.2]))
    there = {
        "turned in the world": (inbetween_rotations(key_times, quaternion.multiply(other, turns), form=form), times),
        "turned in the body": (inbetween_rotations(key_times, quaternion.multiply(turns, other), form=form), times),
        "later": (inbetween_rotations(key_times + 40.0, turns, form=form), times + 40.0),
        "slower": (inbetween_rotations(2.0 * key_times, turns, form=form), 2.0 * times),
        "backwards": (inbetween_rotations(-key_times[::-1], turns[::-1], form=form), -times),
    }
    wanted = {
        "turned in the world": quaternion.multiply(other, found.at(times)),
        "turned in the body": quaternion.multiply(found.at(times), other),
    }
    for what, (one, at) in there.items():
        apart = quaternion.angle_between(one.path.at(at), wanted.get(what, found.at(times)))
        assert np.degrees(apart.max()) < 0.05, what
