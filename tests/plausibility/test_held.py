"""What a fill held is what check calls planted."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.motion.contacts import PLANTED, contact_flags
from segue.motion.motion import Motion
from segue.plausibility import observe
from tests.mocap import mocap_file, needs_mocap


def unplanted(filled: Motion) -> tuple[int, list[str]]:
    """Return how many supports the fills of a motion held, and those that check does not call planted throughout."""
    seen = observe(filled)
    supports = [support for fill in filled.fills for support in fill.supports]
    missed = []
    for support in supports:
        planted = contact_flags(seen.times, seen.contacts_of([support.point]), [support.point])[support.point]
        # a foot that is still being put down or already taken up may be held
        start, stop = support.start + PLANTED.settle, support.stop - PLANTED.settle
        if not planted[(seen.times >= start) & (seen.times <= stop)].all():
            missed.append(f"{support.point} from {support.start:.2f} to {support.stop:.2f} s")
    return len(supports), missed


@pytest.mark.parametrize(("name", "start"), [("stand", 1.0), ("walk", 1.1), ("wave", 0.6)])
def test_supports_in_built_in_clips_are_planted(name: str, start: float) -> None:
    count, missed = unplanted(sg.fill(sg.clips.motion(name), [(start, start + 0.5)]))
    assert count > 0
    assert missed == []


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("name", ["walk_07_01", "walk_69_02", "jog_stop_16_08", "climb_steps", "charleston"])
def test_supports_in_captured_clips_are_planted(name: str) -> None:
    motion = sg.load(mocap_file(name))
    starts = np.linspace(0.5, motion.duration - 1.0, 6)
    found = [unplanted(sg.fill(motion, [(start, start + 0.5)])) for start in starts]
    assert sum(count for count, _ in found) > 0
    assert [each for _, missed in found for each in missed] == []
