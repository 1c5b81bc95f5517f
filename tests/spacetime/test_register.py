"""Objectives with a name of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest

import segue as sg
from segue.errors import ArgumentError
from segue.spacetime import OBJECTIVES, Objective, objective_named, objectives, register_objective
from segue.spacetime.objectives import foot, torque


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    with mock.patch.dict(objectives._objectives):
        yield


def test_an_objective_is_known_by_its_name() -> None:
    heavy = torque(2.0) + foot(1000.0)
    register_objective("heavy_feet", heavy)
    assert OBJECTIVES["heavy_feet"] is heavy
    assert objective_named("heavy_feet") is heavy
    named = sg.fill(sg.clips.walk, [(1.0, 1.3)], "left_arm", objective="heavy_feet").fills[0]
    given = sg.fill(sg.clips.walk, [(1.0, 1.3)], "left_arm", objective=heavy).fills[0]
    assert named.energy == given.energy
    register_objective("heavy_feet", torque())
    assert objective_named("heavy_feet") == torque()


def test_own_objectives_cannot_be_replaced() -> None:
    with pytest.raises(ArgumentError, match="'natural' is Segue's own"):
        register_objective("natural", torque())


@pytest.mark.parametrize("name", ["", "two words", 3, None])
def test_a_name_is_one_word(name: object) -> None:
    with pytest.raises(ArgumentError, match="one word"):
        register_objective(name, torque())  # type: ignore[arg-type]


@pytest.mark.parametrize("objective", ["torque", None, Objective(torque=1.0)])
def test_what_cannot_be_minimised_is_refused(objective: object) -> None:
    with pytest.raises(ArgumentError, match=r"an Objective is needed|light joints run away"):
        register_objective("mine", objective)  # type: ignore[arg-type]
