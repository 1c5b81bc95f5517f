"""Simulated couples in hold: how gently they hold each other, how near to feet and beat, and how fast, on one core."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks import Row
from segue.body.figure import Figure
from segue.dance.course.hold import hold_of_dance
from segue.dance.notation.model import Part, Pattern
from segue.dance.patterns import DanceLibrary
from segue.dance.patterns.program import read_program, repeated
from segue.dance.performance.couple import hold_distance
from segue.dance.planning.couple import Couple, plan_couple
from segue.dance.planning.model import Style
from segue.dance.simulation.couple import Lead, simulate_couple

REAL_TIME, HELD = 1.0, 40.0
PROGRAM = Path(__file__).parents[1] / "examples" / "19_waltz_round"
SHORTER, SOMEWHAT_SHORTER = 0.85, 0.9
BARS = 4


def _plan(leads: tuple[Pattern, ...], follows: tuple[Pattern, ...], step_size: float) -> Couple:
    leader, follower = Figure.standard(1.75), Figure.standard(1.66)
    hold = hold_distance(leader, follower, hold_of_dance(leads[0].dance))
    style = Style(step_size=step_size)
    return plan_couple(leads, follows, leader, follower, styles=(style, style), hold=hold)


def _of_pattern(title: str, step_size: float = 1.0) -> Couple:
    library = DanceLibrary()
    leads, follows = (repeated([library.pattern(title, part)], bars=BARS) for part in Part)
    return _plan(leads, follows, step_size)


def _of_program(step_size: float) -> Couple:
    library, program = DanceLibrary(PROGRAM), read_program(PROGRAM / "program.txt")
    leads = program.patterns(lambda title: library.pattern(title, Part.LEADER))
    follows = program.patterns(lambda title: library.pattern(title, Part.FOLLOWER))
    return _plan(leads, follows, step_size)


def _row(subject: str, plan: Couple, lead: Lead | None = None) -> Row:
    start = time.process_time()
    danced = simulate_couple(plan, lead=lead)
    speed = float(danced.leader.times[-1]) / (time.process_time() - start)
    held = float(danced.hold.largest.max())
    figure = f"{'held' if not danced.fallen and held < HELD else 'NOT HELD'}: up to {held:.0f} N"
    for part, dance in danced.parts.items():
        figure += (
            f"; {part} {len(dance.landings)}/{dance.due}, slip {1e3 * dance.slip:.1f} mm, landing"
            f" {1e3 * dance.landing_error:.1f} mm, beat {1e3 * dance.beat_error:.0f} ms"
            f"{'' if dance.fall is None else f', {dance.fall}'}"
        )
    return Row(subject, f"{figure}; legs bump {danced.hold.bump:.0f} N", speed, REAL_TIME)


def main() -> list[Row]:
    """Dance basics in closed and in two-hand hold, turning boxes, a follower led badly, and a minute of waltz."""
    box = _of_pattern("waltz/box step")
    cases = {
        "waltz, box step": (box, None),
        "waltz, box step, follower 80 ms late and 10 mm beside": (box, Lead(0.08, 0.01)),
        "waltz, progressive": (_of_pattern("waltz/progressive"), None),
        "waltz, hesitation": (_of_pattern("waltz/hesitation"), None),
        "waltz, left turning box": (_of_pattern("waltz/left turning box"), None),
        "waltz, left turning box, steps of 0.85": (_of_pattern("waltz/left turning box", SHORTER), None),
        "foxtrot, forward basic": (_of_pattern("foxtrot/forward basic"), None),
        "rumba, box, two hands": (_of_pattern("rumba/box"), None),
        "a minute of waltz, once round 8 by 12 m, steps of 0.9": (_of_program(SOMEWHAT_SHORTER), None),
    }
    return [_row(subject, plan, lead) for subject, (plan, lead) in cases.items()]
