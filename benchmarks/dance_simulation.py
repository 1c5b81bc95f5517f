"""Simulated dancers: how much faster than real time, and how near to feet and beat, on one core."""

from __future__ import annotations

import time

from tests.dance.simulated_plans import foxtrot, plan_of, side_closes, walking

from benchmarks import Row
from segue.body.figure import Figure
from segue.dance.planning.model import Plan
from segue.dance.simulation import SimulatedDance, simulate

REAL_TIME = 1.5
SLIP, LANDING, BEAT = 0.003, 0.010, 0.020


def _timed(plan: Plan) -> tuple[SimulatedDance, float]:
    """Return a dance and how much faster than real time it was, by the processor's clock."""
    start = time.process_time()
    dance = simulate(plan)
    return dance, float(dance.times[-1]) / (time.process_time() - start)


def _row(subject: str, plan: Plan) -> Row:
    dance, speed = _timed(plan)
    kept = dance.fall is None and dance.slip <= SLIP and dance.landing_error <= LANDING and dance.beat_error <= BEAT
    figure = (
        f"{'kept' if kept else 'not kept'}: {len(dance.landings)}/{dance.due} landed, slip {1e3 * dance.slip:.1f} mm, "
        f"landing {1e3 * dance.landing_error:.1f} mm, beat {1e3 * dance.beat_error:.0f} ms, "
        f"outside force {dance.outside.applied:g} N{'' if dance.fall is None else f', {dance.fall}'}"
    )
    return Row(subject, figure, speed, REAL_TIME)


def main() -> list[Row]:
    """Dance the experiments of [Lake1990, chapter 7], and a foxtrot on small and large bodies."""
    simulate(plan_of([], lead_in=0.1))  # compiles
    cases = {
        "12 forward, 1 s": plan_of(walking(12, 1.0)),
        "12 forward, 2 s": plan_of(walking(12, 2.0)),
        "12 backward, 1 s": plan_of(walking(12, 1.0, -0.4)),
        "12 backward, 2 s": plan_of(walking(12, 2.0, -0.4)),
        "6 side-closes, 1 s": plan_of(side_closes(6, 1.0)),
        "6 side-closes, 2 s": plan_of(side_closes(6, 2.0)),
        "foxtrot forward and back, 60 beats a minute": plan_of(foxtrot(1, 1.0)),
        "foxtrot forward and back, 90 beats a minute": plan_of(foxtrot(1, 2.0 / 3.0)),
        "foxtrot forward and back, 120 beats a minute": plan_of(foxtrot(2, 0.5)),
    }
    for stature, mass, sex in (
        (1.5, 50.0, "female"),
        (1.65, 62.0, "female"),
        (1.85, 90.0, "male"),
        (2.0, 110.0, "male"),
    ):
        figure = Figure.standard(stature, mass, sex)
        subject = f"foxtrot forward and back, 90 beats a minute, {stature:.2f} m, {mass:.0f} kg, {sex}"
        cases[subject] = plan_of(foxtrot(1, 2.0 / 3.0), figure, scale=stature / 1.75)
    return [_row(subject, plan) for subject, plan in cases.items()]
