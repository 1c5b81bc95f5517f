"""Jumps between keyframes: the centre of mass falls while nothing carries the body."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.spacetime.figure_motion import FigureBodies
from segue.spacetime.path import Samples
from segue.spacetime.terms import FreeFall
from tests.mocap import mocap_file, needs_mocap

_KEYS = (1.0, 1.33, 1.6, 1.87, 2.2)


def fall_of(motion: Motion, start: float, stop: float) -> float:
    """Return the mean vertical acceleration of the centre of mass in m/s^2."""
    times = np.linspace(start, stop, 40)
    heights = motion.figure.centre_of_mass(motion.state(times).poses)[:, 1]
    return float(2.0 * np.polyfit(times - start, heights, 2)[0])


def test_a_body_that_is_thrown_costs_nothing() -> None:
    figure = sg.Figure.standard()
    times = np.linspace(0.0, 0.4, 9)
    rows = np.repeat(sg.Poses.zero(1).rows, len(times), axis=0)
    velocity, acceleration = np.zeros((2, *rows.shape))
    rows[:, :3] += np.outer(times, [1.0, 2.0, 0.5]) - np.outer(4.905 * times**2, [0.0, 1.0, 0.0])
    velocity[:, :3] = [1.0, 2.0, 0.5] - np.outer(9.81 * times, [0.0, 1.0, 0.0])
    acceleration[:, 1] = -9.81
    falling = Samples(times, np.full(9, 0.05), rows, velocity, acceleration, np.zeros_like(rows))
    term = FreeFall(FigureBodies(figure), [(0.0, 0.4)])
    assert term.evaluate(falling)[0] < 1e-3
    resting = Samples(times, np.full(9, 0.05), rows.copy(), 0.0 * rows, 0.0 * rows, 0.0 * rows)
    assert FreeFall(FigureBodies(figure), [(0.0, 0.4)]).evaluate(resting)[0] == pytest.approx(
        9 * 0.05 * 9.81**2, rel=0.02
    )
    assert FreeFall(FigureBodies(figure), [(0.5, 0.6)]).evaluate(resting)[0] == 0.0


@needs_mocap
def test_five_keys_of_a_jump_fall() -> None:
    jump = sg.load(mocap_file("jump_13_39"))
    keys = [sg.Key.from_motion(jump, at) for at in _KEYS]
    made, before = sg.inbetween(keys), sg.inbetween(keys, flights=[])
    assert abs(fall_of(made, 1.4, 1.8) + 9.81) < 0.6 * abs(fall_of(before, 1.4, 1.8) + 9.81)
    for at in _KEYS:
        assert made.state([at]).root.value == pytest.approx(jump.state([at]).root.value, abs=1e-9)


def test_flights_are_checked() -> None:
    keys = [sg.Key.from_motion(sg.clips.walk, at) for at in (0.2, 0.5, 0.8)]
    with pytest.raises(ArgumentError, match="flights"):
        sg.inbetween(keys, flights=[(0.2, 0.4)])  # type: ignore[list-item]
