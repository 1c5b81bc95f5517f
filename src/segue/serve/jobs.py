"""Long work in processes of its own, with progress and cancel: libraries and simulated dances."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from segue.errors import ArgumentError
from segue.serve.message import Reply
from segue.serve.replies import JobState

_MOST = 2  # jobs at once: each uses a core
_PATIENCE = 2.0  # s for a cancelled process to end by itself


class Jobs:
    """The jobs of an engine. tell: takes the state of each job, from any thread."""

    def __init__(self, folder: Path, tell: Callable[[Reply], None]) -> None:
        self._folder, self._tell = folder, tell
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._cancelled: set[str] = set()
        self._count = 0
        self._lock = threading.Lock()

    def start(self, what: str, arguments: Sequence[str], request: int = 0) -> str:
        """Start a job and return its name."""
        with self._lock:
            if len(self._running) >= _MOST:
                raise ArgumentError(f"{_MOST} jobs run already: cancel one, or wait for it")
            self._count += 1
            name = f"{what} {self._count}"
            process = self._running[name] = subprocess.Popen(
                [sys.executable, "-m", "segue.serve.job_process", what, *arguments],
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        self._tell(JobState(name, what, 0, 0, "running", request=request))
        threading.Thread(target=self._follow, args=(name, what, process, request), daemon=True).start()
        return name

    def cancel(self, name: str) -> None:
        """Stop a job; raise if there is none of this name."""
        with self._lock:
            process = self._running.get(name)
            if process is None:
                raise ArgumentError(f"there is no job '{name}' that runs")
            self._cancelled.add(name)
        self._end(process)

    def close(self) -> None:
        """Stop all jobs."""
        with self._lock:
            running = dict(self._running)
            self._cancelled |= running.keys()
        for process in running.values():
            self._end(process)

    @property
    def processes(self) -> dict[str, int]:
        """The process of each job that runs, by its number in the system."""
        with self._lock:
            return {name: process.pid for name, process in self._running.items()}

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Close the process's input, at which it stops; kill it where it does not."""
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _follow(self, name: str, what: str, process: subprocess.Popen[bytes], request: int) -> None:
        """Pass on the progress of a process until it ends."""
        ended: tuple[Literal["finished", "failed"], str] = (
            "failed",
            f"the process of '{what}' ended before its work was done: nothing else is affected, start it again",
        )
        assert process.stdout is not None
        for line in process.stdout:
            try:
                said = json.loads(line)
            except ValueError:
                continue  # something that a library prints
            if "of" in said:
                state = JobState(name, what, said["done"], said["of"], "running", said["sentence"], request=request)
                self._tell(state)
            else:
                ended = said["state"], said["sentence"]
        process.wait()
        with self._lock:
            del self._running[name]
            cancelled = name in self._cancelled
        if cancelled:
            self._tell(JobState(name, what, 0, 0, "cancelled", "cancelled", request=request))
        else:
            self._tell(JobState(name, what, 1, 1, *ended, request=request))
