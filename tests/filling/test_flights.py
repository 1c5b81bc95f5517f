"""Flights in gaps: the centre of mass falls as the prior, the ends or the user demand."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.errors import ArgumentError
from segue.filling.flights import predicted_flights
from segue.motion.motion import Motion
from tests.mocap import mocap_file, needs_mocap

_TAKEOFF, _LANDING = 1.37, 1.83  # s of CMU 13_39, without the frames beside them


def fall_of(motion: Motion, start: float, stop: float) -> float:
    """Return the mean vertical acceleration of the centre of mass in m/s^2."""
    times = np.linspace(start, stop, 40)
    heights = motion.figure.centre_of_mass(motion.state(times).poses)[:, 1]
    return float(2.0 * np.polyfit(times - start, heights, 2)[0])


def test_predicted_flights_are_times_without_contact() -> None:
    contacts = np.ones((61, 4))
    contacts[20:40] = 0.01
    contacts[50:53] = 0.01
    contacts[0:8] = 0.01
    jump, step = pytest.approx((20 / 60, 39 / 60)), pytest.approx((0.0, 7 / 60))
    assert predicted_flights(contacts, 1.0, "auto") == [jump]
    assert predicted_flights(contacts, 1.0, "free") == [step, jump]
    assert predicted_flights(contacts, 1.0, "given") == []


@needs_mocap
@pytest.mark.parametrize("gap", [(1.35, 1.85), (1.25, 1.75), (1.1, 2.1), (1.2, 2.2)])
def test_a_jump_falls(gap: tuple[float, float]) -> None:
    jump = sg.load(mocap_file("jump_13_39"))
    low, high = max(gap[0], _TAKEOFF) + 0.05, min(gap[1], _LANDING) - 0.05
    made, before = (sg.fill(jump, [gap], root=root) for root in ("auto", "given"))
    assert fall_of(made, low, high) == pytest.approx(-9.81, abs=0.4)
    assert abs(fall_of(made, low, high) + 9.81) <= abs(fall_of(before, low, high) + 9.81) + 0.05


def test_a_flight_of_the_user_falls_without_a_prior() -> None:
    flight = sg.Flight(1.15, 1.45)
    made = sg.fill(sg.clips.walk, [(1.0, 1.7)], supports=flight, prior="none")
    assert fall_of(made, 1.2, 1.4) == pytest.approx(-9.81, abs=0.4)
    plain = sg.fill(sg.clips.walk, [(1.0, 1.7)], prior="none")
    assert abs(fall_of(plain, 1.2, 1.4)) < 5.0
    outside = (made.times < 1.0) | (made.times > 1.7)
    assert np.array_equal(made.to_clip().rotations[outside], sg.clips.walk.to_clip().rotations[outside])
    ends, own = made.state([1.0, 1.7]).root, sg.clips.walk.state([1.0, 1.7]).root
    assert ends.value == pytest.approx(own.value, abs=1e-9)


def test_walks_are_not_changed() -> None:
    made, before = (sg.fill(sg.clips.walk, [(1.0, 2.0)], root=root) for root in ("auto", "given"))
    for one, other in zip(made.state([1.2, 1.5, 1.8]).parts, before.state([1.2, 1.5, 1.8]).parts, strict=True):
        assert np.array_equal(one, other)


def test_the_root_has_two_modes() -> None:
    with pytest.raises(ArgumentError, match="root"):
        sg.fill(sg.clips.walk, [(1.0, 1.5)], root="loose")
    with pytest.raises(ArgumentError, match="the root is not filled"):
        sg.fill(sg.clips.walk, [(1.0, 1.5)], "left_arm", supports=sg.Flight(1.1, 1.3))
