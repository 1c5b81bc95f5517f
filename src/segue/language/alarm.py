"""Alarms at times on the clock, all in one thread: starting a thread for each takes long on a busy machine."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy as np
import numpy.typing as npt

Flag = npt.NDArray[np.int64]
"""An array of one number, which becomes 1 when an alarm goes off."""


class Alarms:
    """A thread that sets flags at their times. It starts with the first alarm and then waits for others."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._set: dict[int, tuple[float, Flag]] = {}
        self._next = math.inf
        self._thread: threading.Thread | None = None

    @contextmanager
    def at(self, moment: float) -> Iterator[Flag]:
        """Give a flag that is set at a time of `time.monotonic`, unless the block ends before."""
        flag: Flag = np.zeros(1, np.int64)
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="segue alarms", daemon=True)
                self._thread.start()
            self._set[id(flag)] = moment, flag
            if moment < self._next:
                self._changed.notify()
        try:
            yield flag
        finally:
            with self._changed:
                self._set.pop(id(flag), None)

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for key, (moment, flag) in list(self._set.items()):
                    if moment <= now:
                        flag.fill(1)
                        del self._set[key]
                self._next = min((moment for moment, _ in self._set.values()), default=math.inf)
                self._changed.wait(None if self._next == math.inf else min(self._next - now, threading.TIMEOUT_MAX))


_alarms = Alarms()


def alarm(moment: float) -> AbstractContextManager[Flag]:
    """Return a context with a flag that is set at a time of `time.monotonic`, unless the block ends before."""
    return _alarms.at(moment)


def _begin_anew() -> None:
    """Forget the thread in a process that was forked: it runs in the first one alone."""
    global _alarms
    _alarms = Alarms()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
