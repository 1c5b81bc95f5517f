"""A second of a walk filled without and with the learned prior, beside the walk itself.

Run it with: python examples/23_steps_across_a_gap.py [FOLDER] [CLIP] [START_OF_THE_GAP]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue import view


def main(folder: Path, walk: sg.Motion, start: float) -> None:
    """Fill a second of a walk twice, and draw both fills and the walk."""
    stop = start + 1.0
    filled = {
        "without a prior": sg.fill(walk, [(start, stop)], prior="none"),
        "with the learned prior": sg.fill(walk, [(start, stop)], prior="learned"),
    }

    # Mean distance of the joints from the frames that were erased.
    times = np.linspace(start, stop, 31)
    erased = walk.figure.forward(walk.at(times))[0]
    for name, motion in filled.items():
        distance = np.linalg.norm(walk.figure.forward(motion.at(times))[0] - erased, axis=-1).mean()
        print(f"{name}: {100 * distance:.1f} cm from the walk itself")
        for note in motion.fills[0].notes:
            print(f"  {note}")

    # All three at the same times. The gap is in colour.
    versions = {**filled, "the walk itself": walk}
    gap = dict.fromkeys(versions, filled["without a prior"].fills)
    shown = np.linspace(max(walk.start, start - 0.2), min(walk.stop, stop + 0.2), 8)
    knees = ["left_knee_flexion", "right_knee_flexion"]
    film = view.plot_comparison(versions, fills=gap, times=shown, names=knees, spacing=0.55, height=170)
    film.save(folder / "film.png")

    # The floor from above: a sole wherever a foot stands.
    soles = [{name: view.plot_footprints(m.figure, m.poses, fps=m.fps, start=m.start)} for name, m in versions.items()]
    view.arrange(soles).save(folder / "footprints.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/23")
    target.mkdir(parents=True, exist_ok=True)
    source = sg.load(sys.argv[2]) if len(sys.argv) > 2 else sg.clips.walk
    main(target, source, float(sys.argv[3]) if len(sys.argv) > 3 else 1.2)
