"""Pictures of rotations through keyframes show what changed, and say what is missing."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from segue.errors import ArgumentError
from segue.keyframe import Adaptive, DynamicSpline, RotationImprovement, Settings, inbetween_rotations
from segue.view.picture import colour
from tests.support.rotation_keys import keys
from tests.support.rotation_pictures import rotation_components, rotation_lengths, rotation_residuals, rotation_tracks


@cache
def improved() -> RotationImprovement:
    plan = Settings(between=0, ends="free", subdivision=Adaptive(rounds=1, points=2))
    return inbetween_rotations(*keys(), settings=plan)


def count(image: np.ndarray, name: str) -> int:
    """Return how many pixels have about a colour."""
    wanted = 255.0 * colour(name)
    return int((np.abs(image.astype(float) - wanted).max(axis=2) < 12).sum())


def test_components_show_both_paths_and_all_frames() -> None:
    canvas = rotation_components(improved()).canvas
    panels = canvas.axes
    assert len(panels) == 5
    for c, axes in enumerate(panels[:4]):
        lines = {line.get_label(): line for line in axes.get_lines()}
        assert len(lines["keyframes"].get_xdata()) == 7
        assert len(lines["variable frames"].get_xdata()) == 2
        times, values = (np.asarray(data) for data in lines["improved"].get_data())
        np.testing.assert_allclose(values, improved().path.at(times)[:, c])
    before, after = panels[4].get_lines()[:2]
    assert np.ptp(before.get_ydata()) > np.ptp(after.get_ydata())


def test_tracks_show_three_axes_twice() -> None:
    picture = rotation_tracks(improved())
    image = picture.pixels()
    half = image.shape[1] // 2
    for name in ("vermilion", "green", "blue"):
        assert count(image[:, :half], name) > 50
        assert count(image[:, half:], name) > 50
    titles = [axes.get_title() for axes in picture.canvas.axes]
    assert titles[0].startswith("spline: energy 21.37")


def test_lengths_show_the_last_stage_near_zero() -> None:
    stages: list[DynamicSpline] = []
    inbetween_rotations(*keys(), form="soft", on_step=lambda state: stages.append(state.path))
    whole, near = rotation_lengths([stages[0], stages[-1]]).canvas.axes
    before, after = (np.abs(line.get_ydata()).max() for line in whole.get_lines())
    assert before > 10.0
    assert after < 0.2
    assert near.get_ylim()[1] < 1.0


def test_residuals_mark_the_frames_that_were_added() -> None:
    axes = rotation_residuals({"two": improved()}).canvas.axes[0]
    steps = axes.patches
    assert [step.get_label() for step in steps] == ["initial spline", "two"]
    first, second = (step.get_data().values for step in steps)
    assert second.sum() < first.sum()
    marks = [line for line in axes.get_lines() if line.get_marker() == "^" and len(line.get_xdata())]
    np.testing.assert_allclose(marks[0].get_xdata(), improved().details.rounds[1].added)


def test_nothing_to_draw_is_told() -> None:
    with pytest.raises(ArgumentError, match="at least one stage"):
        rotation_lengths([])
    with pytest.raises(ArgumentError, match="at least one improvement"):
        rotation_residuals({})
