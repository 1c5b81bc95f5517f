"""Compile Segue's kernels in a process of its own, while the gallery uses the other processor.

Run as a module, it compiles the solver or the simulation. Numba keeps the machine code on disk for the gallery.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import segue as sg
from examples.gallery.dance import can_simulate, simulate_short_pattern
from segue import view
from segue.clips import poses
from segue.plausibility import check

_ROOT = Path(__file__).parents[2]


def compile_kernels(report: Callable[[str, float], None]) -> None:
    """Compile the fit, the renderer and the measures here, and the solver in another process at the same time."""
    report("compiling, once on a new machine", 0.0)
    with _process("solver") as solver:
        _use_fit_and_renderer()
        report("compiling, once on a new machine", 0.5)
        # kernels that this process fails to compile are compiled at their first use
        solver.wait()


@contextmanager
def compiling_the_simulation() -> Iterator[None]:
    """Compile the simulation in another process, and end that process at the end of the block."""
    if not can_simulate():
        yield
        return
    with _process("simulation"):
        yield


@contextmanager
def _process(what: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "examples.gallery.compiling", what],
        cwd=_ROOT,
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


def _use_fit_and_renderer() -> None:
    walk = sg.clips.walk
    view.plot_strip(walk.figure, walk.poses, frames=2, height=48)
    walk.to_clip()
    check(walk)
    sg.mirror(walk).at(np.array([0.1]))
    sg.repeat(sg.make_loop(walk), 2).to_clip()


def use_solver() -> None:
    """Fill a gap of the whole body and a gap of one arm, in poses that need no fit."""
    walk, run = (_from_poses(name) for name in ("walk", "run"))
    sg.transition(walk, run, 0.6, leave=1.9, enter=0.05)
    sg.fill(walk, [(1.0, 1.3)], "right_arm")


def _from_poses(name: str) -> sg.Motion:
    return sg.Motion.from_poses(sg.Figure.standard(1.75), poses(name), 60.0)


if __name__ == "__main__":
    {"solver": use_solver, "simulation": simulate_short_pattern}[sys.argv[1]]()
