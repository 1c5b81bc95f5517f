"""A simulated dancer is watched while it dances, pushed on the way, and taken back to dance on differently.

Run it with: python examples/26_streamed_simulation.py [FOLDER]      (needs the extra segue[simulation])
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue.dance.simulation import History, Push, SoloSimulation
from segue.view.dance_simulation_film import dance_film


def main(folder: Path) -> None:
    """Push a dancer twice at the same time, from two sides."""
    history = History(SoloSimulation(sg.dance.plan("swing/single basic", bars=2)))
    while history.now.time < 2.0:
        history.advance(50)
        latest = history.now.result(first=history.now.frame - 50)
        print(f"{history.now.time:.1f} s: the floor bears {latest.forces[..., 1].sum(axis=1).mean():.0f} N")

    # A push that arrives now has the same effect, to the last bit, as one that was known from the start.
    history.now.push(Push(time=2.0, force=120.0, duration=0.1, direction="left"))
    left = history.now.run()
    print(f"pushed to the left: {left.fall or 'no fall'}")

    # Back to the time of the push: the dancer has never felt it.
    history.branch(2.0)
    history.now.push(Push(time=2.0, force=60.0, duration=0.1, direction="back up 20 deg", segment="head"))
    back = history.now.run()
    apart = 100 * np.linalg.norm(back.centre - left.centre, axis=1).max()
    print(f"pulled back by the head: {back.fall or 'no fall'}; the two dances are {apart:.0f} cm apart at most")
    sg.save(back.motion, folder / "pulled.bvh", fps=60)
    dance_film(back).save(folder / "pulled.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/26")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
