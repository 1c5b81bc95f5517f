"""The picture of the distance of two motions, with the figure along its axes."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import segue as sg
from segue.filling import cut_points, distance_map
from segue.view.distances import plot_distance_map as draw
from segue.view.picture import colour
from segue.view.strips import thumbnails

WALK, KICK = sg.clips.walk, sg.clips.kick


def test_the_map_shows_the_chosen_cut_the_window_and_the_figure() -> None:
    windows = (1.5, 3.0), (0.3, 1.2)
    cuts = cut_points(WALK, KICK, leave=windows[0], enter=windows[1], duration=0.4)
    picture = draw(WALK, KICK, distance_map(WALK, KICK, 0.4), cuts, windows=windows, names=("walk", "kick"))
    panel, _, *figures = picture.canvas.axes
    assert panel.get_xlabel() == "leave walk at (s)"
    assert panel.get_ylabel() == "enter kick at (s)"
    assert panel.get_title() == cuts[0].describe("walk", "kick")
    (box,) = panel.patches
    assert (*box.get_xy(), box.get_width(), box.get_height()) == pytest.approx((1.5, 0.3, 1.5, 0.9))
    rings = [line for line in panel.get_lines() if np.allclose(to_rgb(line.get_markeredgecolor()), colour("red"))]
    assert [(ring.get_xdata()[0], ring.get_ydata()[0]) for ring in rings if len(ring.get_xdata()) == 1] == [
        (cuts[0].leave, cuts[0].enter)
    ]
    numbers = {text.get_text() for text in panel.texts}
    assert numbers == {str(k + 1) for k in range(len(cuts))}
    assert len(figures) >= 9
    pixels = picture.pixels().astype(int)
    # the figures of the chosen moments are the only blue and red below and beside the map
    bluish, reddish = pixels[..., 2] - pixels[..., 0], pixels[..., 0] - pixels[..., 2]
    assert (bluish[-90:] > 60).sum() > 300
    assert (reddish[:, :60] > 60).sum() > 300


def test_without_a_cut_all_figures_are_grey() -> None:
    picture = draw(WALK, KICK, distance_map(WALK, KICK, 0.4))
    pixels = picture.pixels().astype(int)
    assert np.ptp(pixels[-90:], axis=2).max() < 40
    assert np.ptp(pixels[:, :60], axis=2).max() < 40


def test_thumbnails_show_the_pose_whichever_way_it_faces() -> None:
    tints = np.tile(colour("blue"), (2, 1))
    turned = sg.move_to(WALK, (3.0, -2.0), heading=2.0)
    here, there = (thumbnails(each.figure, each.at([0.5, 0.8]), tints, 80) for each in (WALK, turned))
    for one, other in zip(here, there, strict=True):
        assert one.shape == other.shape == (80, one.shape[1], 3)
        assert np.abs(one.astype(int) - other).mean() < 1.0
    assert np.abs(here[0].astype(int) - here[1]).mean() > 3.0
