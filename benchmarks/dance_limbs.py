"""Limbs under the motor control of the thesis: arms to dance position in 1 to 4 s, pushed, and let go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.support.thesis.reach import arm_reach
from tests.support.thesis.torque_reach import torque_arm_reach
from tests.support.thesis.trials import free_swing, pushed_limb

from benchmarks import Row
from segue.body.figure import Figure
from segue.dance.simulation.classic.gains import SCALED
from segue.dance.simulation.push import Push

SECONDS = (1.0, 2.0, 3.0, 4.0)
FORCES = (10.0, 20.0, 40.0)  # N, for 0.2 s backward on the left forearm
BODIES = ((1.50, 50.0), (2.00, 110.0))
SWING = 14.0  # s


def main() -> list[Row]:
    """Run all trials on a body of 1.75 m."""
    figure = Figure.standard()
    return [*_reaches(figure), *_bodies(), *_pushes(figure), *_swings(figure)]


def _reaches(figure: Figure) -> Iterator[Row]:
    for gains in ("thesis", "scaled", "torque"):
        for seconds in SECONDS:
            reach = torque_arm_reach(figure, seconds) if gains == "torque" else arm_reach(figure, seconds, gains=gains)
            found = reach.report()
            late = "not reached" if found["late_ms"] is None else f"{found['late_ms']} ms late"
            yield Row(f"arms in {seconds:g} s, {gains}: to go at the end", f"{found['left_deg']} degrees")
            yield Row("  late", late)
            yield Row("  beyond", f"{found['beyond_deg']} degrees")
            yield Row("  jerk of a hand", f"{found['hand_jerk']} m/s^3")
            yield Row("  strength", f"{found['hardest_joint']['share_of_strength']:.2f}")
            yield Row("  body", f"{found['drift_mm']} mm, {found['drift_deg']} degrees")


def _bodies() -> Iterator[Row]:
    for stature, mass in BODIES:
        found = arm_reach(Figure.standard(stature, mass), 1.0, gains="scaled").report()
        yield Row(f"arms in 1 s, scaled, {stature:.2f} m and {mass:g} kg", f"{found['left_deg']} degrees to go")


def _pushes(figure: Figure) -> Iterator[Row]:
    for gains in ("scaled", "thesis"):
        for force in FORCES:
            limb = pushed_limb(figure, Push(0.1, force, 0.2, "back", "left_forearm"), gains=gains)
            back = "never" if limb.back is None else f"{limb.back:.2f} s"
            yield Row(f"{force:g} N on the left forearm, {gains}: gives", f"{np.degrees(limb.gave):.1f} degrees")
            yield Row("  within 2 degrees again after", back)


def _swings(figure: Figure) -> Iterator[Row]:
    settled = free_swing(figure, SWING).settled
    yield Row("an arm let go: its hand rests after", "more than 14 s" if settled is None else f"{settled:.1f} s")
    swing = free_swing(figure, SWING, gains=replace(SCALED, free_damper=0.0))
    last = swing.raised[-200:]
    yield Row(
        "  without friction, still swings by", f"{np.degrees(last.max() - last.min()):.0f} degrees after {SWING:g} s"
    )


if __name__ == "__main__":
    for row in main():
        print(f"{row.subject}: {row.figure}")
