"""A Dask cluster of processes on this machine, which a benchmark can kill."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


def free_port() -> int:
    """Return a port of this machine that no program uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def scheduler(address: str) -> subprocess.Popen[bytes]:
    """Start a scheduler at an address."""
    port = address.rpartition(":")[2]
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port]
    return subprocess.Popen([*command, "--no-dashboard"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def scheduler_and_workers(address: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Give the processes of a scheduler and of two workers, which a nanny starts again."""
    processes = [scheduler(address)]
    time.sleep(4.0)
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--nworkers", "2"]
    worker += ["--no-dashboard", "--host", "127.0.0.1", "--death-timeout", "600"]
    processes.append(subprocess.Popen(worker, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    try:
        yield processes
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()


def worker_processes(nannies: list[subprocess.Popen[bytes]]) -> list[int]:
    """Return the processes that nannies have started, and not the helpers of these."""
    found = []
    for nanny in nannies:
        listed = subprocess.run(["ps", "--ppid", str(nanny.pid), "-o", "pid=,args="], capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            number, _, words = line.strip().partition(" ")
            if "spawn_main" in words or "forkserver" in words:
                found.append(int(number))
    return found
