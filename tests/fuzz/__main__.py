"""Fuzz all formats, or those named, for so many seconds together; exit code 1 where something was found.

Inputs that were found are written to out/fuzz with a report. One worker process carries out the cases; a case that ends
the process, or uses too much time or memory, is a finding, and the next worker goes on behind it.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.formats import FORMATS, case
from tests.fuzz.oracle import Outcome, judged
from tests.fuzz.worker import Worker

OUT = Path("out") / "fuzz"


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
