"""Matches that turn round: what is made of several of them neither leaps nor spins."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.curves import quaternion
from segue.filling import fill
from segue.library._warp_kernels import _unwind
from tests.mocap import mocap_file, needs_mocap

AXIS = np.array([0.6, 0.0, 0.8])


@pytest.mark.parametrize(
    ("farthest", "last", "whole"), [(2.0, 0.0, False), (5.0, 0.0, False), (-5.0, 0.0, False), (6.0, 6.28, True)]
)
def test_turns_go_on_beyond_half_a_turn(farthest: float, last: float, whole: bool) -> None:
    angles = np.concatenate([np.linspace(0.0, farthest, 40), np.linspace(farthest, last, 40)])
    turns = np.asarray(quaternion.log(quaternion.exp(angles[:, None] * AXIS)))
    assert _unwind(turns) is whole
    np.testing.assert_allclose(turns, angles[:, None] * AXIS, atol=1e-6)


@needs_mocap
@pytest.mark.mocap
def test_long_gaps_of_a_take_that_turns_round_do_not_leap() -> None:
    take = sg.load(mocap_file("walk4_subject1"))
    filled = fill(take, [(30.0, 33.0)], use_own_frames=True)
    turned = filled.state(np.arange(30.0, 33.0, 1.0 / 30.0)).balls.velocity[:, 0]
    assert np.linalg.norm(turned, axis=1).max() < 3.0, "it is 1.6 in what was captured, 6.4 where turns leap"
