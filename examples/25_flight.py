"""A jump or a run filled with a root that is given, and with a free root, beside the capture.

Run it with: python examples/25_flight.py [FOLDER] [CLIP] [START_OF_THE_GAP] [STOP]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue import view


def main(folder: Path, motion: sg.Motion, start: float, stop: float) -> None:
    """Fill a gap twice, and draw the film, the centre of mass and the push of the ground."""
    versions = {
        "captured": motion,
        "given root": sg.fill(motion, [(start, stop)], root="given"),
        "free root": sg.fill(motion, [(start, stop)], root="free"),
    }
    times = np.linspace(start, stop, 31)
    for name, each in versions.items():
        height = each.figure.centre_of_mass(each.at(times))[:, 1].max()
        print(f"{name}: the centre of mass rises to {height:.3f} m")
    gap = dict.fromkeys(versions, versions["given root"].fills)
    shown = np.linspace(max(motion.start, start - 0.1), min(motion.stop, stop + 0.1), 9)
    film = view.plot_comparison(versions, fills=gap, times=shown, names=["left_knee_flexion"], spacing=0.6, height=190)
    view.arrange([{"": film}, {"": view.plot_compared_falls(versions, start, stop)}]).save(folder / "flight.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/25")
    target.mkdir(parents=True, exist_ok=True)
    source = sg.load(sys.argv[2]) if len(sys.argv) > 2 else sg.clips.run
    begin, end = (float(sys.argv[k]) if len(sys.argv) > k else usual for k, usual in ((3, 0.9), (4, 1.6)))
    main(target, source, begin, end)
