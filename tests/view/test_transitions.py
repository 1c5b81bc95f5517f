"""Pictures of what was filled: grey but for the transition, limbs alone in green, versions beside each other."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue import view
from segue.motion.tracks import TRACKS, tracks_of

WALK = sg.clips.walk
ALL = tuple(TRACKS)


def coloured(picture: view.Picture) -> np.ndarray:
    """Return the pixels (N, 3) that are not grey."""
    pixels = picture.pixels().reshape(-1, 3).astype(int)
    return pixels[np.ptp(pixels, axis=1) > 40]


def test_what_was_not_filled_is_grey() -> None:
    assert len(coloured(view.plot_fills(WALK, [], times=3, height=120))) == 0


def test_a_filled_body_goes_from_blue_to_red_while_it_is_filled() -> None:
    fill = sg.TrackSpan(1.0, 1.6, ALL)
    first, last = (coloured(view.plot_fills(WALK, [fill], times=[0.5, at, 2.0], height=120)) for at in (1.0, 1.6))
    assert len(first) > 300
    assert len(last) > 300
    assert (first[:, 2] > first[:, 0]).mean() > 0.95
    assert (last[:, 0] > last[:, 2]).mean() > 0.95


def test_a_filled_limb_is_green_and_smaller_than_a_body() -> None:
    arm = coloured(view.plot_fills(WALK, [sg.TrackSpan(1.0, 1.6, tracks_of("right_arm"))], times=[1.3], height=200))
    body = coloured(view.plot_fills(WALK, [sg.TrackSpan(1.0, 1.6, ALL)], times=[1.3], height=200))
    assert 100 < len(arm) < 0.4 * len(body)
    assert (arm[:, 1] > np.maximum(arm[:, 0], arm[:, 2])).mean() > 0.95


def test_pictures_are_arranged_whole() -> None:
    small = view.plot_strip(WALK.figure, WALK.poses, frames=1, height=80)
    wide = view.plot_strip(WALK.figure, WALK.poses, frames=3, height=120)
    together = view.arrange([{"a": small, "b": wide}, {"": small}]).pixels()
    height, width = together.shape[:2]
    assert width >= small.pixels().shape[1] + wide.pixels().shape[1]
    assert height >= small.pixels().shape[0] + wide.pixels().shape[0]
    inked = [(picture.pixels() < 250).any(axis=-1).sum() for picture in (small, wide, small)]
    titles = 60
    assert 0 < (together < 250).any(axis=-1).sum() - sum(inked) < titles * 4
    with pytest.raises(sg.ArgumentError, match="nothing to arrange"):
        view.arrange([{}])


def test_versions_are_drawn_against_each_other() -> None:
    times = np.linspace(0.0, 1.0, 31)
    poses = WALK.at(times)
    picture = view.plot_compared_curves({"one": poses, "other": poses}, ["left_knee_flexion", "left_hip"], times)
    assert len(picture.canvas.axes) == 2
    knee, hip = (axes.get_lines() for axes in picture.canvas.axes)
    assert len(knee) == len(hip) == 2
    assert knee[0].get_ydata() == pytest.approx(np.degrees(poses.hinge("left_knee_flexion")))
    assert hip[0].get_ydata()[0] == pytest.approx(0.0)
    assert hip[0].get_ydata().max() > 10
    with pytest.raises(sg.ArgumentError, match="no degree of freedom 'tail'"):
        view.plot_compared_curves({"one": poses}, ["tail"], times)


def test_paths_of_feet_are_in_centimetres() -> None:
    poses = WALK.at(np.linspace(0.0, 1.0, 31))
    panels = view.plot_compared_paths(WALK.figure, {"one": poses, "other": poses}).canvas.axes
    assert len(panels) == 2
    heel = panels[0].get_lines()[0]
    assert heel.get_xdata() == pytest.approx(100 * WALK.figure.point("left_heel", poses)[:, 2])


@pytest.mark.parametrize("times", [[], [np.nan]])
def test_moments_that_are_none_are_refused(times: list[float]) -> None:
    with pytest.raises(sg.ArgumentError, match="at least one time"):
        view.plot_fills(WALK, [], times=times)
