"""Simulated dancers: how much faster than real time, and how near to feet and beat, on one core."""

from __future__ import annotations

from tests.support.simulated_plans import foxtrot, plan_of, side_closes, walking

from benchmarks import Row
from benchmarks._dance_limits import figures_of, timed
from segue.dance.planning.model import Plan
from segue.dance.simulation import simulate

REAL_TIME = 3.0


def _row(subject: str, plan: Plan) -> Row:
    dance, speed = timed(plan)
    return Row(subject, figures_of(dance), speed, REAL_TIME)


def main() -> list[Row]:
    """Dance the experiments of [Lake1990, chapter 7]."""
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
    return [_row(subject, plan) for subject, plan in cases.items()]
