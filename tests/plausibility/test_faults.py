"""Faults of known size in captured clips: a few of those that `python -m benchmarks check_faults` counts."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from benchmarks._check_faults import FAULTS, slerp_blend

from segue import io
from segue.motion.motion import Motion
from segue.plausibility import Observed, examine, observe
from tests.mocap import mocap_file, needs_mocap

pytestmark = [needs_mocap, pytest.mark.mocap]

ALONE = {"root pop of 3 cm": "root_pop_cm", "flight at half gravity": "fall"}
"""Faults that need no source to be found in these clips."""


@cache
def captured(name: str) -> tuple[Motion, Observed]:
    motion = Motion.from_clip(io.read(mocap_file(name)))
    return motion, observe(motion)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        (name, fault)
        for name in ("jump_13_39", "soccer_kick_10_03")
        for fault in FAULTS
        if name.startswith("jump") or "flight" not in fault
    ],
)
def test_a_fault_is_found_beside_its_source(name: str, fault: str) -> None:
    motion, source = captured(name)
    assert examine(source).faults == ()
    changed = FAULTS[fault](motion, source, np.random.default_rng(1))
    assert changed is not None
    seen = observe(Motion.from_clip(changed))
    assert examine(seen, sources=[source]).faults
    if fault in ALONE:
        assert ALONE[fault] in {finding.option for finding in examine(seen).faults}


def test_a_blend_of_rotations_is_found_between_its_sources() -> None:
    (first, one), (second, two) = captured("soccer_kick_10_03"), captured("jump_13_39")
    made, begins = slerp_blend(first, second, np.random.default_rng(0))
    report = examine(observe(Motion.from_clip(made)), sources=[one, two])
    assert any(finding.time is not None and begins - 0.2 < finding.time < begins + 0.8 for finding in report.faults)


def test_a_clip_adds_nothing_to_itself() -> None:
    _, source = captured("jump_13_39")
    assert max(finding.value for finding in examine(source, sources=[source]).findings) < 1e-6
