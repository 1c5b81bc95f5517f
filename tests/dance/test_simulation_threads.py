"""Dances at the same time, in threads of one process, are each what they are alone, to the last bit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from segue.body.figure import Figure
from segue.dance.simulation import SimulatedDance, simulate
from tests.support.simulated_plans import plan_of

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")


def as_bytes(dance: SimulatedDance) -> tuple[bytes, ...]:
    return dance.positions.tobytes(), dance.torques.tobytes(), dance.forces.tobytes()


def test_dances_do_not_disturb_each_other() -> None:
    plans = [replace(plan_of([], Figure.standard(stature), lead_in=0.3), stop=0.8) for stature in (1.6, 1.8)]
    alone = [as_bytes(simulate(plan)) for plan in plans]
    with ThreadPoolExecutor(2) as both:
        together = [as_bytes(dance) for dance in both.map(simulate, plans)]
    assert together == alone
    assert alone[0] != alone[1]
