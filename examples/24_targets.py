"""Set where a foot stands and where a hand is inside a filled gap, and print what was met.

Run it with: python examples/24_targets.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue import view


def main(folder: Path) -> None:
    """Fill a second of a walk four times, with different targets, print what was met, and draw it."""
    wanted: dict[str, list[sg.Footstep | sg.Reach]] = {
        "plain": [],
        "aside": [sg.Footstep("right_foot", 1.5, 1.9, x=-0.25, z=2.28, heading=-10)],
        "waving": [sg.Reach("right_hand", 1.6, x=-0.4, y=1.5, z=2.3)],
        "ducking": [sg.Reach("hips", 1.5, x=0.0, y=0.75, z=2.0)],
    }
    versions: dict[str, sg.Motion] = {}
    for name, targets in wanted.items():
        made = sg.fill(sg.clips.walk, [(1.0, 2.0)], supports=targets)
        report = made.fills[0]
        for each in report.supports:
            print(
                f"{name}: {each.point} {each.start:.2f} to {each.stop:.2f} s, off by {1000 * (each.moved or 0):.1f} mm"
            )
        for note in report.notes:
            print(f"{name}: {note}")
        sg.save(made, folder / f"walk_{name}.bvh")
        versions[name] = made
    shown = np.linspace(0.9, 2.1, 7)
    gap = {name: made.fills for name, made in versions.items()}
    film = view.plot_comparison(versions, fills=gap, times=shown, names=["right_hip"], spacing=0.6, height=180)
    film.save(folder / "targets.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/24")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
