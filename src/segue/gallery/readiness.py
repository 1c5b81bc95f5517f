"""Getting ready: what must be compiled on a new machine is compiled on two processors at once.

Run as a module, it compiles the solver or the dancer's motor control alone; the compiled code is kept on disk, where
the gallery finds it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

import segue as sg
from segue import view
from segue.clips.library import poses
from segue.gallery.dancing_by_torques import can_simulate, dance_something
from segue.motion.motion import Motion
from segue.plausibility import plausibility

__all__ = ["get_ready", "readying_the_dancer", "solve_something"]


def get_ready(tell: Callable[[str, float], None]) -> None:
    """Compile fit, renderer and measures here, and the solver in a process of its own meanwhile."""
    tell("compiling, once on a new machine", 0.0)
    with _beside("solver") as solver:
        _look_at_something()
        tell("compiling, once on a new machine", 0.5)
        # whatever it could not do is compiled when it is needed
        solver.wait()


@contextmanager
def readying_the_dancer() -> Iterator[None]:
    """Compile motor control in a process of its own while something else is done, as far as that takes."""
    if not can_simulate():
        yield
        return
    with _beside("dancer"):
        yield


@contextmanager
def _beside(what: str) -> Iterator[subprocess.Popen[bytes]]:
    """Begin a process that compiles something, and end it in the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, what],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


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
    {"solver": solve_something, "dancer": dance_something}[sys.argv[1]]()
