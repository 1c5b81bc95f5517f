"""A body with mass dances by its joint torques alone: how well, what it felt, and what it cost.

Run it with: python examples/17_simulated_dance.py [FOLDER]      (needs the extra segue[simulation])
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue.dance.simulation import Push, energetics, simulate
from segue.view.dance_simulation import dance_page, simulated_dance


def main(folder: Path) -> None:
    """Dance a swing, look at it, and push the dancer."""
    # The same plan that a preview performs, danced: physics at 1 kHz, motor control at 500 Hz.
    dance = simulate(sg.dance.plan("swing/single basic"))
    print(f"{len(dance.landings)} of {dance.due} landings, within {1e3 * dance.beat_error:.0f} ms of the beat")
    print(f"  planted feet slip {1e3 * dance.slip:.1f} mm; force from outside {dance.outside.applied:g} N")

    # What it felt: arrays over time, 100 frames a second.
    loads = dance.forces[..., 1].sum(axis=1)
    print(f"  the floor pushes with {np.median(loads):.0f} N, and {loads.max():.0f} N at most")
    cost = energetics(dance)
    gave = {joint: float(np.clip(np.diff(work), 0.0, None).sum()) for joint, work in cost.work.items()}
    hardest = max(gave, key=lambda joint: gave[joint])
    print(f"  joints give {sum(gave.values()):.0f} J in all, most of it the {hardest.replace('_', ' ')}")

    # One sheet with everything, and a page that plays it with the floor's push on each foot.
    simulated_dance(dance).save(folder / "swing.png")
    dance_page(dance).save(folder / "swing.html")

    # A dance is a motion like any other.
    sg.save(dance.motion, folder / "swing.bvh", fps=60)

    # A shove from the side while it stands on one foot: it says whether it fell.
    shoved = simulate(sg.dance.plan("swing/single basic"), pushes=[Push.parse("t=3 s, 60 N, 0.1 s, left, chest")])
    swayed = 100 * np.abs(shoved.centre - dance.centre[: len(shoved.centre)]).max()
    print(f"shoved: {shoved.fall or 'it stays up'}, {swayed:.1f} cm off its way at most")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/17")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
