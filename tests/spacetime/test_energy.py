"""The energy of a gap against an independent computation, and its gradient against central differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.body.figure import FEET
from segue.body.human import HUMAN
from segue.spacetime import OBJECTIVES, Gap, Objective
from tests.spacetime.gaps import FREE, WHOLE, Energy, lively_holds, make_gap, unknowns_of
from tests.spacetime.oracle import parts_of_energy

FLOOR_IN_THE_WAY = 0.1
ALL_AT_ONCE = Objective(torque=0.7, torque_change=1.3, velocity=20.0, acceleration=0.4, jerk=0.2, foot=2000.0)
SITUATIONS: dict[str, dict[str, Any]] = {
    "free": {"limits": False},
    "limits": {"spread": 0.8},
    "holds": {"held": ("left_heel", "right_toe_tip", "left_knuckles"), "limits": False},
    "floor": {"floor": FLOOR_IN_THE_WAY, "limits": False},
    "all": {"held": FEET, "spread": 0.5, "floor": FLOOR_IN_THE_WAY},
}


def check_gradient(gap: Gap, seed: int, size: float = 0.1) -> None:
    energy = Energy(gap)
    unknowns = unknowns_of(gap, seed, size)
    gradient = energy.gradient(unknowns)
    for k in range(3):
        direction = unknowns_of(gap, 1000 * seed + k, 1.0)
        slope = np.sum(gradient * direction)
        # the error of Richardson's formula is of fourth order: only noise is left
        one, two = (
            (energy(unknowns + h * direction) - energy(unknowns - h * direction)) / (2 * h) for h in (1e-5, 2e-5)
        )
        scale = np.linalg.norm(gradient) * np.linalg.norm(direction)
        assert slope == pytest.approx((4 * one - two) / 3, rel=1e-5, abs=1e-7 * scale + 1e-6)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("name", [*OBJECTIVES, "all at once"])
def test_gradient_of_every_objective(name: str, situation: str) -> None:
    objective = ALL_AT_ONCE if name == "all at once" else OBJECTIVES[name]
    check_gradient(make_gap(3, objective, **SITUATIONS[situation]), seed=1)


@pytest.mark.parametrize("coefficients", [1, 2, 3, 5, 8, 12, 24])
def test_gradient_with_any_number_of_coefficients(coefficients: int) -> None:
    check_gradient(make_gap(5, ALL_AT_ONCE, coefficients, held=("left_toe_tip",), spread=0.6), seed=2)


@pytest.mark.parametrize("joints", FREE)
def test_gradient_of_some_joints(joints: str) -> None:
    check_gradient(make_gap(6, ALL_AT_ONCE, free=FREE[joints], held=FEET, floor=FLOOR_IN_THE_WAY), seed=3)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.floats(0.05, 3.0), st.sets(st.sampled_from(WHOLE), min_size=1, max_size=8))
def test_gradient_of_any_joints_in_any_charts(seed: int, duration: float, free: set[int]) -> None:
    whole = complete_balls(free)
    gap = make_gap(seed, ALL_AT_ONCE, 4, free=whole, held=("right_heel",), duration=duration, spread=0.3)
    check_gradient(gap, seed)


def complete_balls(free: set[int]) -> tuple[int, ...]:
    """Return joints with all three angles of every ball joint of which one is among them."""
    whole = set(free)
    for k in free:
        name = HUMAN.dof_names[k]
        if "_rotation_" in name:
            whole |= {HUMAN.dof_names.index(f"{name[:-1]}{axis}") for axis in "xyz"}
    return tuple(sorted(whole))


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("name", [*OBJECTIVES, "all at once"])
def test_energy_is_what_others_compute(name: str, situation: str) -> None:
    objective = ALL_AT_ONCE if name == "all at once" else OBJECTIVES[name]
    gap = make_gap(11, objective, 5, **SITUATIONS[situation])
    unknowns = unknowns_of(gap, 4)
    holds = lively_holds(gap, SITUATIONS[situation].get("held", ()))
    parts = parts_of_energy(gap, unknowns, holds)
    assert Energy(gap)(unknowns) == pytest.approx(sum(parts.values()), rel=1e-7), parts
    counted = {"limits": "limits", "holds": "hold", "floor": "sink"}.get(situation)
    assert counted is None or parts[counted] > 0, "the situation must be one in which this cost counts"


@settings(max_examples=12)
@given(
    st.integers(0, 10_000),
    st.lists(st.integers(0, 2), min_size=7, max_size=7),
    st.sampled_from([3, 5, 8, 12]),
    st.floats(0.1, 1.0),  # beyond that a solve does not begin with the Hermite path
)
def test_energy_in_charts_led_by_any_axes(seed: int, leading: list[int], coefficients: int, duration: float) -> None:
    gap = make_gap(
        seed, ALL_AT_ONCE, coefficients, held=("left_heel",), floor=0.05, leading=leading, duration=duration, spread=0.4
    )
    unknowns = unknowns_of(gap, seed)
    parts = parts_of_energy(gap, unknowns, lively_holds(gap, ("left_heel",)))
    assert Energy(gap)(unknowns) == pytest.approx(sum(parts.values()), rel=1e-7)


@pytest.mark.parametrize("joints", ["legs", "left arm"])
def test_torques_of_all_joints_that_feel_the_unknowns_count(joints: str) -> None:
    gap = make_gap(12, Objective(torque=1.0, jerk=0.1), free=FREE[joints], limits=False)
    energies, expected = [], []
    for seed in (5, 6):
        unknowns = unknowns_of(gap, seed)
        parts = parts_of_energy(gap, unknowns)
        energies.append(Energy(gap)(unknowns))
        expected.append(parts["torque"] + parts["smooth"])
    # legs do not feel arms: what those cost is the same for all unknowns, and is left out
    assert energies[1] - energies[0] == pytest.approx(expected[1] - expected[0], rel=1e-8)
    assert energies[0] <= expected[0] * (1 + 1e-9)
