"""Cycles on every family of skeleton: no joint of any of them shows the seam."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import segue as sg
from segue.cycle import loop_of, make_loop, repeat
from segue.errors import SegueWarning
from tests.body.humanoids import PEOPLE
from tests.motion.test_families_fit import dancing
from tests.motion.test_seams import FINE, rates, seen_from


@pytest.mark.parametrize("name", PEOPLE)
def test_no_joint_shows_the_seam(name: str) -> None:
    motion = sg.Motion.from_clip(dancing(PEOPLE[name].skeleton(), 7))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SegueWarning)
        made = make_loop(motion, 0.2, 1.2)
    cycle = loop_of(made)
    seam = round(cycle.period * FINE) / FINE
    long = repeat(sg.retime(made, 0.0, duration=seam), 2)
    fine = long.to_clip(FINE, start=seam - 2.5 / FINE, stop=seam + 2.5 / FINE)
    assert len(fine) == 5
    places = fine.world[0] * motion.clip_source.space.scale
    for values, most in ((seen_from(fine.rotations), 0.02), (places, 0.01)):
        before, after = rates(values[2::-1], -1), rates(values[2:], 1)
        speed = np.linalg.norm(before, axis=1)
        assert (np.linalg.norm(after - before, axis=1) < 0.02 * speed + most).all()
