"""Objectives: they add up as the costs they stand for do, and refuse what is none."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import ArgumentError
from segue.spacetime import OBJECTIVES, Objective, objective_named
from segue.spacetime.objectives import foot, jerk, natural, torque, torque_change, velocity
from tests.spacetime.gaps import Energy, make_gap, unknowns_of

WEIGHTS = ("torque", "torque_change", "velocity", "acceleration", "jerk", "foot")
weight = st.floats(0.0, 1e3)
objectives = st.builds(Objective, **dict.fromkeys(WEIGHTS, weight))


def close(a: Objective, b: Objective) -> bool:
    return all(math.isclose(getattr(a, name), getattr(b, name), rel_tol=1e-9, abs_tol=1e-12) for name in WEIGHTS)


@given(objectives, objectives, objectives)
def test_sums_commute_and_associate(a: Objective, b: Objective, c: Objective) -> None:
    assert close(a + b, b + a)
    assert close((a + b) + c, a + (b + c))
    assert a + Objective() == a
    assert close(Objective() + a, a)


@given(objectives, objectives)
def test_a_sum_has_the_costs_of_both(a: Objective, b: Objective) -> None:
    total = a + b
    for name in WEIGHTS:
        assert getattr(total, name) ** 2 == pytest.approx(getattr(a, name) ** 2 + getattr(b, name) ** 2)


def test_the_energy_of_a_sum_is_the_sum_of_energies() -> None:
    first, second = torque_change(0.8, jerk=0.2) + foot(1000.0), velocity(30.0, jerk=0.4) + torque(0.3, 0.1)
    parts = []
    for objective in (first, second, first + second):
        gap = make_gap(2, objective, limits=False)
        # the same path in the unknowns of each objective
        parts.append(Energy(gap)(unknowns_of(gap, 9)))
    assert parts[2] == pytest.approx(parts[0] + parts[1], rel=1e-9)


def test_scales_come_from_the_objective_that_uses_them() -> None:
    slow = foot(10.0, speed=0.1, height=0.2)
    assert (jerk() + slow).foot_speed == (slow + jerk()).foot_speed == 0.1
    assert (jerk() + slow).foot_height == 0.2
    heavy = Objective(torque_change=1.0, inertia_floor=0.5, jerk=1.0)
    assert (jerk() + heavy).inertia_floor == (heavy + jerk()).inertia_floor == 0.5


def test_every_named_objective_can_be_asked_for() -> None:
    assert set(OBJECTIVES) == {"natural", "torque", "torque_change", "jerk", "velocity", "foot"}
    for name, objective in OBJECTIVES.items():
        assert objective_named(name) == objective
        assert objective_named(objective) is objective
        assert objective.smooths
    assert OBJECTIVES["natural"] == natural()


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_weights_that_are_none_are_refused(name: str, value: float) -> None:
    with pytest.raises(ArgumentError, match=f"objective's {name} is"):
        Objective(**{name: value})


@pytest.mark.parametrize("name", ["inertia_floor", "foot_speed", "foot_height"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_scales_must_be_positive(name: str, value: float) -> None:
    with pytest.raises(ArgumentError, match=f"objective's {name} is"):
        Objective(**{name: value})


def test_an_objective_without_a_regulariser_is_refused() -> None:
    with pytest.raises(ArgumentError, match="light joints run away"):
        objective_named(Objective(torque=1.0, foot=10.0))
    assert objective_named(Objective(torque=1.0) + jerk(0.01)).smooths


@pytest.mark.parametrize("bad", ["spin", "", 3, None])
def test_what_is_no_objective_is_refused(bad: object) -> None:
    with pytest.raises(ArgumentError, match="objective"):
        objective_named(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", ["1", None, [1.0]])
def test_weights_that_are_not_numbers_are_refused(bad: object) -> None:
    with pytest.raises(ArgumentError, match="jerk"):
        Objective(jerk=bad)  # type: ignore[arg-type]
