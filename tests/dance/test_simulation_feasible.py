"""Steps that no body with such legs and hips could take are refused before anything is simulated."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.dance import plan as make_plan
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary
from segue.dance.simulation import simulate
from segue.dance.simulation.initial_state import check_steps, farthest_swing
from segue.errors import ArgumentError
from tests.support.simulated_plans import plan_of, walking

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")


def test_a_step_beyond_the_legs_is_refused_with_its_number_and_by_how_much() -> None:
    plan = plan_of(walking(3, 1.0, 1.2))
    with pytest.raises(ArgumentError, match=r"step 1: the left foot has to go 1\.21 m away .* 0\.30 m less"):
        simulate(plan)


def test_a_step_that_the_hip_cannot_swing_in_time_is_refused() -> None:
    plan = plan_of(walking(3, 0.2))
    with pytest.raises(ArgumentError, match=r"step 2: the right foot has to go 0\.80 m in 0\.16 s, .* for 0\.\d\d m"):
        check_steps(plan)


def test_a_jump_is_refused() -> None:
    plan = plan_of(walking(2, 1.0))
    first, second, *rest = plan.footsteps
    both = replace(plan, footsteps=(first, replace(second, lift=first.land - 0.2), *rest))
    with pytest.raises(ArgumentError, match=r"step 2: both feet would be in the air"):
        check_steps(both)


def test_footsteps_before_the_beginning_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"step 1: the left foot leaves the floor at -0\.20 s .* from 0 to 4\.50 s"):
        simulate(plan_of(walking(2, 1.0), lead_in=0.5))


def test_footsteps_after_the_end_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"step 1: the left foot .* lands at 2\.50 s, .* from 0 to 2\.00 s"):
        simulate(replace(plan_of(walking(2, 1.0)), stop=2.0))


@pytest.mark.parametrize("stop", [0.0, -1.0, 0.004, float("nan"), float("inf")])
def test_plans_that_last_no_time_are_refused(stop: float) -> None:
    with pytest.raises(ArgumentError, match=rf"the plan ends at {stop} s"):
        simulate(replace(plan_of([]), stop=stop))


def test_the_shortest_plan_is_danced() -> None:
    assert len(simulate(replace(plan_of([], arms=False), stop=0.1)).times) == 11


def test_a_turn_on_the_spot_in_no_time_is_refused() -> None:
    plan = plan_of(walking(2, 1.0))
    first, *rest = plan.footsteps
    turned = first.end._replace(heading=0.5)
    still = replace(first, start=first.end, end=turned, lift=first.settled, land=first.settled)
    with pytest.raises(ArgumentError, match=r"step 1: the left foot has to turn by 29 degrees .* in no time"):
        check_steps(replace(plan, footsteps=(first, still, *rest)))
    check_steps(replace(plan, footsteps=(first, replace(still, settled=still.land + 0.2), *rest)))


def test_stronger_and_longer_legs_swing_farther_and_time_counts_twice() -> None:
    usual, large = Figure.standard(1.75), Figure.standard(1.95, 75.0)
    assert farthest_swing(usual, 0.4) == pytest.approx(4.0 * farthest_swing(usual, 0.2))
    assert farthest_swing(Figure.standard(1.75, 90.0), 0.2) == pytest.approx(farthest_swing(usual, 0.2), rel=1e-6)
    assert farthest_swing(large, 0.2) < 2.0 * farthest_swing(usual, 0.2)


@pytest.mark.parametrize(
    ("stature", "mass", "sentence"),
    [
        (1.75, 1e-9, "mass is 1e-09 kg: a simulated dancer needs a mass from 5 to 500 kg"),
        (1.75, 1e9, "mass is 1e+09 kg"),
        (0.01, 70.0, "stature is 0.01 m: a simulated dancer needs a stature from 0.5 to 3 m"),
        (30.0, 70.0, "stature is 30 m"),
    ],
)
def test_bodies_of_no_human_size_are_refused(stature: float, mass: float, sentence: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(sentence)):
        simulate(plan_of([], Figure.standard(stature, mass), lead_in=0.3))


@pytest.mark.parametrize(("stature", "mass"), [(0.5, 5.0), (0.5, 500.0), (3.0, 5.0), (3.0, 500.0)])
def test_bodies_at_the_ends_of_the_range_are_simulated(stature: float, mass: float) -> None:
    figure = Figure.standard(stature, mass)
    dance = simulate(replace(plan_of([], figure, arms=False, scale=stature / 1.75), stop=0.1))
    assert np.isfinite(dance.positions).all()


@pytest.mark.parametrize("part", list(Part))
def test_nothing_that_is_shipped_is_refused(part: Part) -> None:
    library = DanceLibrary()
    for entry in library.entries():
        check_steps(make_plan(library.pattern(entry.title, part), part=part))
