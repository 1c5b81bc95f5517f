"""Every pattern that comes with Segue, both parts, 16 bars at its usual tempo: nothing slides, sinks or comes late."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from segue.dance import measure, perform, planned
from segue.dance.notation.model import Part
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.errors import SegueWarning

LIBRARY = DanceLibrary(SHIPPED)
TITLES = [entry.title for entry in LIBRARY.entries()]
FRAME = 1 / 60


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("part", list(Part))
def test_sixteen_bars(title: str, part: Part) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)  # a swing that is quick for the figure is told, and danced
        plan = planned(title, part=part, bars=16, library=LIBRARY)
    motion = perform(plan)
    assert motion.duration >= 16 * plan.tempo.beats_per_bar * plan.tempo.beat
    found = measure(plan, motion)
    assert found.planted <= 0.002, "planted feet move at most 2 mm"
    assert abs(found.landing) <= FRAME, "landings are within a frame of their beat"
    assert found.knee >= np.radians(2.0), "no knee is overstretched"
    assert found.floor <= 0.001, "no foot goes through the floor"
    assert found.overlap <= 0.001, "no foot goes through the other"
    assert found.limits <= np.radians(10.0), "no joint is far beyond its range"


def test_landings_are_on_beats() -> None:
    plan = planned("foxtrot/forward basic", library=LIBRARY)
    for step in plan.footsteps:
        if step.land > step.lift:
            assert np.abs(plan.beats - step.land).min() < 1e-9


@pytest.mark.parametrize("stature", [1.55, 1.95])
def test_other_statures_dance_as_well(stature: float) -> None:
    from segue.body.figure import Figure

    plan = planned("waltz/left turning box", bars=4, figure=Figure.standard(stature), library=LIBRARY)
    found = measure(plan, perform(plan))
    assert found.planted <= 0.002
    assert found.floor <= 0.001
    assert found.overlap <= 0.001
