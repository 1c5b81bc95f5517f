"""The experiments of [Lake1990, chapter 7] under each motor control: the thesis's own, with help, by torques alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.support.simulated_plans import foxtrot, plan_of, side_closes, walking
from tests.support.thesis.reach import dance_position
from tests.support.thesis.torque_reach import compare_arm_reaches

from benchmarks import Row
from benchmarks._dance_limits import figures_of, timed
from segue.body.figure import Figure
from segue.dance.gestures.anatomy import values
from segue.dance.planning.model import JointGoal, Plan
from segue.dance.planning.rest import from_rest
from segue.dance.simulation import Mode


def main(names: Sequence[str] = (*Mode, "reaches")) -> list[Row]:
    """Dance the experiments in some modes, or all, and tell each as it is done; "reaches" names those of the arms."""
    rows = []
    for name in names:
        for row in _reaches() if name == "reaches" else _danced(Mode.of(name)):
            print(f"{row.subject}: {row.figure}", flush=True)
            rows.append(row)
    return rows


def _reaches() -> list[Row]:
    return [
        Row(
            f"7.1, arms in {found['seconds']:g} s, {found['control']}",
            f"{'reached' if found['reached'] else 'not reached'}, {found['left_deg']} degrees left, "
            f"late {found['late_ms']} ms, jerk of hands {found['hand_jerk']} m/s^3, pelvis {found['drift_mm']} mm",
        )
        for found in compare_arm_reaches(Figure.standard())
    ]


def _danced(mode: Mode) -> Iterator[Row]:
    for subject, plan in _experiments().items():
        dance, speed = timed(plan, mode)
        yield Row(f"{subject}, {mode}", figures_of(dance), speed)


def _experiments() -> dict[str, Plan]:
    return {
        "7.2, 12 forward, 1 s": plan_of(walking(12, 1.0)),
        "7.2, 12 forward, 2 s": plan_of(walking(12, 2.0)),
        "7.3, 12 backward, 1 s": plan_of(walking(12, 1.0, -0.4)),
        "7.3, 12 backward, 2 s": plan_of(walking(12, 2.0, -0.4)),
        "7.4, 6 side-closes, 1 s": plan_of(side_closes(6, 1.0)),
        "7.4, 6 side-closes, 2 s": plan_of(side_closes(6, 2.0)),
        "7.5, foxtrot forward and back, arms raised and lowered": _foxtrot(),
    }


def _foxtrot() -> Plan:
    """Return the thesis's last experiment: every step in one second, two for the arms before and two after."""
    plan = plan_of([pace._replace(seconds=1.0) for pace in foxtrot(1, 1.0)], arms=False)
    frame = [goal for joint, said in dance_position().items() for goal in values(joint, said).items()]
    return from_rest(replace(plan, goals=tuple(JointGoal(0.0, track, value, False) for track, value in frame)))


if __name__ == "__main__":
    main(sys.argv[1:] or (*Mode, "reaches"))
