"""What is no motion is refused in one sentence, whoever gets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import segue as sg

CALLS: dict[str, Callable[[Any], object]] = {
    "sp": sg.sp,
    "fill": lambda it: sg.fill(it, [(0.5, 1.0)]),
    "fills": sg.fills,
    "transition from": lambda it: sg.transition(it, sg.clips.walk),
    "transition into": lambda it: sg.transition(sg.clips.walk, it),
    "transitions": lambda it: sg.transitions([sg.Join(sg.clips.walk, it)]),
    "cyclify": sg.cyclify,
    "find_cycles": sg.find_cycles,
    "cycle_of": sg.cycle_of,
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
