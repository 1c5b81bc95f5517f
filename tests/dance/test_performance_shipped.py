"""Every pattern that comes with Segue, both parts, at its usual tempo: nothing slides, sinks or comes late.

Here each dances for 4 bars, and for 16 in one of its parts in turn; `benchmarks/dance_preview.py` has 16 bars of all.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from segue.dance import measure, preview
from segue.dance import plan as make_plan
from segue.dance.notation.model import Part
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.errors import SegueWarning

LIBRARY = DanceLibrary(SHIPPED)
TITLES = [entry.title for entry in LIBRARY.entries()]
FRAME = 1 / 60


LONG = [(title, list(Part)[k % 2], 16) for k, title in enumerate(TITLES)]
SHORT = [(title, list(Part)[(k + 1) % 2], 4) for k, title in enumerate(TITLES)]


@pytest.mark.parametrize(("title", "part", "bars"), LONG + SHORT)
def test_nothing_slides_sinks_or_comes_late(title: str, part: Part, bars: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)  # a swing that is quick for the figure is told, and danced
        plan = make_plan(title, part=part, bars=bars, library=LIBRARY)
    motion = preview(plan, fps=96.0)
    assert motion.duration >= bars * plan.tempo.beats_per_bar * plan.tempo.beat
    found = measure(plan, motion)
    assert found.planted <= 0.002, "planted feet move at most 2 mm"
    assert abs(found.landing) <= FRAME, "landings are within a frame of their beat"
    assert found.knee >= np.radians(2.0), "no knee is overstretched"
    assert found.floor <= 0.001, "no foot goes through the floor"
    assert found.overlap <= 0.001, "no foot goes through the other"
    assert found.limits <= np.radians(1.0), "no joint is beyond its range"


def test_landings_are_on_beats() -> None:
    plan = make_plan("foxtrot/forward basic", library=LIBRARY)
    for step in plan.footsteps:
        if step.land > step.lift:
            assert np.abs(plan.beats - step.land).min() < 1e-9


@pytest.mark.parametrize("stature", [1.55, 1.95])
def test_other_statures_dance_as_well(stature: float) -> None:
    from segue.body.figure import Figure

    plan = make_plan("waltz/left turning box", bars=4, figure=Figure.standard(stature), library=LIBRARY)
    found = measure(plan, preview(plan))
    assert found.planted <= 0.002
    assert found.floor <= 0.001
    assert found.overlap <= 0.001
