"""Workers: a process that is killed costs its task alone, and a scheduler that is lost costs nothing that is done."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from segue.errors import ArgumentError
from segue.graph.workers import Cluster, InProcess, Task

pytest.importorskip("distributed")


def square(number: int) -> int:
    return number * number


def die_once(mark: str, number: int) -> int:
    """Kill the worker's process, unless it was done before."""
    if not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def slow(number: int) -> int:
    time.sleep(0.2)
    return number * number


def test_tasks_in_this_process() -> None:
    assert list(InProcess().run(Task(str(k), square, (k,)) for k in range(3))) == [("0", 0), ("1", 1), ("2", 4)]


def test_a_killed_worker_costs_its_task_alone(tmp_path: Path) -> None:
    tasks = [Task(f"t{k}", square, (k,)) for k in range(12)]
    tasks.insert(3, Task("deadly", die_once, (str(tmp_path / "mark"), 12)))
    with Cluster(2) as cluster:
        found = dict(cluster.run(tasks))
    assert found == {f"t{k}": k * k for k in range(12)} | {"deadly": 144}


def test_bad_numbers_of_workers_get_a_sentence() -> None:
    with pytest.raises(ArgumentError, match="whole number"):
        Cluster(0)


def _scheduler(port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port)]
    return subprocess.Popen([*command, "--no-dashboard"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.nightly
def test_a_scheduler_that_is_killed_is_waited_for(port: int) -> None:
    address = f"tcp://127.0.0.1:{port}"
    running = [_scheduler(port)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    try:
        time.sleep(3)
        running.append(subprocess.Popen(worker, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        with Cluster(scheduler=address) as cluster:
            found = {}
            for number, (key, result) in enumerate(cluster.run(Task(f"s{k}", slow, (k,)) for k in range(40))):
                found[key] = result
                if number == 5:
                    running[0].kill()
                    running[0].wait()
                    running[0] = _scheduler(port)
                    running.append(subprocess.Popen(worker, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        assert found == {f"s{k}": k * k for k in range(40)}
    finally:
        for process in running:
            process.kill()
            process.wait()
