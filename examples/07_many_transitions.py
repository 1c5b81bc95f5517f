"""Many transitions at once, on all cores: which moments of two clips join best?

Run it with: python examples/07_many_transitions.py [FOLDER]
"""

import sys
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import segue as sg
from segue.view import plot_fills

LEAVES = np.round(np.arange(1.4, 2.61, 0.1), 2)
ENTERS = np.round(np.arange(0.1, 0.91, 0.1), 2)


def main(folder: Path) -> None:
    """Try every pair of moments, draw what each costs, and keep the best."""
    walk, run = sg.clips.walk, sg.clips.run
    joins = [sg.Join(walk, run, 0.5, leave=leave, enter=enter) for leave in LEAVES for enter in ENTERS]

    # The same motions as one after another, to the last bit; kernels release the interpreter lock.
    sg.transition(walk, run)  # whatever has to be compiled or fitted once
    began = time.perf_counter()
    made = sg.transitions(joins)
    took = time.perf_counter() - began
    print(f"{len(made)} transitions in {took:.2f} s")

    # What each costs, and how much of a cubic's cost that is: both say how well the moments fit each other.
    costs = np.array([each.fills[0].energy for each in made]).reshape(len(LEAVES), len(ENTERS))
    best = int(costs.argmin())
    leave, enter = joins[best].leave, joins[best].enter
    dearest = costs.max() / costs.min()
    print(f"cheapest: leave at {leave:g} s, enter at {enter:g} s; the dearest costs {dearest:.1f} times that")

    image, axes = plt.subplots(figsize=(5, 5), layout="constrained")
    picture = axes.pcolormesh(ENTERS, LEAVES, costs / costs.min(), cmap="cividis")
    axes.plot(enter, leave, "o", color="white", mec="black")
    axes.set(xlabel="enter the run at (s)", ylabel="leave the walk at (s)")
    image.colorbar(picture, label="cost, as a multiple of the cheapest")
    image.savefig(folder / "moments.png", dpi=120)
    plt.close(image)

    plot_fills(made[best], made[best].fills, times=10).save(folder / "best.png")
    sg.save(made[best], folder / "best.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/07")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
