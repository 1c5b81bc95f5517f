"""`segue warm`: compile all kernels before they are needed, in two processes.

Each tour uses other features than the one beside it, the slowest to compile first. A kernel that no tour reaches is
compiled when it is first used.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Annotated

import numpy as np
import typer

import segue as sg
from segue.cli.console import progress_bar, say
from segue.clips import poses
from segue.errors import ArgumentError
from segue.motion.box import Box


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
    sg.cut_points(walk, sg.clips.kick, duration=0.4)


def clips(folder: Path) -> None:
    """Fit, save, load, check, mirror, repeat and draw a clip."""
    from segue.view import strip  # each tour imports what it alone needs

    walk = sg.clips.walk
    sg.save(walk, folder / "walk.bvh")
    again = sg.load(folder / "walk.bvh")
    again.to_clip()
    sg.check(again)
    sg.mirror(walk).at(np.array([0.1]))
    sg.repeat(sg.make_loop(walk), 2).to_clip()
    strip(walk.figure, walk.poses, frames=2, height=48)


def dynamics(folder: Path) -> None:
    """Compute torques of a clip."""
    from segue.dynamics import FigureTree, inverse_dynamics

    walk = sg.clips.walk
    model = FigureTree.about(walk.figure, walk.poses)
    values = model.coordinates(walk.poses)
    inverse_dynamics(model.tree, values, np.zeros_like(values), np.zeros_like(values))


def simulation(folder: Path) -> None:
    """Simulate the first steps of one dancer and of a couple."""
    if find_spec("mujoco") is None:
        return
    from segue.dance import plan, preview_couple, simulate, simulate_couple

    def stop(done: int, of: int) -> None:
        if done > 0.15 * of:
            raise KeyboardInterrupt  # ends the dance, and what was simulated is returned

    simulate(plan("swing/single basic"), progress=stop).motion.to_clip()
    simulate_couple(preview_couple("waltz/box step"), progress=stop)


def dance(folder: Path) -> None:
    """Preview a couple and let two couples choose what to dance."""
    from segue.dance import measure_couple, preview_couple
    from segue.dance.behaviour import Environment, both_parts, choreograph
    from segue.dance.patterns import DanceLibrary

    measure_couple(preview_couple("waltz/box step"))
    choreograph(Environment("waltz", minutes=0.1, couples=2, seed=7), both_parts(DanceLibrary(), "waltz"))


def solver(folder: Path) -> None:
    """Fill gaps of the whole body and of an arm; of poses, so that nothing need be fitted."""
    walk, run = (sg.Motion.from_poses(sg.Figure.standard(1.75), poses(name), 60.0) for name in ("walk", "run"))
    sg.transition(walk, run, 0.6, leave=1.9, enter=0.05)
    sg.fill(walk, [(1.0, 1.3)], "right_arm")
    sg.transition(sg.clips.walk, sg.clips.run, 0.6)


TOURS: dict[str, tuple[Callable[[Path], None], ...]] = {
    "solving": (solver, dynamics, keyframes),
    "moving": (clips, simulation, dance, library),
}


def warm_up(
    tour: Annotated[str | None, typer.Option(hidden=True, help="Run one tour in this process.")] = None,
    link: Annotated[bool, typer.Option(help="Link all kernels into one module: commands start sooner.")] = False,
) -> None:
    """Compile all kernels now, so that no later command waits for them.

    Segue compiles a kernel when it is first used and keeps the result in a cache. This command runs a tour of all
    features in two processes. With an empty cache this takes one to two minutes on two cores, with a full one seconds.

    With --link the command also links all kernels into one extension module in the cache, which needs a C compiler and
    Python's headers. Later commands then do not load numba, unless a kernel has changed since.

    Example: segue warm --link
    """
    if tour is None:
        _run_all()
        if link:
            _link()
        return
    if tour not in TOURS:
        raise ArgumentError(f"there is no tour '{tour}': there are {', '.join(TOURS)}")
    if not sys.stdin.isatty():
        # the process that started this one holds the other end: without it, nobody needs the kernels
        threading.Thread(target=_end_with, args=(sys.stdin,), daemon=True).start()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        for part in TOURS[tour]:
            part(Path(folder))
            print(part.__name__, flush=True)


def _run_all() -> None:
    """Run all tours at once, each in a process of its own; show how many parts are done."""
    command = [sys.executable, "-m", "segue", "warm", "--tour"]
    total, done = sum(map(len, TOURS.values())), 0
    with progress_bar("Compiling") as advance:
        advance(0, total)
        processes = [
            subprocess.Popen([*command, tour], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for tour in TOURS
        ]
        counted = threading.Lock()

        def count(lines: IO[bytes]) -> None:
            nonlocal done
            for _ in lines:
                with counted:
                    done += 1
                    advance(done, total)

        counting = [threading.Thread(target=count, args=(process.stdout,)) for process in processes]
        for thread in counting:
            thread.start()
        for thread, process in zip(counting, processes, strict=True):
            thread.join()
            process.wait()
    if done < total:
        raise ArgumentError(
            f"{total - done} of {total} parts of the tour failed: see what 'segue warm --tour NAME' prints"
        )
    say("all kernels are compiled")


def _link() -> None:
    """Link all kernels into the module of the cache."""
    from segue.compiled.machine import cached_file
    from segue.compiled.machine.link import link  # imports numba

    with progress_bar("Linking") as advance:
        count = link(cached_file(), progress=advance)
    say(f"{count} functions are linked")


def _end_with(stream: IO[str]) -> None:
    stream.read()
    os._exit(0)
