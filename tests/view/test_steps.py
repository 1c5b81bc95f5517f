"""Motions among boxes: what is drawn, and when a foot is deepest inside one."""

from __future__ import annotations

import numpy as np
import pytest

from segue import clips
from segue.errors import ArgumentError
from segue.motion.box import Box
from segue.view import deepest_moment, plot_steps, plot_strip
from segue.view.picture import colour


def test_boxes_are_drawn_where_they_are() -> None:
    walk = clips.walk
    far, near = (plot_steps(walk, [Box.step(0.3, start, start + 0.5)], height=160).pixels() for start in (1.0, 2.0))
    assert far.shape[0] == near.shape[0]
    for image in (far, near):
        orange = np.abs(image / 255.0 - 0.5 * (colour("orange") + 1.0)).sum(axis=2) < 0.35
        assert orange.sum() > 200
    plain = plot_strip(walk.figure, walk.poses, frames=2, height=160, spacing=0.0).pixels()
    assert (np.abs(plain / 255.0 - 0.5 * (colour("orange") + 1.0)).sum(axis=2) < 0.1).sum() < 50


def test_the_deepest_moment_is_found() -> None:
    walk = clips.walk
    heel = walk.figure.point("left_heel", walk.at([1.0]))[0]
    moment, depth = deepest_moment(walk, [Box((heel[0], heel[1], heel[2]), (0.02, 0.4, 0.02))])
    assert depth == pytest.approx(0.01, abs=0.002)
    assert abs(moment - 1.0) < 0.4
    assert deepest_moment(walk, [Box((9.0, 9.0, 9.0), (1.0, 1.0, 1.0))])[1] == 0.0


def test_a_turned_box_hides_what_is_behind_it() -> None:
    image = plot_steps(
        clips.stand, [Box((0.0, 0.9, 0.8), (1.2, 1.8, 0.1), 0.5)], keys=[0.0, 0.1], between=0, height=120
    ).pixels()
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 100


def test_no_boxes_are_told() -> None:
    with pytest.raises(ArgumentError, match="there are no boxes"):
        plot_steps(clips.walk, [])
