"""A couple in hold, by simulated dynamics: a pattern of one's own, a program, and what passes between the hands.

Run it with: python examples/19_waltz_couple.py [FOLDER] [PATTERNS]

Only the first of the program's patterns are danced, unless more are asked for: 16 are the whole minute.
"""

import sys
from pathlib import Path

from segue.body.figure import Figure
from segue.dance.course.hold import Holding
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary
from segue.dance.patterns.program import read_program
from segue.dance.performance.couple import hold_distance
from segue.dance.planning.couple import plan_couple
from segue.dance.planning.model import Style
from segue.dance.simulation.couple import Lead, simulate_couple
from segue.files import save
from segue.view.dance_simulation_charts import couple_hold

ROUND = Path(__file__).with_name("19_waltz_round")


def main(folder: Path, count: int = 1) -> None:
    """Dance the first patterns of a program round the floor, in closed hold."""
    # A folder of one's own has patterns that are not shipped: steps that pass, and a quarter turn to the left.
    library, program = DanceLibrary(ROUND), read_program(ROUND / "program.txt")
    leads = program.patterns(lambda title: library.pattern(title, Part.LEADER))[:count]
    follows = program.patterns(lambda title: library.pattern(title, Part.FOLLOWER))[:count]

    # Steps somewhat shorter than usual leave room for four knees in turns.
    leader, follower = Figure.standard(1.80, sex="male"), Figure.standard(1.68, sex="female")
    small = Style(step_size=0.9)
    hold = hold_distance(leader, follower, Holding.CLOSED)
    plan = plan_couple(leads, follows, leader, follower, styles=(small, small), hold=hold)

    # The follower is led: everything a little late, and feet some millimetres beside.
    danced = simulate_couple(plan, lead=Lead(delay=0.03, error=0.004, seed=1))
    for part, dance in danced.parts.items():
        print(f"{part}: {len(dance.landings)} of {dance.due} steps, feet slip {1e3 * dance.slip:.1f} mm, {dance.fall}")
    for name, largest, rms in zip(danced.hold.names, danced.hold.largest, danced.hold.rms, strict=True):
        print(f"{name}: up to {largest:.1f} N, {rms:.1f} N rms")

    # The same from the command line: segue dance simulate "waltz/progressive" --couple --step-size 0.9 -o waltz.bvh
    for part, motion in danced.motions.items():
        save(motion, folder / f"{part}.bvh")
    couple_hold(danced).save(folder / "hold.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/19")
    target.mkdir(parents=True, exist_ok=True)
    main(target, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
