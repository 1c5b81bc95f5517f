"""What is no motion is refused in one sentence, whoever gets it."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

import segue as sg

CALLS: dict[str, Callable[[Any], object]] = {
    "fill_gaps": sg.fill_gaps,
    "fill": lambda it: sg.fill(it, [(0.5, 1.0)]),
    "transition from": lambda it: sg.transition(it, sg.clips.walk),
    "transition into": lambda it: sg.transition(sg.clips.walk, it),
    "transitions": lambda it: sg.transitions([sg.Join(sg.clips.walk, it)]),
    "make_loop": sg.make_loop,
    "find_loops": sg.find_loops,
    "loop_of": sg.loop_of,
    "repeat": lambda it: sg.repeat(it, 2),
}


@pytest.mark.parametrize("value", [None, 3, "walk.bvh", sg.clips.clip("walk")], ids=["None", "3", "path", "clip"])
@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_motion_is_refused(name: str, value: object) -> None:
    with pytest.raises(sg.ArgumentError) as raised:
        CALLS[name](value)
    message = str(raised.value)
    assert "motion" in message
    assert repr(value) in message
    assert "\n" not in message


LONG: dict[str, FunctionType] = {
    "fill_gaps": lambda: sg.fill_gaps(sg.concatenate(sg.clips.walk, sg.clips.stand, 3.2), iterations=0, prior="none"),
    "fill": lambda: sg.fill(sg.retime(sg.clips.walk, 0.0, 3.0), [(1.0, 4.5)], iterations=0, prior="none"),
    "transition": lambda: sg.transition(sg.clips.walk, sg.clips.stand, 3.2, iterations=0, prior="none"),
}


@pytest.mark.parametrize("name", LONG)
def test_a_warning_of_a_long_gap_points_to_the_line_that_asked_for_it(name: str) -> None:
    with pytest.warns(sg.SegueWarning, match="longer than 3 s") as told:
        LONG[name]()
    line = LONG[name].__code__.co_firstlineno
    assert [(warning.filename, warning.lineno) for warning in told] == [(__file__, line)]


def test_a_warning_of_an_empty_gap_points_to_the_line_that_asked_for_it() -> None:
    step = 1.0 / sg.clips.walk.fps
    with pytest.warns(sg.SegueWarning, match="no frame lies between") as told:
        sg.fill(sg.clips.walk, [(10.1 * step, 10.9 * step)])
    assert [warning.filename for warning in told] == [__file__]
    assert "sg.fill(" in linecache.getline(__file__, told[0].lineno)
