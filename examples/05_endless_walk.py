"""A stride becomes a walk without end, with its travel and its planted feet; and is entered from standing.

The same in the language: examples/05_endless_walk.segue. Run it with: python examples/05_endless_walk.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue import view


def main(folder: Path) -> None:
    """Make a cycle, repeat it, and look at its seam."""
    walk = sg.clips.walk

    # Where does the walk come back to itself? 0 % is a perfect cycle.
    for found in sg.find_loops(walk)[:3]:
        print(f"from {found.start:.2f} to {found.stop:.2f} s, ends differ by {100 * found.score:.1f} %")

    stride = sg.make_loop(walk)
    print(sg.loop_of(stride).describe())
    walking = sg.repeat(stride, duration=10.0)

    # The seam: no jump in value or velocity, wherever the period begins again.
    period = stride.duration
    before, after = walking.state([period - 1e-8]), walking.state([period + 1e-8])
    jump = np.abs(before.hinges.velocity - after.hinges.velocity).max()
    print(f"hinges change their velocity by {jump:.1e} rad/s at the seam")
    slide = sg.check(walking).measures.slide.worst
    print(f"planted feet slide by {100 * slide.slide:.2f} cm at most in {walking.duration:g} s")

    # A cycle is a motion like any other: stretch it, mirror it, enter it at any phase.
    slow = sg.repeat(sg.retime(stride, 0.0, 1.25), 2)
    started = sg.transition(sg.clips.stand, sg.repeat(stride, 4, phase=0.5), 0.8, enter="start")
    print(f"slower: {slow.duration:.2f} s for two strides; from standing: {started.duration:.2f} s")

    sg.save(walking, folder / "walking.bvh")
    sg.save(started, folder / "stand_walk.bvh")
    view.plot_footprints(walking.figure, walking.poses, fps=walking.fps).save(folder / "footprints.png")
    view.plot_seam(walk, stride).save(folder / "seam.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/05")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
