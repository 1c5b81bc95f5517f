"""Ground that is not level: a walk steps onto a platform, and its ground is found again from where the feet rest.

The ground is the file examples/20_step_up.toml. Run it with: python examples/20_stairs.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue import view
from segue.io.ground import read_ground


def main(folder: Path) -> None:
    """Step up, look at how deep the feet are in the ground, find the ground again, and fill a gap on it."""
    walk = sg.clips.walk
    ground = read_ground(Path(__file__).with_name("20_step_up.toml"))

    # The second walk is moved to where the transition leads, and raised to the ground that it finds there.
    up = sg.transition(walk, walk, 0.6, leave=1.0, enter=0.5, ground=ground)
    times = np.linspace(up.start, up.stop, 300)
    soles = [up.figure.point(name, up.at(times)) for name in ("left_heel", "left_ball", "right_heel", "right_ball")]
    deepest = max(-float(ground.above(sole).min()) for sole in soles)
    print(f"no foot is more than {100 * max(deepest, 0.0):.1f} cm inside the step")

    # A clip in a file has no ground. Segue finds the ground from where the feet rest.
    sg.save(up, folder / "step_up.bvh")
    read = sg.load(folder / "step_up.bvh")
    floor, top = (float(read.ground.height(0.0, z)) for z in (0.0, 4.0))
    print(f"found again: a step of {100 * (top - floor):.0f} cm")
    mended = sg.fill(read, [(1.5, 1.9)])
    print(f"a gap on the step was filled: {mended.fills[0].status}")

    view.plot_fills(up, up.fills, times=9, ground=ground).save(folder / "step_up.png")
    sg.save(mended, folder / "mended.bvh")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("."))
