"""Laws that improved motions keep: what is done to keyframes is done to what comes of them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import segue as sg
from segue.keyframe import Coordinates, Key, Settings, State, inbetween, inbetween_report

WALK = sg.clips.walk
TIMES = np.linspace(0.0, 0.75, 40)
SETTINGS = Settings(subdivision=None, samples=4, iterations=25)


def keys(motion: sg.Motion = WALK) -> list[Key]:
    return [Key.from_motion(motion, 0.25 * k) for k in range(4)]


@cache
def improved() -> sg.Motion:
    return inbetween(keys(), None, SETTINGS)


def same(one: sg.Motion, other: sg.Motion, shift: float = 0.0, tolerance: float = 1e-6) -> None:
    there, here = other.at(TIMES + shift), one.at(TIMES)
    np.testing.assert_allclose(there.hinges, here.hinges, atol=tolerance)
    np.testing.assert_allclose(there.root, here.root, atol=tolerance)
    alike = np.abs((there.balls * here.balls).sum(axis=-1))
    np.testing.assert_allclose(alike, 1.0, atol=tolerance)


def test_the_same_keyframes_give_the_same_bytes() -> None:
    again = inbetween(keys(), None, SETTINGS)
    for name in ("root", "balls", "hinges"):
        assert getattr(again.at(TIMES), name).tobytes() == getattr(improved().at(TIMES), name).tobytes()


@pytest.mark.parametrize("shift", [-3.0, 0.4, 1000.0])
def test_later_keyframes_give_the_same_motion_later(shift: float) -> None:
    same(improved(), inbetween([each.at(each.time + shift) for each in keys()], None, SETTINGS), shift)


def test_mirrored_keyframes_give_the_mirrored_motion() -> None:
    same(sg.mirror(improved()), inbetween(keys(sg.mirror(WALK)), None, SETTINGS))


def test_keyframes_elsewhere_give_the_motion_there() -> None:
    there = sg.move_to(WALK, (3.0, -2.0), 1.0)
    same(sg.move_to(improved(), (3.0, -2.0), 1.0), inbetween(keys(there), None, SETTINGS))


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_every_state_meets_the_keyframes_and_none_is_worse(coordinates: Coordinates) -> None:
    states: list[State] = []
    made = inbetween(keys(), None, SETTINGS, coordinates=coordinates, on_step=states.append)
    objectives = [state.objective for state in states]
    assert len(states) > 5
    assert objectives == sorted(objectives, reverse=True)
    at = [0.0, 0.25, 0.5, 0.75]
    for state in states:
        np.testing.assert_array_equal(
            state.path.frames[np.isin(state.path.times, at)], states[0].path.frames[np.isin(states[0].path.times, at)]
        )
    np.testing.assert_allclose(made.at(at).hinges, WALK.at(at).hinges, atol=1e-9)


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_stopped_at_any_state_it_is_that_state(coordinates: Coordinates) -> None:
    seen: list[State] = []

    def stop(state: State) -> bool:
        seen.append(state)
        return state.iteration == 3

    made = inbetween(keys(), None, SETTINGS, coordinates=coordinates, on_step=stop)
    assert inbetween_report(made).path is seen[-1].path
    assert len(seen) == 4


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_positions_velocities_and_accelerations_do_not_jump(coordinates: Coordinates) -> None:
    made, step = inbetween(keys(), None, SETTINGS, coordinates=coordinates), 1e-7
    for knot in inbetween_report(made).path.times[1:-1]:
        before, after = (made.state([knot + sign * step]) for sign in (-1, 1))
        for one, other in zip(before.hinges, after.hinges, strict=True):
            np.testing.assert_allclose(other, one, atol=1e-3, rtol=1e-4)
        for one, other in zip(before.root, after.root, strict=True):
            np.testing.assert_allclose(other, one, atol=1e-3, rtol=1e-4)
