"""Heights are measured from the ground: a library knows a walk again on a platform."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import segue as sg
from segue.filling.prior import GapRequest
from segue.library import FrameIndex, Guide
from segue.library.library_clip import library_clip_of
from segue.motion.functions import Placement

WALK = sg.clips.motion("walk")
GAP = (1.0, 1.5)


def cost_of(raised: float, entries: FrameIndex) -> float:
    """Return the cost of the best match for a gap of a walk on a platform of some height."""
    tracks = WALK.tracks.changed(lambda interval: interval.placed(Placement(rise=raised)))
    motion = sg.Motion(tracks, WALK.source)
    request = GapRequest(
        motion, *GAP, motion.state(np.array(GAP)), tuple(motion.tracks), sg.Ground.flat(raised), variant=0
    )
    match = Guide(entries).propose(request).match
    assert match is not None
    assert match.cost is not None
    return match.cost


@pytest.mark.parametrize("raised", [0.5, -0.3])
def test_a_walk_on_a_platform_is_found_as_on_the_floor(raised: float) -> None:
    entry = library_clip_of(WALK, "walk")
    index = FrameIndex([entry])
    assert cost_of(raised, index) == pytest.approx(cost_of(0.0, index), abs=1e-3)


def test_a_clip_that_was_taken_on_a_platform_is_found_from_the_floor() -> None:
    entry = library_clip_of(WALK, "walk")
    high = replace(entry, root=entry.root + np.array([0.0, 0.4, 0.0], np.float32))
    assert cost_of(0.0, FrameIndex([high])) == pytest.approx(cost_of(0.0, FrameIndex([entry])), abs=0.02)
