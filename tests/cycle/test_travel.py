"""The frame that travels with a cycle: straight, round a circle, spinning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.curves import quaternion
from segue.cycle.travel import Travel, headings
from segue.motion.tracks import State
from segue.typing import Array

floats = st.floats(-2.0, 2.0)
travels = st.builds(
    lambda period, first, step, turn: Travel.between(period, np.array(first), np.array(first) + step, turn),
    st.floats(0.5, 3.0),
    st.tuples(floats, floats),
    st.tuples(floats, floats),
    st.floats(-3.0, 9.0).filter(lambda turn: abs(np.sin(turn / 2)) > 0.05 or turn == 0),
)


@given(travels)
def test_a_place_gets_to_where_it_should(travel: Travel) -> None:
    start = np.array([[travel.origin[0], 0.3, travel.origin[1]]] * 2)
    seen = travel.seen(start, np.zeros(2))
    assert np.allclose(seen, [0.0, 0.3, 0.0], atol=1e-12)
    there = travel.placed(seen, np.array([0.0, travel.period]))
    assert np.allclose(there[1], travel.step.moved(start[:1])[0], atol=1e-9)


@given(travels, st.floats(-3.0, 5.0))
def test_a_period_later_all_is_moved_by_a_step(travel: Travel, time: float) -> None:
    points = np.array([[0.4, 1.0, -0.2], [-0.3, 0.2, 0.7]])[None]
    now, later = (travel.placed(points, np.array([t])) for t in (time, time + travel.period))
    assert np.allclose(later, travel.step.moved(now), atol=1e-8)
    assert np.allclose(travel.seen(now, np.array([time])), points, atol=1e-9)


def test_a_full_turn_spins_and_travels_straight() -> None:
    travel = Travel.between(1.5, np.array([0.0, 0.0]), np.array([0.0, 3.0]), 2 * np.pi)
    assert travel.bend == 0.0
    assert travel.velocity == pytest.approx((0.0, 2.0))
    step = travel.step
    assert (step.turn, step.x, step.z) == pytest.approx((0.0, 0.0, 3.0))


def test_a_turning_way_goes_round_a_circle() -> None:
    travel = Travel.between(1.0, np.array([0.0, 0.0]), np.array([0.0, 1.0]), np.radians(30))
    way = travel.placed(np.zeros((13, 3)), np.arange(13.0))
    assert np.allclose(way[0], way[12], atol=1e-9)
    middle = way[:12].mean(axis=0)
    radius = np.linalg.norm(way - middle, axis=1)
    assert np.ptp(radius) < 1e-9


@given(travels, st.floats(-1.0, 2.0))
def test_velocities_are_derivatives(travel: Travel, time: float) -> None:
    def moving(times: Array) -> State:
        state = State.still(len(times))
        for order, wave in enumerate((np.sin(3 * times), 3 * np.cos(3 * times), -9 * np.sin(3 * times))):
            state.root[order][:] = wave[:, None] * [0.3, 0.1, -0.2]
        state.balls.value[:, 0] = quaternion.exp(np.sin(3 * times)[:, None] * [0.2, 0.0, 0.0])
        state.balls.velocity[:, 0, 0] = 0.6 * np.cos(3 * times)
        state.balls.acceleration[:, 0, 0] = -1.8 * np.sin(3 * times)
        return travel.carried(state, times)

    h = 1e-5
    before, now, after = (moving(np.array([t])) for t in (time - h, time, time + h))
    for k in range(2):
        slope = (after.root[k] - before.root[k]) / (2 * h)
        assert np.allclose(now.root[k + 1], slope, atol=1e-5)
    turned = quaternion.multiply(after.balls.value[:, 0], quaternion.conjugate(before.balls.value[:, 0]))
    assert np.allclose(now.balls.velocity[:, 0], quaternion.log(turned) / (2 * h), atol=1e-5)
    slope = (after.balls.velocity[:, 0] - before.balls.velocity[:, 0]) / (2 * h)
    assert np.allclose(now.balls.acceleration[:, 0], slope, atol=1e-4)


def test_headings_do_not_jump() -> None:
    turns = np.linspace(0.0, 15.0, 200)
    tilted = quaternion.multiply(
        quaternion.exp(turns[:, None] * [0.0, 1.0, 0.0]), quaternion.exp(np.array([0.5, 0.0, 0.2]))
    )
    assert np.allclose(np.diff(headings(tilted)), np.diff(turns), atol=1e-9)
