"""The simulation that an engine streams to its pages, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy.typing as npt

from segue.errors import ArgumentError
from segue.serve.framing import read_message, write_message
from segue.serve.message import Reply
from segue.serve.replies import REPLIES
from segue.serve.simulation_messages import Simulate, SimulationState

_PATIENCE = 2.0  # s for a process to end after its input is closed
_NONE = SimulationState("none", 0.0, 0.0, (), (), 0)
_LOST = "the process of the simulation ended: nothing else is affected, start it again"


class Simulations:
    """Starts, guides and ends the simulation; tell: takes replies with arrays for all pages, from any thread."""

    def __init__(self, folder: Path, tell: Callable[[Reply, Mapping[str, npt.NDArray[Any]] | None], None]) -> None:
        self._folder, self._tell = folder, tell
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.RLock()
        self.state = _NONE

    @property
    def pid(self) -> int | None:
        """The number of the process in the system, None without one."""
        return None if self._process is None else self._process.pid

    def start(self, asked: Simulate) -> None:
        """Start a simulation in the place of the one that runs."""
        self._end()
        with self._lock:
            process = self._process = subprocess.Popen(
                [sys.executable, "-m", "segue.serve.simulation_process"],
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        self._put(asdict(asked))
        threading.Thread(target=self._follow, args=(process,), daemon=True).start()

    def command(self, action: str, **given: Any) -> None:
        """Send a command to the process."""
        if self._process is None:
            raise ArgumentError("no simulation runs: start one")
        self._put({"action": action, **given})

    def stop(self) -> None:
        """End the simulation, if there is one."""
        self._end()
        if self.state != _NONE:
            self._say(_NONE)

    def _end(self) -> None:
        """End the process, if one runs."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        try:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(_PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()

    def _put(self, message: dict[str, Any]) -> None:
        with self._lock:
            try:
                if self._process is not None and self._process.stdin is not None:
                    write_message(cast(BinaryIO, self._process.stdin), message, {})
            except (OSError, ValueError):
                pass  # the thread that follows the process reports its end

    def _say(self, state: SimulationState) -> None:
        self.state = state
        self._tell(state, None)

    def _follow(self, process: subprocess.Popen[bytes]) -> None:
        """Pass on what a process writes until it ends."""
        assert process.stdout is not None
        try:
            while (message := read_message(cast(BinaryIO, process.stdout))) is not None:
                header, arrays = message
                header.pop("arrays")
                reply = REPLIES[header.pop("kind")](**header)
                if process is not self._process:
                    break
                if isinstance(reply, SimulationState):
                    self._say(reply)
                else:
                    self._tell(reply, arrays or None)
        except ArgumentError:
            pass  # it was killed amid a message
        with self._lock:
            if process is not self._process:
                return  # another one was started, or it was stopped
            self._process = None
        process.wait()
        if self.state.state != "failed":
            self._say(SimulationState("failed", 0.0, 0.0, (), (), 0, _LOST))
