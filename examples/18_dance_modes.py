"""Three ways to dance with a body that has mass: by torques alone, with help, and as the thesis of 1990 did it.

Run it with: python examples/18_dance_modes.py [FOLDER]      (needs the extra segue[simulation])
"""

import sys
from pathlib import Path

import segue as sg
from segue.dance.planning.rest import from_rest
from segue.dance.simulation import Mode, Push, SimulatedDance, simulate
from segue.dance.simulation.result import write_series
from segue.view.dance_simulation_film import dance_film


def main(folder: Path) -> None:
    """Dance one pattern in several ways, and compare how it went."""
    # Arms hang at first, are raised before the first step, and lowered after the last.
    plan = from_rest(sg.dance.plan("swing/single basic", figure=sg.Figure.standard(1.70, 62.0, "female")), seconds=1.0)
    dance = simulate(plan)
    tell("by torques alone", dance)
    sg.save(dance.motion, folder / "swing.bvh")
    dance_film(dance).save(folder / "swing.png")

    # Everything that was felt, as columns over time: torques of joints, forces on feet, centres of mass and pressure.
    write_series(dance, folder / "swing.csv")

    # A hard push: by torques alone the dancer steps elsewhere to stay up, or falls, and says so.
    shove = Push(time=2.0, force=300.0, duration=0.1, direction="left")
    tell("pushed hard", simulate(plan, pushes=[shove]))

    # With help a torque from outside keeps up who would fall; how much of it was needed is always told.
    helped = simulate(plan, mode=Mode.ASSISTED, pushes=[shove])
    tell("pushed hard, with help", helped)
    print(f"  the help was at most {helped.help.largest:.0f} N m, {helped.help.impulse:.0f} N m s in all")

    # The thesis moved every limb by itself, with springs and dampers.
    tell("as in 1990", simulate(plan, mode=Mode.CLASSIC))


def tell(how: str, dance: SimulatedDance) -> None:
    """Print how a dance went."""
    made = f"{len(dance.landings)} of {dance.due} landings, feet slip {1e3 * dance.slip:.1f} mm"
    print(f"{how}: {made}, {dance.fall or 'no fall'}")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/18")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
