"""The process of a streamed simulation: `python -m segue.serve.simulation_process`, over pipes.

The first message on standard input has the settings, later ones are commands; `framing` has their layout. The process
writes replies: `simulation` with its state, and `frames`. It ends when its standard input is closed.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from segue.body.figure import Figure
from segue.dance import plan, preview_couple
from segue.dance.notation.model import Part
from segue.dance.patterns import SUFFIX
from segue.dance.performance.couple import CouplePreview
from segue.dance.simulation import Environment, History, Push, SimulatedDance, SoloSimulation
from segue.dance.simulation.couple import CoupleSimulation, SimulatedCouple
from segue.dance.simulation.running import Simulation
from segue.errors import ArgumentError, SegueError
from segue.files import save
from segue.language.workspace import Workspace
from segue.serve.framing import read_message, write_message
from segue.serve.message import Reply
from segue.serve.messages import kind_of, plain
from segue.serve.replies import Saved
from segue.serve.shapes import PushMark
from segue.serve.simulated import frames_of
from segue.serve.simulation_messages import Simulate, SimulationState

CHUNK = 10
"""Frames of a message."""

AHEAD = 200
"""Frames that are simulated beyond those that pages have taken."""


class Process:
    """Simulates a dance and obeys commands between two chunks of frames."""

    def __init__(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        self._stdin, self._stdout = stdin, stdout
        self._commands: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._pushes: list[PushMark] = []
        self._paused, self._taken, self._sent, self._branch = False, 0, 0, 0

    def run(self) -> None:
        """Simulate until the input ends."""
        first = read_message(self._stdin)
        if first is None:
            return
        threading.Thread(target=self._listen, daemon=True).start()
        settings = first[0]
        settings.pop("arrays")
        self._tell("preparing")
        try:
            self._history: History[Any] = History(simulation_of(Simulate(**settings)))
        except SegueError as error:
            self._tell("failed", str(error))
            return
        self._tell_state()
        while True:
            idle = self._paused or self._now.done or self._sent >= self._taken + AHEAD
            try:
                command = self._commands.get(block=idle)
            except queue.Empty:
                self._simulate()
                continue
            if command is None:
                return
            try:
                self._obey(command)
            except SegueError as error:
                self._tell_state(str(error))

    @property
    def _now(self) -> Simulation[Any]:
        return self._history.now

    def _listen(self) -> None:
        while (message := read_message(self._stdin)) is not None:
            self._commands.put(message[0])
        self._commands.put(None)

    def _simulate(self) -> None:
        """Simulate a chunk and send it."""
        try:
            self._history.advance(CHUNK)
        except SegueError as error:
            self._paused = True
            self._tell_state(str(error))
            return
        self._send(self._sent)
        if self._now.done:
            self._tell_state()

    def _send(self, first: int) -> None:
        """Send all frames from one on."""
        for reply, arrays in frames_of(self._now, first, self._branch):
            write_message(self._stdout, {"kind": kind_of(reply), **plain(reply)}, arrays)
        self._sent = self._now.frame

    def _obey(self, command: dict[str, Any]) -> None:
        match command["action"]:
            case "seen":
                self._taken = round(command["time"] * 100)
            case "pause" | "resume":
                self._paused = command["action"] == "pause"
                self._tell_state()
            case "again":
                if self._now.recorded:
                    self._send(0)
                self._tell_state()
            case "branch":
                self._go_back(command["time"])
                self._paused = False
                self._tell_state()
            case "push":
                self._push(command)
            case "keep":
                self._keep(command)

    def _go_back(self, time: float) -> None:
        """Go back to a time that pages show, in s; a later one is the present."""
        time = min(time, self._now.time)
        self._history.branch(time)
        self._pushes = [each for each in self._pushes if each.time < time - 1e-6]
        self._sent = self._taken = self._now.frame
        self._branch += 1

    def _push(self, command: dict[str, Any]) -> None:
        time = min(round(command["time"] * 100), self._now.frame) / 100
        part = Part(command["part"]) if len(self._now.dancers) > 1 else Part.LEADER
        force = np.array(command["force"])
        # what cannot be pushed leaves the simulation as it is
        Push.from_force(time, force, command["lasting"], command["point"], np.eye(3))
        if time < self._now.time:
            self._go_back(time)
        push = Push.from_force(time, force, command["lasting"], command["point"], self._now.dancers[part].facing)
        self._now.push(push, part)
        self._pushes.append(PushMark(time, part.value, str(push), push.force, push.segment))
        self._paused = False
        self._tell_state()

    def _keep(self, command: dict[str, Any]) -> None:
        """Write the motion, or the motions of both parts."""
        path = Workspace().to_write(command["path"])
        dance: SimulatedDance | SimulatedCouple = self._now.result()
        motions = {"": dance.motion} if isinstance(dance, SimulatedDance) else dance.motions
        for part, motion in motions.items():
            save(motion, path.with_stem(f"{path.stem}_{part}") if part else path)
        names = [Path(command["path"]).with_stem(f"{path.stem}_{part}" if part else path.stem) for part in motions]
        sentence = f"{' and '.join(name.as_posix() for name in names)}: {self._now.time:.1f} s"
        self._write(Saved(names[0].as_posix(), "motion", sentence, request=command["request"]))

    def _tell(self, state: Any, sentence: str = "") -> None:
        self._write(SimulationState(state, 0.0, 0.0, (), (), 0, sentence))

    def _tell_state(self, sentence: str = "") -> None:
        """Send the state."""
        now = self._now
        falls = [f"{part}: {each.fall}" for part, each in now.dancers.items() if each.fall is not None]
        state: Any = "done" if now.done else "paused" if self._paused else "running"
        parts = tuple(now.dancers) if len(now.dancers) > 1 else ()
        said = sentence or "; ".join(falls)
        stop, pushes = (now.frames - 1) / 100, tuple(self._pushes)
        self._write(SimulationState(state, now.time, stop, parts, pushes, self._branch, said, now.contacts))

    def _write(self, reply: Reply) -> None:
        write_message(self._stdout, {"kind": kind_of(reply), **plain(reply)}, {})


def simulation_of(asked: Simulate) -> Simulation[Any]:
    """Return the simulation of some settings."""
    name = str(Workspace().to_open(asked.pattern)) if asked.pattern.lower().endswith(SUFFIX) else asked.pattern
    where = Environment(asked.gravity, asked.friction)
    figure = Figure.standard(asked.stature, asked.mass or None)
    tempo = asked.tempo or None
    if asked.part == "couple":
        if asked.mode != "torque":
            raise ArgumentError(f"a couple dances by joint torques alone: mode '{asked.mode}' is for one dancer")
        couple: CouplePreview = preview_couple(name, leader=figure, tempo=tempo, repeat=asked.repeat)
        return CoupleSimulation(couple, where)
    one = plan(name, figure, part=asked.part, tempo=tempo, repeat=asked.repeat)
    return SoloSimulation(one, where, mode=asked.mode)


def main() -> None:
    """Serve on the process's own pipes; prints go to standard error meanwhile."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the engine, which closes the input
    stdout = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    Process(sys.stdin.buffer, stdout).run()
    os._exit(0)  # the thread that reads the input would keep the process


if __name__ == "__main__":
    main()
