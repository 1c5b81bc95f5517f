"""A process that carries out cases with limits on time and memory: a case that breaks them is a finding."""

from __future__ import annotations

import faulthandler
import multiprocessing
import resource
import signal
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from tests.fuzz.formats import FORMATS, case
from tests.fuzz.oracle import Outcome, judged

__all__ = ["Worker"]

_CPU = 60  # seconds of one processor for a case
_MEMORY = 3 * 2**30  # bytes above those that are taken before a case
_CLOCK = 900.0  # seconds on the clock, for a case that waits instead of computing


class Worker:
    """A process that carries out one case after another."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._trace = tempfile.NamedTemporaryFile("r", suffix=".trace")  # noqa: SIM115 (it lives as long as the worker)
        self._process = context.Process(target=_work, args=(other, self._trace.name), daemon=True)
        self._process.start()
        other.close()
        self.has_ended = False

    def warm_up(self, name: str) -> None:
        """Run valid inputs without limits, which compiles what is not compiled yet."""
        self._pipe.send((name, None, None))
        try:
            self._pipe.recv()
        except (EOFError, OSError):
            raise SystemExit(f"the valid inputs of '{name}' end the process:\n{self._trace.read()}") from None

    def outcome(self, name: str, seed: int, number: int) -> Outcome:
        """Run one case."""
        self._pipe.send((name, seed, number))
        try:
            if self._pipe.poll(_CLOCK):
                received: Outcome = self._pipe.recv()
                return received
            kind = f"no answer after {_CLOCK:g} s on the clock"
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode or 0
            ended = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            kind = f"over {_CPU} s of CPU" if ended == "SIGXCPU" else f"the process ended: {ended}"
        self.end()
        trace = self._trace.read()
        frames = [line.strip() for line in trace.splitlines() if "segue" in line and "tests" not in line]
        return Outcome(finding=f"{kind}\n{trace}", kind=f"{kind} {frames[0].rpartition('segue/')[2] if frames else ''}")

    def end(self) -> None:
        """Stop the process."""
        self._process.kill()
        self._process.join()
        self.has_ended = True


def _work(pipe: Connection, trace: str) -> None:
    file: IO[str] = open(trace, "w", encoding="utf-8")  # noqa: SIM115 (as long as the process)
    faulthandler.enable(file)
    faulthandler.register(signal.SIGXCPU, file, all_threads=False, chain=True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            name, seed, number = pipe.recv()
        except EOFError:
            return
        attempt = FORMATS[name].attempt
        if number is None:
            _limit(None, None)
            for data in FORMATS[name].seeds():
                judged(attempt, data)
            pipe.send(None)
            continue
        data = case(name, seed, number, clips=True)
        _limit(int(time.process_time()) + _CPU + 1, _memory() + _MEMORY)
        outcome = judged(attempt, data)
        _limit(None, None)
        pipe.send(outcome)


def _limit(cpu: int | None, memory: int | None) -> None:
    for what, wanted in ((resource.RLIMIT_CPU, cpu), (resource.RLIMIT_AS, memory)):
        most = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if wanted is None else wanted, most))


def _memory() -> int:
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * resource.getpagesize()
