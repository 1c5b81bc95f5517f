"""How long Segue takes to start: imports, help, a warm command, and the first transition with an empty cache.

Each figure is the processor time, user and system, of a new process and its ratio to that of `python -c "import numpy"`
in the same run: a ratio hardly depends on how busy the machine is. With an empty cache a second process compiles too;
its processor time is not counted. The seconds beside the ratio are wall time. Targets are seconds of a quiet machine
with two cores. Processes find bytecode of all modules, as pip writes it, even where the environment forbids writing it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import Row

ROUNDS = 5
IMPORT, HELP, WARM, COLD = 0.25, 0.35, 0.8, 30.0  # s


def main() -> list[Row]:
    """Time new processes, taking turns."""
    with tempfile.TemporaryDirectory() as folder:
        transition = ["-m", "segue", "transition", "clips.walk", "clips.run", "-o", str(Path(folder) / "out.bvh")]
        commands = {
            "import numpy": ["-c", "import numpy"],
            "import segue": ["-c", "import segue"],
            "import segue; segue.transition": ["-c", "import segue; segue.transition"],
            "segue --help": ["-m", "segue", "--help"],
            "segue transition, warm": transition,
        }
        settings = {"PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
        for words in commands.values():  # fills the caches
            _timed(words, settings)
        best = {name: (float("inf"), float("inf")) for name in commands}
        for _ in range(ROUNDS):
            for name, words in commands.items():
                best[name] = min(best[name], _timed(words, settings))
        unit = best["import numpy"][0]
        targets = {"import segue": IMPORT, "segue --help": HELP, "segue transition, warm": WARM}
        rows = [_row(name, times, unit, targets.get(name)) for name, times in best.items()]
        cold = _timed(transition, settings | {"NUMBA_CACHE_DIR": str(Path(folder) / "cache")})
        return [*rows, _row("segue transition, empty cache", cold, unit, COLD)]


def _row(name: str, times: tuple[float, float], unit: float, target: float | None) -> Row:
    processor, wall = times
    figure = f"{processor:.2f} s of a core, {processor / unit:.3g} times import numpy; {wall:.2f} s"
    # as in the other benchmarks, a ratio of at least the target passes
    return Row(name, figure, None if target is None else target / wall, None if target is None else 1.0)


def _timed(words: list[str], settings: dict[str, str]) -> tuple[float, float]:
    """Return processor time and wall time of a new Python process, in s."""
    before, start = os.times(), time.perf_counter()
    subprocess.run([sys.executable, *words], env=os.environ | settings, check=True, capture_output=True)
    wall, after = time.perf_counter() - start, os.times()
    return sum(after[2:4]) - sum(before[2:4]), wall
