"""A thread that runs tasks one after another, in which the latest task of a kind wins."""

from __future__ import annotations

import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class _Task:
    run: Callable[[], None]
    cancel: Callable[[], None] | None


class Worker:
    """Runs tasks in a thread of its own.

    A task has a key. A newer task replaces a waiting one with the same key, and cancels a running one. Other tasks run
    in the order of their submission. after: another worker; tasks wait until that one has nothing to do. settle:
    returns the s that the other worker must have been idle for.
    """

    def __init__(self, name: str, after: Worker | None = None, settle: Callable[[], float] = float) -> None:
        self._waiting: OrderedDict[str, _Task] = OrderedDict()
        self._running: tuple[str, _Task] | None = None
        self._changed = threading.Condition()
        self._closed = False
        self._after, self._settle = after, settle
        self.failures: list[str] = []
        """Tracebacks of tasks that raised, which is a fault in Segue."""
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, key: str, run: Callable[[], None], cancel: Callable[[], None] | None = None) -> None:
        """Run a task after those that wait. cancel: ends it early, called from this thread."""
        with self._changed:
            self._waiting.pop(key, None)
            self._waiting[key] = _Task(run, cancel)
            self._stop_running(key)
            self._changed.notify_all()

    def cancel(self, key: str) -> bool:
        """Forget a waiting task and end a running one; return whether there was one."""
        with self._changed:
            found = self._waiting.pop(key, None) is not None
            return self._stop_running(key) or found

    def _stop_running(self, key: str) -> bool:
        if self._running is None or self._running[0] != key:
            return False
        if self._running[1].cancel is not None:
            self._running[1].cancel()
        return True

    @property
    def busy(self) -> bool:
        """Whether a task runs or waits."""
        with self._changed:
            return self._running is not None or bool(self._waiting)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no task runs or waits; return False after timeout seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._running is None and not self._waiting, timeout)

    def close(self) -> None:
        """Forget waiting tasks, end the running one, and end the thread."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            if self._running is not None:
                self._stop_running(self._running[0])
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting) or self._closed)
            if self._after is not None:
                self._wait_for(self._after)
            with self._changed:
                if self._closed:
                    return
                self._running = self._waiting.popitem(last=False) if self._waiting else None
            if self._running is None:
                continue
            try:
                self._running[1].run()
            except Exception:
                # the thread has to go on: a task reports what users can understand by itself
                self.failures.append(traceback.format_exc())
                traceback.print_exc()
            with self._changed:
                self._running = None
                self._changed.notify_all()

    def _wait_for(self, other: Worker) -> None:
        """Wait until another worker has been idle for a while."""
        with other._changed:
            while not self._closed and not other._closed:
                idle = other._changed.wait_for(lambda: other._running is None and not other._waiting, 1.0)
                woken = other._changed.wait_for(lambda: bool(other._waiting), self._settle()) if idle else True
                if idle and not woken:
                    return
