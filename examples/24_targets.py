"""Tell a filled gap where a foot stands and where a hand is, and see what it costs."""

import sys
from pathlib import Path

import segue as sg


def main(folder: Path) -> None:
    """Fill a second of a walk four times, with different targets, and print what was met."""
    wanted: dict[str, list[sg.Footstep | sg.Reach]] = {
        "plain": [],
        "aside": [sg.Footstep("right_foot", 1.5, 1.9, x=-0.25, z=2.28, heading=-10)],
        "waving": [sg.Reach("right_hand", 1.6, x=-0.4, y=1.5, z=2.3)],
        "ducking": [sg.Reach("hips", 1.5, x=0.0, y=0.75, z=2.0)],
    }
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


if __name__ == "__main__":
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "targets")
    out.mkdir(exist_ok=True)
    main(out)
