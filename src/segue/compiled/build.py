"""Compile all declared kernels in several processes, and link them: `segue warm`, and the build of a wheel.

A process takes the next kernel as soon as it is done with one. Kernels that are in the cache already, because nothing
that they are made of has changed, are only loaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path

from segue.compiled.machine import LEVELS, SWITCH, Level, architecture, open_module
from segue.compiled.signatures import declared, kernel_of
from segue.errors import SegueError

Progress = Callable[[int, int], None]


def compile_all(progress: Progress, level: Level | None = None) -> None:
    """Compile every declared signature in one process a core.

    progress: called with the number of kernels that are done and of all. level: what to compile for, by default this
    processor.
    """
    kernels = _by_cost()
    waiting = iter(kernels)
    counted, done, errors = threading.Lock(), 0, []

    def serve(process: subprocess.Popen[str]) -> None:
        nonlocal done
        assert process.stdin is not None
        assert process.stdout is not None
        while True:
            with counted:
                progress(done, len(kernels))
                name = next(waiting, None)
            if name is None:
                break
            process.stdin.write(f"{name}\n")
            process.stdin.flush()
            if process.stdout.readline().strip() != name:
                break
            with counted:
                done += 1
        _, error = process.communicate()
        if error.strip():
            errors.append(error.strip().splitlines()[-1])

    processes = [_started("--worker", level) for _ in range(min(os.cpu_count() or 1, len(kernels)))]
    threads = [threading.Thread(target=serve, args=(process,)) for process in processes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if done < len(kernels):
        raise SegueError(f"{len(kernels) - done} of {len(kernels)} kernels were not compiled: {' '.join(errors[:1])}")


def _by_cost() -> list[str]:
    """Return the names of all declared kernels, the slowest to compile first."""
    kernels = {name: kernel for name in declared() if (kernel := kernel_of(name)) is not None}
    return sorted(kernels, key=lambda name: -kernels[name].seconds)


def link_all(target: Path, progress: Progress, level: Level | None = None) -> int:
    """Write a module with all declared kernels, which are in the cache; return how many functions Python can call."""
    process = _started("--link", level, str(target))
    assert process.stdout is not None
    for line in process.stdout:
        progress(*map(int, line.split()))
    _, error = process.communicate()
    if process.returncode or (machine := open_module(target)) is None:
        raise SegueError(f"the kernels were not linked: {error.strip().splitlines()[-1] if error.strip() else target}")
    return len(machine.names())


def _started(task: str, level: Level | None, *words: str) -> subprocess.Popen[str]:
    """Start a process of this module, for a level: numba reads it when it is imported."""
    settings = {SWITCH: "0", "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore"}
    if level is not None:
        settings |= {"NUMBA_CPU_NAME": level.cpu, "NUMBA_CPU_FEATURES": ""}
    return subprocess.Popen(
        [sys.executable, "-m", "segue.compiled.build", task, *words],
        env=os.environ | settings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _work(names: Iterator[str]) -> None:
    """Compile the kernels whose names come in, and print each name when its kernel is done."""
    from segue.compiled.numba_kinds import types_of  # imports numba

    signatures = declared()
    for name in map(str.strip, names):
        kernel = kernel_of(name)
        assert kernel is not None
        for kinds in signatures[name]:
            kernel.standalone.dispatcher.compile(types_of(kernel.py_func, kinds))
        print(name, flush=True)


def _link(target: Path, level: Level | None) -> None:
    from segue.compiled.machine.link import link  # imports numba

    link(target, level=level, progress=lambda done, of: print(done, of, flush=True))


def _build(target: Path, level: Level | None) -> None:
    """Compile and link; print a line for every tenth."""
    shown = -1

    def show(text: str, done: int, of: int) -> None:
        nonlocal shown
        if of and 10 * done // of != shown:
            shown = 10 * done // of
            print(f"{text}: {done} of {of}", flush=True)

    compile_all(lambda done, of: show("kernels compiled", done, of), level)
    link_all(target, lambda done, of: show("kernels linked", done, of), level)


def _end_with_stdin() -> None:
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    """Build the module for the level of wheels, or do the work of one process of that build."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("target", type=Path, nargs="?", help="the module's file")
    parser.add_argument("--worker", action="store_true", help="compile the kernels that are named on stdin")
    parser.add_argument("--all", action="store_true", help="compile all kernels, as long as stdin is open")
    parser.add_argument("--link", action="store_true", help="link kernels that are compiled")
    words = parser.parse_args()
    level = LEVELS.get(architecture())
    if words.worker and words.all:
        # the process that started this one holds the other end: without it, nobody needs the kernels
        threading.Thread(target=_end_with_stdin, daemon=True).start()
        _work(iter(_by_cost()))
    elif words.worker:
        _work(iter(sys.stdin))
    elif words.link:
        _link(words.target, level if os.environ.get("NUMBA_CPU_NAME") else None)
    else:
        _build(words.target, level)


if __name__ == "__main__":
    main()
