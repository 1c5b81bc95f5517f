"""Getting ready: what must be compiled on a new machine is compiled on two processors at once.

Run as a module, it compiles the solver alone; the compiled code is kept on disk, where the gallery finds it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np

import segue as sg
from segue import view
from segue.clips.library import poses
from segue.motion.motion import Motion
from segue.plausibility import plausibility

__all__ = ["get_ready", "solve_something"]


def get_ready(tell: Callable[[str, float], None]) -> None:
    """Compile fit, renderer and measures here, and the solver in a process of its own meanwhile."""
    tell("compiling, once on a new machine", 0.0)
    beside = subprocess.Popen(
        [sys.executable, "-m", __name__], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _look_at_something()
        tell("compiling, once on a new machine", 0.5)
        # whatever it could not do is compiled when it is needed
        beside.wait()
    finally:
        if beside.poll() is None:
            beside.terminate()
            beside.wait()


def _look_at_something() -> None:
    walk = sg.clips.walk
    view.strip(walk.figure, walk.poses, frames=2, height=48)
    walk.to_clip()
    plausibility(walk)
    sg.mirror(walk).at(np.array([0.1]))
    sg.repeat(sg.cyclify(walk), 2).to_clip()


def solve_something() -> None:
    """Fill a gap of the whole body and one of an arm; of poses, so that nothing need be fitted."""
    walk, run = (_unfitted(name) for name in ("walk", "run"))
    sg.transition(walk, run, 0.6, leave=1.9, enter=0.05)
    sg.fill(walk, [(1.0, 1.3)], "right_arm")


def _unfitted(name: str) -> Motion:
    return Motion.from_poses(sg.Figure.standard(1.75), poses(name), 60.0)


if __name__ == "__main__":
    solve_something()
