"""Compile the kernels that the tests share, in two processes, before pytest starts its workers.

Run it with: python -m tests.warm. On an empty cache two workers would otherwise compile most kernels twice. Each tour
uses other features than the one beside it, the slowest to compile first. A kernel that no tour reaches is compiled by
the test that needs it. With a full cache the tours take seconds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import segue as sg
from segue.clips import poses
from segue.dance import measure_couple, preview_couple
from segue.dance import plan as make_plan
from segue.dance.behaviour import Environment, both_parts, choreograph
from segue.dance.patterns import DanceLibrary
from segue.dynamics import FigureTree, inverse_dynamics
from segue.filling import distance_map
from segue.motion.box import Box
from segue.plausibility import check
from segue.view import strip


def keyframes(folder: Path) -> None:
    """Improve a run beside a box, and rotations alone."""
    keys = [sg.key(sg.clips.run, at) for at in (0.0, 0.2, 0.4)]
    sg.improve(keys, ground=0.0, boxes={"step": Box.step(0.1, near=5.0, far=6.0)})
    sg.improve_rotations([0.0, 1.0, 2.0], [[1.0, 0.0, 0.0, 0.0], [0.8, 0.6, 0.0, 0.0], [0.6, 0.0, 0.8, 0.0]])


def library(folder: Path) -> None:
    """Build a library, fill from it, and look for cut points."""
    walk = sg.clips.walk
    (folder / "clips").mkdir()
    sg.save(sg.repeat(sg.make_loop(walk), 8), folder / "clips" / "walk.bvh", fps=30.0)
    built = sg.Library.build(folder / "clips", folder / "clips.lib")
    sg.fill(walk, [(1.0, 1.9)], library=built, self_prior=False)
    distance_map(walk, sg.clips.kick, 0.4)


def clips(folder: Path) -> None:
    """Fit, save, load, check, mirror, repeat and draw a clip."""
    walk = sg.clips.walk
    sg.save(walk, folder / "walk.bvh")
    again = sg.load(folder / "walk.bvh")
    again.to_clip()
    check(again)
    sg.mirror(walk).at(np.array([0.1]))
    sg.repeat(sg.make_loop(walk), 2).to_clip()
    strip(walk.figure, walk.poses, frames=2, height=48)


def dynamics(folder: Path) -> None:
    """Compute torques of a clip."""
    walk = sg.clips.walk
    model = FigureTree.about(walk.figure, walk.poses)
    values = model.coordinates(walk.poses)
    inverse_dynamics(model.tree, values, np.zeros_like(values), np.zeros_like(values))


def simulation(folder: Path) -> None:
    """Simulate the first steps of one dancer and of a couple."""
    if find_spec("mujoco") is None:
        return
    from segue.dance.simulation import simulate
    from segue.dance.simulation.couple import simulate_couple

    def stop(done: int, of: int) -> None:
        if done > 0.15 * of:
            raise KeyboardInterrupt  # ends the dance, and what was simulated is returned

    simulate(make_plan("swing/single basic"), progress=stop).motion.to_clip()
    simulate_couple(preview_couple("waltz/box step"), progress=stop)


def dance(folder: Path) -> None:
    """Preview a couple and let two couples choose what to dance."""
    measure_couple(preview_couple("waltz/box step"))
    choreograph(Environment("waltz", minutes=0.1, couples=2, seed=7), both_parts(DanceLibrary(), "waltz"))


def solver(folder: Path) -> None:
    """Fill gaps of the whole body and of an arm; of poses, so that nothing need be fitted."""
    walk, run = (sg.Motion.from_poses(sg.Figure.standard(1.75), poses(name), 60.0) for name in ("walk", "run"))
    sg.transition(walk, run, 0.6, leave=1.9, enter=0.05)
    sg.fill(walk, [(1.0, 1.3)], "right_arm")


TOURS: dict[str, tuple[Callable[[Path], None], ...]] = {
    "solving": (solver, dynamics, keyframes),
    "moving": (clips, simulation, dance, library),
}


def main() -> None:
    """Run all tours, or the one that is named on the command line."""
    if len(sys.argv) > 1:
        warnings.simplefilter("ignore")
        with tempfile.TemporaryDirectory() as folder:
            for part in TOURS[sys.argv[1]]:
                part(Path(folder))
        return
    processes = [subprocess.Popen([sys.executable, "-m", "tests.warm", name]) for name in TOURS]
    for process in processes:
        process.wait()


if __name__ == "__main__":
    main()
