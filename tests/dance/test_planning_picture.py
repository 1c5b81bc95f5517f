"""The floor plan: feet where they stand, in their colours."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.dance.notation.model import Part, Pattern
from segue.dance.patterns import DanceLibrary
from segue.dance.planning import plan, plan_couple
from segue.errors import ArgumentError
from segue.view.floor_plans import Shoe, plot_floor_plan
from segue.view.picture import COLOURS
from segue.view.render import Image

FIGURE = Figure.standard()
LIBRARY = DanceLibrary()


def share_of(image: Image, name: str) -> float:
    """Return the share of pixels that look like a colour."""
    return float((np.abs(image.astype(int) - COLOURS[name]).max(axis=-1) < 40).mean())


def test_left_and_right_feet_have_their_colours() -> None:
    image = plot_floor_plan(plan([LIBRARY.pattern("waltz/box step")], FIGURE)).pixels()
    assert share_of(image, "blue") > 0.003
    assert share_of(image, "vermilion") > 0.003
    assert share_of(image, "orange") < 0.001


def test_a_couples_follower_has_colours_of_her_own() -> None:
    leads, follows = (LIBRARY.pattern("waltz/box step", part) for part in Part)
    couple = plan_couple([leads], [follows], FIGURE, Figure.standard(1.65))
    image = plot_floor_plan([couple.leader, couple.follower]).pixels()
    for name in ("blue", "vermilion", "sky blue", "orange"):
        assert share_of(image, name) > 0.002


def test_the_picture_shows_title_beats_turns_and_scale() -> None:
    picture = plot_floor_plan(plan([LIBRARY.pattern("waltz/left turning box")], FIGURE))
    words = [text.get_text() for text in picture.canvas.findobj(match=lambda each: hasattr(each, "get_text"))]
    assert "waltz/left turning box" in words
    assert "1  1/8 L" in words
    assert "line of dance" in words
    assert "0.5 m" in words
    assert {str(number) for number in range(1, 13)} <= set(words)


def test_the_line_of_dance_runs_to_the_right_and_the_centre_is_above() -> None:
    made = plan([LIBRARY.pattern("foxtrot/forward basic")], FIGURE)
    axes = plot_floor_plan(made).canvas.axes[0]
    places = {text.get_text(): text.get_position() for text in axes.texts}
    assert places["5"][0] > places["1"][0] + 0.5
    assert places["7"][1] > places["8"][1], "the left foot is further to the centre"


def test_shoes_fit_the_foot_and_are_mirror_images() -> None:
    left, right = (Shoe.of(FIGURE, side) for side in ("left", "right"))
    assert np.allclose(left.sole * (-1, 1), right.sole)
    tip = float(FIGURE.build.toe[2] + FIGURE.build.toes)
    assert left.sole[:, 1].max() == pytest.approx(tip, abs=0.005)
    assert left.heel[:, 1].min() == pytest.approx(-FIGURE.build.heel, abs=0.005)
    assert left.heel[:, 1].max() < left.sole[:, 1].min(), "heel and sole are apart"


def test_wrong_numbers_of_plans_are_refused() -> None:
    made = plan([LIBRARY.pattern("waltz/box step")], FIGURE)
    with pytest.raises(ArgumentError, match="there are 3 plans to draw"):
        plot_floor_plan([made] * 3)
    with pytest.raises(ArgumentError, match="there are 0 plans to draw"):
        plot_floor_plan([])


def test_long_sequences_are_drawn_too() -> None:
    pattern: Pattern = LIBRARY.pattern("foxtrot/forward basic")
    image = plot_floor_plan(plan([pattern] * 6, FIGURE), numbers=False).pixels()
    assert image.shape[1] < 3000
