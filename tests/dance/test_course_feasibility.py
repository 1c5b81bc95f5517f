"""Warnings of courses that a body or a couple cannot do, and previews that show what simulations try."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from segue.dance import plan as make_plan
from segue.dance import preview, preview_couple
from segue.dance.notation.model import Part, Turn
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.dance.simulation import simulate
from segue.errors import SegueWarning

LIBRARY = DanceLibrary(SHIPPED)


def test_legs_that_would_overlap_are_told_with_step_and_amount() -> None:
    with pytest.warns(SegueWarning, match=r"left turning waltz, step \d+: the legs of the partners overlap by \d+ mm"):
        preview_couple("waltz/left turning waltz", library=LIBRARY, fps=24.0)


def test_a_pivot_without_time_is_reported_with_step_and_amount() -> None:
    pattern = LIBRARY.pattern("swing/underarm turn", Part.FOLLOWER)
    eighths = (0, 0, 3, 1, 1, 3, 0, 0)
    hurried = replace(
        pattern,
        steps=tuple(
            replace(step, turn=Turn(turned, left=False) if turned else None)
            for step, turned in zip(pattern.steps, eighths, strict=True)
        ),
    )
    said = r"underarm turn, step 6: the dancer's right foot has to pivot by 139 degrees in 0\.\d\d s"
    with pytest.warns(SegueWarning, match=said):
        preview(make_plan(hurried), fps=24.0)


@pytest.mark.parametrize("title", ["swing/turning basic", "waltz/left turning waltz", "cha cha/new york"])
def test_pivots_with_enough_time_are_not_warned_of(title: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SegueWarning)
        preview(make_plan(title, library=LIBRARY), fps=24.0)
    assert not [each for each in caught if "pivot" in str(each.message)]


def test_couples_with_room_are_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", SegueWarning)
        preview_couple("waltz/box step", library=LIBRARY, fps=24.0)


@pytest.mark.parametrize("title", ["waltz/box step", "rumba/box", "foxtrot/forward basic"])
def test_a_preview_shows_what_the_simulation_does(title: str) -> None:
    pytest.importorskip("mujoco", reason="the physics engine is an optional extra")
    plan = make_plan(title, bars=2, library=LIBRARY)
    shown, done = preview(plan, fps=100.0), simulate(plan).motion
    times = np.arange(0.0, min(shown.stop, done.stop), 0.02)
    places = [plan.figure.forward(motion.at(times))[0] for motion in (shown, done)]
    assert np.linalg.norm(places[0] - places[1], axis=2).mean() < 0.02
