"""Fuzz all formats, or those named, for so many seconds together; exit code 1 where something was found.

Inputs that were found are written to out/fuzz with a report. One worker process carries out the cases; a case that ends
the process, or uses too much time or memory, is a finding, and the next worker goes on behind it.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import resource
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from tests.fuzz.formats import FORMATS, case
from tests.fuzz.oracle import Outcome, judged

OUT = Path("out") / "fuzz"
CPU = 60  # seconds of one processor for a case
MEMORY = 3 * 2**30  # bytes above those of a worker that has done nothing yet
CLOCK = 900.0  # seconds on the clock, for a case that waits instead of computing


@dataclass
class Fuzzing:
    """A run: what was tried and what was found, each kind of finding once for a format."""

    seed: int
    found: dict[tuple[str, str], int] = field(default_factory=dict)

    def run(self, names: list[str], seconds: float) -> None:
        """Give each format an equal share of the time."""
        worker = Worker()
        for k, name in enumerate(names):
            worker.warm_up(name)
            stop = time.monotonic() + seconds / len(names)
            number = refused = 0
            while time.monotonic() < stop or number < FORMATS[name].quick:
                outcome = worker.outcome(name, self.seed, number)
                if worker.has_ended:
                    worker = Worker()
                    worker.warm_up(name)
                refused += outcome.refused
                if outcome.finding is not None:
                    self.note(name, number, outcome)
                number += 1
            print(f"{k + 1:2}/{len(names)} {name:12} {number:6} cases, {refused} refused", flush=True)
        worker.end()

    def note(self, name: str, number: int, outcome: Outcome) -> None:
        """Keep the first input of a kind of finding."""
        kind = (name, outcome.kind)
        self.found[kind] = self.found.get(kind, 0) + 1
        if self.found[kind] > 1:
            return
        OUT.mkdir(parents=True, exist_ok=True)
        path = OUT / f"{name}-{self.seed}-{number}{FORMATS[name].suffix}"
        path.write_bytes(case(name, self.seed, number, clips=True))
        path.with_name(f"{path.name}.report").write_text(outcome.finding or "", encoding="utf-8")
        print(f"{path}: {outcome.kind}", flush=True)


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
        """Carry out valid inputs without limits, which compiles what is not compiled yet."""
        self._pipe.send((name, None, None))
        try:
            self._pipe.recv()
        except EOFError:
            raise SystemExit(f"the valid inputs of '{name}' end the process:\n{self._trace.read()}") from None

    def outcome(self, name: str, seed: int, number: int) -> Outcome:
        """Carry out one case."""
        self._pipe.send((name, seed, number))
        try:
            if self._pipe.poll(CLOCK):
                received: Outcome = self._pipe.recv()
                return received
            kind = f"no answer after {CLOCK:g} s on the clock"
        except EOFError:
            self._process.join()
            code = self._process.exitcode or 0
            ended = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            kind = f"over {CPU} s of CPU" if ended == "SIGXCPU" else f"the process ended: {ended}"
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
        _limit(int(time.process_time()) + CPU + 1, _memory() + MEMORY)
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


def main() -> int:
    """Read the options and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=f"one of {', '.join(FORMATS)}; all by default")
    parser.add_argument("--seconds", type=float, default=600.0, help="for all formats together (default 600)")
    parser.add_argument("--seed", type=int, default=None, help="makes the same cases again; by the clock by default")
    parser.add_argument("--case", type=int, default=None, help="print what becomes of one case of one format")
    given = parser.parse_args()
    unknown = set(given.formats) - FORMATS.keys()
    if unknown:
        parser.error(f"there is no format '{unknown.pop()}': there are {', '.join(FORMATS)}")
    seed = int(time.time()) if given.seed is None else given.seed
    names = given.formats or list(FORMATS)
    if given.case is not None:
        outcome = judged(FORMATS[names[0]].attempt, case(names[0], seed, given.case, clips=True))
        print(outcome.finding or ("refused" if outcome.refused else "accepted"))
        return int(outcome.finding is not None)
    print(f"seed {seed}", flush=True)
    fuzzing = Fuzzing(seed)
    fuzzing.run(names, given.seconds)
    for (name, kind), count in fuzzing.found.items():
        print(f"{count} x {name}: {kind}")
    print(f"{len(fuzzing.found)} kinds of findings")
    return int(bool(fuzzing.found))


if __name__ == "__main__":
    sys.exit(main())
