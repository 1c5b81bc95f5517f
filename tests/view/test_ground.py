"""Pictures and pages draw the ground that a motion stands on."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import segue as sg
from segue import view
from segue.motion.ground import Ground
from segue.view.flesh import facets_of, ground_under
from segue.view.web import page
from tests.support.climbing import climb


@pytest.mark.parametrize("ground", [Ground.stairs(3), Ground.slope(0.2, 0.5), Ground.mesh(np.eye(3), [[0, 1, 2]])])
def test_strips_and_films_draw_the_ground(ground: Ground) -> None:
    walk = sg.clips.motion("walk")
    for draw in (view.plot_strip, view.plot_filmstrip):
        bare = draw(walk.figure, walk.poses, frames=3, height=120)
        drawn = draw(walk.figure, walk.poses, frames=3, height=120, ground=ground)
        assert bare.save  # both are pictures
        assert type(drawn) is type(bare)


def test_level_ground_that_is_found_is_the_floor() -> None:
    walk = sg.clips.motion("walk")
    assert ground_under(walk, "auto") is None
    assert ground_under(walk, None) is None
    climbing, stairs = climb()
    assert ground_under(climbing, "auto") is climbing.ground
    assert ground_under(climbing, stairs) is stairs


def test_slopes_are_drawn_as_rectangles_that_rise_from_the_floor() -> None:
    ground = Ground.slope(0.2, 0.5, 3.0)
    facets = facets_of(ground, np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 2.0]]))
    assert facets.corners.shape == (2, 3, 3)
    assert facets.edges.shape == (4, 2, 3)
    corners = facets.corners.reshape(-1, 3)
    assert corners[:, 1] == pytest.approx(ground.height(corners[:, 0], corners[:, 2]))
    assert facets.floor == corners[:, 1].min()
    moved = facets.moved(np.array([0.0, -facets.floor, 0.0]))
    assert moved.floor == pytest.approx(0.0)


def test_pages_hold_the_ground() -> None:
    climbing, stairs = climb()
    counts = []
    for ground in ("auto", stairs, None):
        text = page({"climb": climbing}, ground=ground).text
        given = re.search(r'"ground":(null|\[[^\]]*\]),"hinges"', text) or re.search(
            r'"ground":(null|\[[^\]]*\]),"forces"', text
        )
        assert given
        counts.append(None if given[1] == "null" else len(json.loads(given[1])) // 9)
    assert counts == [40, 40, None]


def test_animations_draw_the_ground() -> None:
    climbing, _ = climb()
    with_ground, without = (view.animate(climbing, fps=2.0, size=(96, 72), ground=ground) for ground in ("auto", None))
    assert with_ground.stages[0].facets is not None
    assert without.stages[0].facets is None
    assert not np.array_equal(with_ground.stages[0].picture(4), without.stages[0].picture(4))
