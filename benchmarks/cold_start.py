"""How long Segue takes to start: imports, help, a warm command, and the first transition with an empty cache.

Each figure is the processor time, user and system, of a new process and its ratio to that of `python -c "import numpy"`
in the same run: a ratio hardly depends on how busy the machine is. With an empty cache a second process compiles too;
its processor time is not counted. The seconds beside the ratio are wall time. Targets are seconds of a quiet machine
with two cores. Wheels are built from a copy of the source, so that nothing is compiled already. That with machine code
is installed into a fresh environment without numba. Processes find bytecode of all modules, as pip writes it, even
where the environment forbids writing it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.support.wheel import ROOT, build_wheel, fresh_environment

from benchmarks import Row
from segue.compiled.machine.link import compiler

ROUNDS = 5
IMPORT, HELP, WARM, FIRST, COLD = 0.25, 0.35, 0.8, 1.5, 30.0  # s
SIZE = 12e6  # bytes
KERNELS, SECONDS, LINES, FILES = 200, 250, 53_000, 380
Result = TypeVar("Result")


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
        empty = {"NUMBA_CACHE_DIR": str(Path(folder) / "cache"), "SEGUE_MACHINE_CODE": "0"}
        cold = _timed(transition, settings | empty)
        rows.append(_row("segue transition, empty cache", cold, unit, COLD))
        rows += _first_program(Path(folder), settings, unit)
        return [*rows, *_wheel(Path(folder), transition, unit), *_sizes()]


def _first_program(folder: Path, settings: dict[str, str], unit: float) -> list[Row]:
    """Time the first program of the README, with an empty cache and again."""
    block = re.search(
        r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert block
    program = ["-c", f"import os; os.chdir({str(folder)!r})\n{block[1]}"]
    empty = {"NUMBA_CACHE_DIR": str(folder / "program"), "SEGUE_MACHINE_CODE": "0"}
    times = [_timed(program, settings | empty) for _ in range(2)]
    names = ("first program of the README, empty cache", "first program of the README, again")
    return [_row(name, each, unit, None) for name, each in zip(names, times, strict=True)]


def _wheel(folder: Path, transition: list[str], unit: float) -> list[Row]:
    """Time how long wheels take to build. Install that with machine code where numba is absent; time transitions."""
    source = folder / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    _, times = _clocked(lambda: build_wheel(folder / "pure", source, machine_code=False))
    rows = [_row("pip wheel, pure", times, unit, None)]
    if compiler() is None:
        return rows
    wheel, times = _clocked(lambda: build_wheel(folder, source, machine_code=True))
    rows.append(_row("pip wheel, with machine code", times, unit, None))
    python = str(fresh_environment(folder / "fresh", wheel))
    settings = {"PYTHONPATH": "", "PYTHONPYCACHEPREFIX": "", "NUMBA_CACHE_DIR": str(folder / "nothing")}
    first = _timed(transition, settings, python)
    warm = min(_timed(transition, settings, python) for _ in range(ROUNDS))
    size = wheel.stat().st_size
    return [
        *rows,
        _row("first segue transition of the wheel, no numba", first, unit, FIRST),
        _row("segue transition of the wheel, warm", warm, unit, WARM),
        Row("size of the wheel", f"{size / 1e6:.1f} MB", SIZE / size, 1.0),
    ]


def _sizes() -> list[Row]:
    """Count kernels, their declared seconds, and lines of the source."""
    files = sorted((ROOT / "src" / "segue").rglob("*.py"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    seconds = [float(found) for text in texts for found in re.findall(r"^@compiled\(seconds=([\d.]+)", text, re.M)]
    lines = sum(text.count("\n") for text in texts)
    return [
        Row("kernels", f"{len(seconds)}", KERNELS / len(seconds), 1.0),
        Row("their declared seconds", f"{sum(seconds):g} s", SECONDS / sum(seconds), 1.0),
        Row("lines of Python", f"{lines:,}", LINES / lines, 1.0),
        Row("files of Python", f"{len(files)}", FILES / len(files), 1.0),
    ]


def _row(name: str, times: tuple[float, float], unit: float, target: float | None) -> Row:
    processor, wall = times
    figure = f"{processor:.2f} s of a core, {processor / unit:.3g} times import numpy; {wall:.2f} s"
    # as in the other benchmarks, a ratio of at least the target passes
    return Row(name, figure, None if target is None else target / wall, None if target is None else 1.0)


def _timed(words: list[str], settings: dict[str, str], python: str = sys.executable) -> tuple[float, float]:
    """Return processor time and wall time of a new Python process, in s."""
    return _clocked(
        lambda: subprocess.run([python, *words], env=os.environ | settings, check=True, capture_output=True)
    )[1]


def _clocked(work: Callable[[], Result]) -> tuple[Result, tuple[float, float]]:
    """Return a result, with processor time and wall time of the processes that made it, in s."""
    before, start = os.times(), time.perf_counter()
    result = work()
    wall, after = time.perf_counter() - start, os.times()
    return result, (sum(after[2:4]) - sum(before[2:4]), wall)
