"""A floor full of couples: each with a character of its own, all along the line of dance, none in another's way.

Run it with: python examples/16_dance_floor.py [FOLDER]
"""

import sys
from pathlib import Path

from segue.dance.behaviour import (
    Character,
    Dancer,
    Environment,
    Ground,
    Proficiency,
    both_parts,
    choreograph,
    decision_lines,
    reports,
    write_dancer,
    write_environment,
)
from segue.dance.patterns import DanceLibrary
from segue.view.dance_floor import dance_floor, floor_page


def main(folder: Path) -> None:
    """Let four couples dance the waltz for half a minute, and ask why they danced what they did."""
    patterns = both_parts(DanceLibrary(), "waltz")

    # Two couples that know the same patterns, and are very different people; the other two are drawn by lot.
    known = {"waltz": {leader.name: Proficiency(skill=0.9) for leader, _ in patterns}}
    bold = Dancer("Ada and Ben", character=Character(drive=1.0, boldness=1.0, variety=0.2), vocabulary=known)
    shy = Dancer("Cleo and Dan", character=Character(drive=0.3, boldness=0.0, variety=0.9), vocabulary=known)

    hall = Environment("waltz", minutes=0.5, couples=4, seed=7, floor=Ground(width=7.0, length=9.0))
    evening = choreograph(hall, patterns, [bold, shy])

    for each in reports(evening):
        danced = ", ".join(f"{name} {count}" for name, count in each.patterns.items())
        print(f"{each.name}: {each.laps:.2f} laps, never nearer than {100 * each.room:.0f} cm to others; {danced}")

    # How it decided can be asked for: which behaviours spoke for what was chosen, and what was not safe.
    for line in list(decision_lines(evening))[:6]:
        print(line)

    # The same evening from the command line: segue dance floor hall.toml -o floor.png
    for name, dancer in (("ada", bold), ("cleo", shy)):
        write_dancer(dancer, folder / f"{name}.toml")
    write_environment(hall, folder / "hall.toml")
    dance_floor(evening).save(folder / "floor.png")
    floor_page(evening).save(folder / "floor.html")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/16")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
