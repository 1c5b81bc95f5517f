"""Run the tasks of a build here, in processes or on a Dask cluster, and record each result for the next build.

Tasks depend on their arguments alone, and their results are handed over as they come, in any order. A worker that dies
costs the task that it had. If the scheduler is lost, the tasks that it had are handed to the next one at its address.

The file lies beside the graph. A build that was interrupted, or that gets more clips, finds there what need not be done
again. It can be deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import queue
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from segue.checks import integer
from segue.errors import ArgumentError, FileFormatError, SegueError

_AHEAD = 3  # tasks handed over for each worker thread: one that runs, and the next ones
_FEWEST = 8  # tasks that are handed over at least
_LOOK = 1.0  # s between two looks at whether the scheduler is still there
_PATIENCE = 300.0  # s to wait for a scheduler that was lost, or for the first worker
_RETRIES = 20  # times that a task is handed over again after its worker died


class Task(NamedTuple):
    """A function of importable name and its arguments; the key says what the result depends on."""

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Workers(Protocol):
    """Runs tasks."""

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[str, Any]]:
        """Yield keys and results as they come; tasks are taken from the iterable as they can be handed over."""
        ...


class InProcess:
    """Runs tasks one after another in this process."""

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[str, Any]]:
        """Yield keys and results in the order of the tasks."""
        for task in tasks:
            yield task.key, task.function(*task.arguments)


class Cluster:
    """Runs tasks on Dask: on `processes` of this machine, or on the cluster whose scheduler has an address."""

    def __init__(self, processes: int | None = None, scheduler: str | None = None) -> None:
        self._address = scheduler
        self._dask = _distributed()
        self._local: Any = None
        if scheduler is None:
            count = integer("the number of workers", processes, least=1, most=1024)
            import_module("dask").config.set({"distributed.scheduler.allowed-failures": _RETRIES})
            self._local = self._dask.LocalCluster(
                n_workers=count, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
            )
        self._client = self._connected(5.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()
        if self._local is not None:
            self._local.close()

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[str, Any]]:
        """Yield keys and results as they come. No more tasks are handed over than keep the workers busy."""
        left, done = iter(tasks), queue.SimpleQueue[Any]()
        given: dict[str, tuple[Task, Any]] = {}
        lost: dict[str, int] = {}
        while True:
            try:
                for task in itertools.islice(left, max(self._room() - len(given), 0)):
                    given[task.key] = (task, self._submit(task, done))
                if not given:
                    return
                future = done.get(timeout=_LOOK)
            except queue.Empty:
                if self._client.status == "running":
                    continue
                future = None
            if future is None:
                self._reconnect(given, done)
            elif future.key in given and given[future.key][1] is future:
                task = given[future.key][0]
                result, trouble = _result_of(future)
                if trouble is None:
                    del given[task.key]
                    future.release()
                    yield task.key, result
                    continue
                lost[task.key] = lost.get(task.key, 0) + 1
                if lost[task.key] > _RETRIES:
                    raise SegueError(f"a task was lost with its worker {_RETRIES} times: check the workers' memory")
                if self._client.status != "running" or trouble == "cancelled":
                    self._reconnect(given, done)
                else:
                    given[task.key] = (task, self._submit(task, done))

    def _submit(self, task: Task, done: queue.SimpleQueue[Any]) -> Any:
        future = self._client.submit(task.function, *task.arguments, key=task.key, pure=True)
        future.add_done_callback(done.put)
        return future

    def _room(self) -> int:
        """Return how many tasks may be handed over."""
        threads = sum(self._client.nthreads().values()) if self._client.status == "running" else 0
        return max(_AHEAD * threads, _FEWEST)

    def _reconnect(self, given: dict[str, Any], done: queue.SimpleQueue[Any]) -> None:
        """Wait for a scheduler, and hand it all tasks that have no result yet."""
        self._drop()
        self._client = self._connected(_PATIENCE)
        for key, (task, _) in list(given.items()):
            given[key] = (task, self._submit(task, done))

    def _connected(self, patience: float) -> Any:
        where = self._local if self._local is not None else self._address
        until = time.monotonic() + patience
        while True:
            try:
                return self._dask.Client(where, timeout="5s", set_as_default=False)
            except (OSError, TimeoutError, ValueError) as error:
                if time.monotonic() > until or isinstance(error, ValueError):
                    raise ArgumentError(
                        f"no Dask scheduler answers at '{self._address}': start one with 'dask scheduler'"
                    ) from None
                time.sleep(_LOOK)

    def _drop(self) -> None:
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)


def _result_of(future: Any) -> tuple[Any, str | None]:
    """Return the result of a future, and None or how it was lost; raise what the task itself raised."""
    if future.status == "finished":
        try:
            return future.result(timeout=60), None
        except (OSError, TimeoutError):
            return None, "cancelled"
        except Exception as error:
            if type(error).__module__.startswith(("distributed", "concurrent", "asyncio")):
                return None, "cancelled"
            raise
    if future.status in ("cancelled", "lost"):
        return None, "cancelled"
    raised = future.exception()
    if type(raised).__name__ in ("KilledWorker", "CommClosedError", "CancelledError", "FutureCancelledError"):
        return None, "killed"
    raise raised


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ModuleNotFoundError:
        raise ArgumentError("building on several processes needs Dask: pip install 'segue[graph]'") from None


_APPLICATION = int.from_bytes(b"SgGw", "big")
_AT_ONCE = 500  # keys that are looked up at once


def key_of(*parts: Any) -> str:
    """Return the SHA-256 of plain values, which names a result that depends on nothing else."""
    text = json.dumps(parts, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Work:
    """Results of tasks by their keys. Each `put` is kept, even if the process is killed right after it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with self._errors():
            self._connection = sqlite3.connect(self.path, isolation_level=None, timeout=60.0)
            found = self._connection.execute("PRAGMA application_id").fetchone()[0]
            tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and found != _APPLICATION:
                raise FileFormatError("is not the record of a build: choose another name for the graph", path)
            # the journal is written ahead, so that a commit costs one write, and a killed process loses none
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(f"PRAGMA application_id={_APPLICATION}")
            self._connection.execute("CREATE TABLE IF NOT EXISTS done (key TEXT PRIMARY KEY, block BLOB)")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def get(self, key: str) -> bytes:
        """Return a result that must be there."""
        with self._errors():
            found = self._connection.execute("SELECT block FROM done WHERE key = ?", (key,)).fetchone()
        if found is None:
            raise FileFormatError("lacks a result that it had: delete the file, and build again", self.path)
        block: bytes = found[0]
        return block

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Return the keys without a result, in their order, each once."""
        wanted = list(dict.fromkeys(keys))
        known: set[str] = set()
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            with self._errors():
                rows = self._connection.execute(f"SELECT key FROM done WHERE key IN ({marks})", some)
                known.update(key for (key,) in rows)
        return [key for key in wanted if key not in known]

    def put(self, results: Iterable[tuple[str, bytes]]) -> None:
        """Keep results."""
        with self._errors():
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR REPLACE INTO done VALUES (?, ?)", results)
            self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise FileFormatError(
                f"cannot be used ({error}): free the disk, end other builds, or delete the file", self.path
            ) from error
