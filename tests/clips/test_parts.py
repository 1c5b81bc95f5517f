"""The parts that clips are made of: legs in closed form, rolling feet, smooth curves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.clips.gait import across, around, eased, rates
from segue.clips.posture import Footprint, roll, solve_leg
from segue.curves import quaternion
from segue.curves.interpolate import QuinticSpline

FIGURE = Figure.standard(1.75)
BUILD = FIGURE.build

angles = st.floats(-0.4, 0.4)


@given(
    side=st.sampled_from(["left", "right"]),
    pelvis=st.tuples(angles, angles, angles),
    foot=st.tuples(angles, angles, angles),
    place=st.tuples(st.floats(-0.2, 0.2), st.floats(0.0, 0.25), st.floats(-0.2, 0.2)),
)
def test_a_solved_leg_puts_the_foot_where_it_should_be(
    side: str, pelvis: tuple[float, ...], foot: tuple[float, ...], place: tuple[float, ...]
) -> None:
    root, turn = np.array([[0.0, 0.75, 0.0]]), quaternion.exp(np.array([pelvis]))
    ankle, foot_turn = np.array([place]), quaternion.exp(np.array([foot]))
    leg = solve_leg(BUILD, side, root, turn, ankle, foot_turn)
    poses = Poses.zero(1)
    poses.root[:] = root
    poses.ball("root")[:] = turn
    poses.ball(f"{side}_hip")[:] = leg.hip
    poses.hinge(f"{side}_knee_flexion")[:] = leg.knee
    poses.hinge(f"{side}_ankle_flexion")[:] = leg.ankle_flexion
    poses.hinge(f"{side}_ankle_inversion")[:] = leg.ankle_inversion
    positions, rotations = FIGURE.forward(poses)
    at = HUMAN.segments.index(f"{side}_foot")
    assert positions[0, at] == pytest.approx(ankle[0], abs=1e-9)
    assert quaternion.angle_between(rotations[0, at], foot_turn[0]) < 1e-6
    assert leg.knee[0] > 0


def test_a_leg_out_of_reach_is_our_own_mistake() -> None:
    far = np.array([[0.0, -0.5, 0.0]])
    with pytest.raises(AssertionError, match="left ankle"):
        solve_leg(BUILD, "left", np.array([[0.0, 0.9, 0.0]]), quaternion.identity(1), far, quaternion.identity(1))


@given(turn=st.floats(-1, 1), pitch=st.floats(-1.2, 1.0), toes=st.floats(-0.6, 0.0))
def test_a_rolling_foot_touches_the_floor_and_leaves_its_print(turn: float, pitch: float, toes: float) -> None:
    toes = toes if pitch < 0 else 0.0
    foot = roll(BUILD, Footprint(0.3, 0.7, turn), np.array([pitch]), np.array([toes]))
    heel, ball, tip = (_place(foot, name) for name in ("heel", "ball", "toe_tip"))
    forward = np.array([np.sin(turn), 0.0, np.cos(turn)])
    place = np.array([0.3, 0.0, 0.7])
    assert min(heel[1], ball[1], tip[1]) == pytest.approx(0.0, abs=1e-9)
    if pitch > 0:
        assert heel == pytest.approx(place - (BUILD.heel + BUILD.toe[2]) * forward, abs=1e-9)
    else:
        assert tip == pytest.approx(place + BUILD.toes * forward, abs=1e-9)


def _place(foot, name: str) -> np.ndarray:
    segment, local = FIGURE.points[f"left_{name}"]
    if segment == "left_foot":
        return foot.ankle[0] + quaternion.rotate(foot.turn[0], local)
    joint = foot.ankle[0] + quaternion.rotate(foot.turn[0], BUILD.toe)
    bent = quaternion.multiply(foot.turn[0], quaternion.exp(np.array([-foot.toe[0], 0.0, 0.0])))
    return joint + quaternion.rotate(bent, local)


@given(values=st.lists(st.floats(-5, 5), min_size=2, max_size=6))
def test_eased_keys_are_met_and_not_overshot(values: list[float]) -> None:
    keys = [(0.4 * k, value) for k, value in enumerate(values)]
    times = np.linspace(-0.5, 0.4 * len(values), 400)
    curve = eased(keys, times)
    assert eased(keys, np.array([key[0] for key in keys])) == pytest.approx(np.array(values), abs=1e-9)
    spread = max(values) - min(values)
    assert curve.min() >= min(values) - 0.06 * spread - 1e-9
    assert curve.max() <= max(values) + 0.06 * spread + 1e-9


def test_eased_holds_hold_and_nothing_jumps() -> None:
    keys = [(0.0, 0.0), (0.5, 2.0), (1.0, 2.0), (1.6, -1.0)]
    assert eased(keys, np.linspace(0.5, 1.0, 20)) == pytest.approx(np.full(20, 2.0))
    fine = eased(keys, np.linspace(-0.2, 2.0, 4401))
    acceleration = np.diff(fine, 2) / 0.0005**2
    assert np.abs(np.diff(acceleration)).max() < 2.0, "the second derivative has no step"


def test_around_comes_round() -> None:
    curve = around([0.0, 1.0, 0.5, -1.0])
    assert curve(np.array([0.0, 0.25, 0.5, 0.75, 1.0, -0.25])) == pytest.approx([0.0, 1.0, 0.5, -1.0, 0.0, -1.0])
    before, after = rates(curve, 1.0 - 1e-9), rates(curve, 1e-9)
    assert before == pytest.approx(after, abs=1e-3)


def test_across_meets_both_ends_and_follows_the_guide_between() -> None:
    def guide(times: np.ndarray) -> np.ndarray:
        return np.stack([np.sin(3 * times), times**2], axis=1)

    start = (0.2, np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]))
    stop = (1.4, np.array([[1.0, 2.0], [0.0, 0.0], [0.0, 0.0]]))
    path = across(guide, start, stop, (0.2, 0.3))
    for time, wanted in (start, stop):
        assert path(np.array([time]))[0] == pytest.approx(wanted[0], abs=1e-9)
        inwards = 1e-3 if time == start[0] else -1e-3
        slope = (path(np.array([time + inwards]))[0] - wanted[0]) / inwards
        assert slope == pytest.approx(wanted[1] + 0.5 * inwards * wanted[2], abs=2e-3)
    fine = path(np.linspace(0.2, 1.4, 2401))
    acceleration = np.diff(fine, 2, axis=0) / 0.0005**2
    assert np.abs(np.diff(acceleration, axis=0)).max() < 1.5, "the second derivative has no step"


def test_a_quintic_spline_has_the_ends_it_is_given() -> None:
    curve = QuinticSpline([0.0, 0.3, 1.0], [1.0, 2.0, 0.0], (3.0, -1.0), (0.0, 0.0))
    assert curve(np.array([0.0, 0.3, 1.0])) == pytest.approx([1.0, 2.0, 0.0])
    assert rates(curve, 0.0)[1:] == pytest.approx([3.0, -1.0], abs=0.05)
    assert rates(curve, 1.0)[1:] == pytest.approx([0.0, 0.0], abs=0.05)
