"""The ways in which a plan is danced: by joint torques alone, with help from outside, by the thesis's motor control."""

from __future__ import annotations

import numpy as np
import pytest

from segue.dance.simulation import Help, Mode, Push, simulate
from segue.dance.simulation.control.assistance import beyond
from segue.errors import ArgumentError
from tests.dance.simulated_plans import plan_of

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("point", "way"),
    [
        ((0.3, 0.6), (0.0, 0.0)),
        ((1.5, 0.5), (0.5, 0.0)),
        ((0.2, -2.0), (0.0, -2.0)),
        ((4.0, 5.0), (3.0, 4.0)),
    ],
)
def test_how_far_a_point_is_beyond_others(point: tuple[float, float], way: tuple[float, float]) -> None:
    np.testing.assert_allclose(beyond(np.array(point), SQUARE), way, atol=1e-12)


def test_one_point_alone_is_its_own_hull() -> None:
    np.testing.assert_allclose(beyond(np.array([3.0, 4.0]), SQUARE[:1]), [3.0, 4.0])


def test_a_push_that_fells_is_stood_with_help_and_the_result_says_how_much() -> None:
    plan, push = plan_of([], lead_in=0.6), Push(0.4, 250.0, 0.1, "left")
    alone = simulate(plan, pushes=[push])
    helped = simulate(plan, mode=Mode.ASSISTED, pushes=[push])
    assert alone.fall is not None
    assert alone.help == Help(0.0, 0.0, 0.0)
    assert helped.fall is None
    assert helped.mode is Mode.ASSISTED
    figure = plan.figure
    assert 1.0 < helped.help.rms < helped.help.largest < figure.mass * 9.81 * figure.stature * np.sin(np.radians(20.0))
    assert helped.report()["helping_torque"]["impulse_Nms"] > 0.0


def test_who_stands_well_is_left_alone() -> None:
    dance = simulate(plan_of([], lead_in=0.3), mode="assisted")
    assert dance.help == Help(0.0, 0.0, 0.0)


def test_modes_that_there_are_not_are_refused() -> None:
    with pytest.raises(ArgumentError, match="the mode is 'magic': it must be one of torque, assisted"):
        simulate(plan_of([], lead_in=0.3), mode="magic")
