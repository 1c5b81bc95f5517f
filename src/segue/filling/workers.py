"""Worker processes that share what the caller has loaded, since Python runs one thread of a process at a time."""

from __future__ import annotations

import gc
import io
import multiprocessing
import pickle
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection, wait
from types import BuiltinFunctionType, FunctionType, MappingProxyType, ModuleType
from typing import Any, TypeVar

import numpy as np

_FEW = 6  # items, for which starting processes takes longer than they save
_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)
_INTERRUPTED = "interrupted"

Item = TypeVar("Item")
Made = TypeVar("Made")


def make_all(make: Callable[[Item], Made], items: Sequence[Item], count: int) -> list[Made]:
    """Return what `make` returns for each item, made by up to `count` processes at once.

    Processes are forks of this one: the items need not be sent, and what is returned refers to parts of the items
    instead of copying them. If this process cannot be forked safely, threads do the work.
    """
    if count == 1 or len(items) <= _FEW or not _can_fork():
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(make, items))
    first = make(items[0])  # loads the kernels and the prior, once for all processes
    return [first, *_forked(make, items[1:], min(count, len(items) - 1))]


def _can_fork() -> bool:
    """Whether a fork is safe: another thread may hold a lock, which its copy in the new process would never release."""
    return sys.platform == "linux" and threading.active_count() == 1 and not multiprocessing.current_process().daemon


def _forked(make: Callable[[Item], Made], items: Sequence[Item], count: int) -> list[Made]:
    shared = _parts_of(items)
    context = multiprocessing.get_context("fork")
    made: dict[int, Made] = {}
    processes: list[Any] = []
    busy: dict[Connection, int] = {}
    registry: dict[Any, Any] = {}  # of warnings: each is shown once, whichever processes raise it
    waiting = iter(range(len(items)))
    try:
        for _ in range(count):
            ours, theirs = context.Pipe()
            # a process that kept the ends of the others would keep them alive after this one has died
            arguments = (make, items, shared, theirs, [*busy, ours])
            processes.append(context.Process(target=_serve, args=arguments, daemon=True))
            processes[-1].start()
            theirs.close()
            busy[ours] = next(waiting)
            ours.send(busy[ours])
        while busy:
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                index = busy.pop(connection)
                try:
                    reply, warned = connection.recv()
                    following = next(waiting, None)
                    if following is not None:
                        busy[connection] = following
                        connection.send(following)
                except (EOFError, OSError):  # the process was killed
                    reply, warned = None, []
                if reply == _INTERRUPTED:
                    raise KeyboardInterrupt
                for message, category, file, line in warned:
                    warnings.warn_explicit(message, category, file, line, registry=registry)
                # what failed there raises its error here
                made[index] = make(items[index]) if reply is None else _Unpickler(io.BytesIO(reply), shared).load()
        for index in waiting:  # no process is left
            made[index] = make(items[index])
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
    return [made[index] for index in range(len(items))]


def _serve(
    make: Callable[[Item], Made],
    items: Sequence[Item],
    shared: dict[int, Any],
    connection: Connection,
    others: list[Connection],
) -> None:
    """Make items by number until the other side closes the connection."""
    for other in others:
        other.close()
    try:
        while True:
            item = items[connection.recv()]
            with warnings.catch_warnings(record=True) as caught:
                reply = _reply(make, item, shared)
            connection.send((reply, [(w.message, w.category, w.filename, w.lineno) for w in caught]))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _reply(make: Callable[[Item], Made], item: Item, shared: dict[int, Any]) -> bytes | str | None:
    """Return what was made, pickled; None if that fails."""
    file = io.BytesIO()
    try:
        _Pickler(file, shared).dump(make(item))
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception:
        return None
    return file.getvalue()


def _parts_of(items: Sequence[Any]) -> dict[int, Any]:
    """Return the arrays and the objects of Segue that items refer to, by identity, which a fork keeps."""
    seen: dict[int, Any] = {}
    found: list[Any] = [items]
    while found:
        value = found.pop()
        if id(value) not in seen and not isinstance(value, _CODE):
            seen[id(value)] = value
            found += gc.get_referents(value)
    return {
        number: value
        for number, value in seen.items()
        if isinstance(value, np.ndarray | MappingProxyType) or type(value).__module__.startswith("segue.")
    }


class _Pickler(pickle.Pickler):
    """Writes parts that both processes have as their number."""

    def __init__(self, file: io.BytesIO, shared: dict[int, Any]) -> None:
        super().__init__(file, protocol=5)
        self._shared = shared

    def persistent_id(self, value: Any) -> int | None:
        """Return the number of a shared part."""
        return id(value) if id(value) in self._shared else None


class _Unpickler(pickle.Unpickler):
    """Reads what `_Pickler` wrote."""

    def __init__(self, file: io.BytesIO, shared: dict[int, Any]) -> None:
        super().__init__(file)
        self._shared = shared

    def persistent_load(self, number: int) -> Any:
        """Return the shared part of a number."""
        return self._shared[number]
