"""Compile kernels in processes of their own while pages already view and edit, with a true progress.

Nothing is started while all kernels come from the cache or from the linked module.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import IO

from segue.compiled.kernel import watchers
from segue.serve.engine import Engine
from segue.serve.replies import Warm

TOURS = {"solving": 3, "moving": 4}
"""Tours of `segue warm`, and how many parts each has."""


class Warming:
    """Starts the tours of `segue warm` when the first kernel has to be compiled, and tells the engine's pages."""

    def __init__(self, engine: Engine, command: tuple[str, ...] = (sys.executable, "-m", "segue")) -> None:
        self._engine, self._command = engine, command
        self._processes: list[subprocess.Popen[bytes]] = []
        self._done = 0
        self._lock = threading.Lock()
        watchers.append(self._compiles)

    def _compiles(self, name: str) -> None:
        """Start the tours, once."""
        with self._lock:
            if self._processes:
                return
            self._processes = [
                subprocess.Popen(
                    [*self._command, "warm", "--tour", tour],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
                for tour in TOURS
            ]
        self._tell(f"compiling {name} and other kernels, once")
        for process in self._processes:
            assert process.stdout is not None
            threading.Thread(target=self._count, args=(process, process.stdout), daemon=True).start()

    def _count(self, process: subprocess.Popen[bytes], lines: IO[bytes]) -> None:
        for line in lines:
            with self._lock:
                self._done += 1
            self._tell(f"kernels for {line.decode(errors='replace').strip()} are compiled")
        process.wait()
        if all(each.poll() is not None for each in self._processes):
            self._engine.warm = Warm(1.0, "all kernels are compiled")
            self._engine.broadcast(self._engine.warm)

    def _tell(self, sentence: str) -> None:
        share = min(self._done / sum(TOURS.values()), 0.99)
        self._engine.warm = Warm(share, sentence)
        self._engine.broadcast(self._engine.warm)

    def close(self) -> None:
        """End the processes: they stop when their input is closed."""
        if self._compiles in watchers:
            watchers.remove(self._compiles)
        for process in self._processes:
            if process.stdin is not None:
                process.stdin.close()
