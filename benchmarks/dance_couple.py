"""Couples in hold, simulated, in all patterns: falls, forces of the hold, feet, beat and speed, on one core."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
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
            f". {part.capitalize()} {len(dance.landings)}/{dance.due}, slip {1e3 * dance.slip:.1f} mm, landing"
            f" {1e3 * dance.landing_error:.1f} mm, beat {1e3 * dance.beat_error:.0f} ms"
            f"{'' if dance.fall is None else f', {dance.fall}'}"
        )
    return Row(subject, f"{figure}. Legs bump {danced.hold.bump:.0f} N", speed, REAL_TIME)


def main(titles: Sequence[str] = ()) -> list[Row]:
    """Dance the patterns of those titles, or all, then a follower led badly, shorter steps, and a minute of waltz."""
    rows = []
    chosen = titles or [entry.title for entry in DanceLibrary().entries()]
    cases: dict[str, tuple[str | None, float, Lead | None]] = {title: (title, 1.0, None) for title in chosen}
    if not titles:
        cases |= {
            "waltz/box step, follower 80 ms late and 10 mm beside": ("waltz/box step", 1.0, Lead(0.08, 0.01)),
            f"waltz/left turning box, steps of {SHORTER}": ("waltz/left turning box", SHORTER, None),
            f"a minute of waltz, once round 8 by 12 m, steps of {SOMEWHAT_SHORTER}": (None, SOMEWHAT_SHORTER, None),
        }
    for subject, (title, step_size, lead) in cases.items():
        plan = _of_program(step_size) if title is None else _of_pattern(title, step_size)
        rows.append(_row(subject, plan, lead))
        print(f"{subject}: {rows[-1].figure}; {rows[-1].ratio:.2g} times real time", flush=True)
    standing = sum("fell" not in row.figure for row in rows[: len(chosen)])
    share = standing / len(chosen)
    return [*rows, Row("patterns danced without a fall", f"{standing} of {len(chosen)}", share, 1.0)]


if __name__ == "__main__":
    print(main(sys.argv[1:])[-1].figure)
