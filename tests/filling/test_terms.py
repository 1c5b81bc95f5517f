"""Costs of a user in transitions and fills: they are added to the objective, with supports and limits as ever."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.body.human import HUMAN
from segue.filling.options import Options
from segue.spacetime.terms import UserTerm
from segue.typing import Array

ELBOW = HUMAN.columns["right_elbow_flexion"].start
WALK, KICK = sg.clips.walk, sg.clips.kick


def bent(times: Array, value: Array, velocity: Array, acceleration: Array) -> Array:
    """Return the squared angle of the right elbow from 1.5 rad."""
    return (value[:, ELBOW] - 1.5) ** 2


def elbow(motion: sg.Motion) -> float:
    report = motion.fills[0]
    middle = np.linspace(report.start, report.stop, 21)[5:-5]
    return float(motion.at(middle).hinge("right_elbow_flexion").mean())


def test_a_term_shapes_a_transition_and_supports_stay() -> None:
    plain = sg.transition(WALK, KICK, 0.6, leave=2.8, enter=0.7)
    shaped = sg.transition(WALK, KICK, 0.6, leave=2.8, enter=0.7, terms=[(1e8, UserTerm(bent))])
    assert abs(elbow(shaped) - 1.5) < 0.5 * abs(elbow(plain) - 1.5)
    assert {"left_heel", "left_toe_tip"} <= {each.point for each in shaped.fills[0].supports}
    assert all(each.moved is None or each.moved < 0.02 for each in shaped.fills[0].supports)


def test_a_gap_of_some_joints_has_terms_too() -> None:
    plain = sg.fill(WALK, [(1.0, 1.5)], "right_arm")
    shaped = sg.fill(WALK, [(1.0, 1.5)], "right_arm", terms=[(1e8, UserTerm(bent))])
    assert abs(elbow(shaped) - 1.5) < 0.5 * abs(elbow(plain) - 1.5)


@pytest.mark.parametrize("terms", [3, [3], [UserTerm], [(-1.0, UserTerm(bent))]])
def test_terms_that_are_none_get_a_sentence(terms: object) -> None:
    with pytest.raises(sg.ArgumentError, match=r"term|class"):
        sg.transition(WALK, KICK, terms=terms)  # type: ignore[arg-type]


def test_an_empty_list_of_terms_adds_nothing() -> None:
    assert Options(terms=[]).costs == Options().costs == ()
