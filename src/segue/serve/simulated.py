"""Frames of a simulation as pages draw and plot them: poses, forces of the floor, energy and hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.dance.simulation import SimulatedDance, energetics
from segue.dance.simulation.couple import SimulatedCouple
from segue.dance.simulation.dancer import FPS
from segue.dance.simulation.running import Simulation
from segue.serve.simulation_messages import SimulatedFrames
from segue.view.dance_simulation import floor_forces, held_forces
from segue.view.web.contents import DrawnGround, ShownMotion, body, encode, force_ends

Arrays = dict[str, npt.NDArray[Any]]


def frames_of(now: Simulation[Any], first: int, branch: int) -> Iterator[tuple[SimulatedFrames, Arrays]]:
    """Yield a message with arrays for each dancer, with the frames from one on."""
    before = min(first, 1)  # velocities need a frame before
    dance: SimulatedDance | SimulatedCouple = now.result(first=first - before)
    if isinstance(dance, SimulatedDance):
        yield _frames(dance, 0, first, before, branch, "")
        return
    for index, (part, each) in enumerate(dance.parts.items()):
        message, arrays = _frames(each, index, first, before, branch, part)
        hold = dance.hold
        arrays["ends"] = _ends(held_forces(dance, index), before)
        if index == 0:
            arrays["hold"] = np.linalg.norm(hold.forces[before:], axis=2).astype("<f4")
        yield message, arrays


def _frames(
    dance: SimulatedDance, index: int, first: int, before: int, branch: int, label: str
) -> tuple[SimulatedFrames, Arrays]:
    motion, count = dance.motion, len(dance.positions) - before
    poses = encode(motion.poses[before:])
    whole = (
        body(ShownMotion(label, motion, (), ground=None, mesh=False), DrawnGround(None, 0.0)) if first == 0 else None
    )
    energy = energetics(dance).mechanical if len(dance.positions) > 1 else np.zeros(1)
    loads = dance.forces[before:, :, 1].reshape(count, 2, -1).sum(axis=2)
    hinges = {"lows": list(poses.lows), "steps": list(poses.steps)}
    message = SimulatedFrames(branch, index, first, count, FPS, hinges, whole)
    arrays: Arrays = {
        "root": poses.root,
        "balls": poses.balls,
        "hinges": poses.hinges,
        "ends": _ends(floor_forces(dance), before),
        "loads": loads.astype("<f4"),
        "energy": energy[before:].astype("<f4"),
        "balance": np.concatenate([dance.centre[before:], dance.pressure[before:]], axis=1).astype("<f4"),
    }
    return message, arrays


def _ends(forces: Any, before: int) -> npt.NDArray[Any]:
    return force_ends(forces)[before:]
