"""Segue's process: Blender's own Python, started when first needed, started again if it died.

Nothing of Segue lives in Blender's process. Calls go over pipes, so no port is opened and no firewall asks.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

from . import pipe

_PATIENCE = 2.0  # s that a cancelled call may still take before its process is ended


class SegueFailed(Exception):
    """A call failed; the message is one sentence for the user."""


class ChildDied(SegueFailed):
    """Segue's process ended while it worked."""


class Cancelled(Exception):
    """The user cancelled the call."""


class Job:
    """A call that runs. share: from 0 to 1."""

    def __init__(self, child, request):
        self._child, self.request = child, request
        self.share = 0.0
        self.answer = None
        self.error = None
        self._cancelled = None

    @property
    def done(self):
        """Whether there is an answer or an error."""
        return self.answer is not None or self.error is not None

    def poll(self):
        """Take messages that arrived; return whether the call is done."""
        self._child.take()
        if not self.done and self._cancelled is not None and time.monotonic() - self._cancelled > _PATIENCE:
            self._child.stop()
            self.error = Cancelled()
        return self.done

    def cancel(self):
        """Ask the process to end the call; it is ended itself if it does not answer soon."""
        self._cancelled = time.monotonic()
        self._child.send({"kind": "cancel", "request": self.request}, {})

    def wait(self, on_progress=None):
        """Return the value and the arrays of the call when it is done; raise what went wrong."""
        while not self.poll():
            if on_progress is not None:
                on_progress(self.share)
            self._child.wait(0.02)
        return self.result()

    def result(self):
        """Return the value and the arrays of a call that is done; raise what went wrong."""
        if self.error is not None:
            raise self.error
        return self.answer


class Child:
    """The process, and the calls that wait for it."""

    def __init__(self, python=None):
        self.python = python
        self._process = None
        self._jobs = {}
        self._requests = 0
        self._messages = queue.Queue()
        self._log = None

    @property
    def pid(self):
        """The process id, or None if none runs."""
        return None if self._process is None or self._process.poll() is not None else self._process.pid

    def call(self, name, arguments, arrays=None):
        """Send a call and return its job; the process is started if it does not run."""
        self._start()
        self._requests += 1
        job = Job(self, self._requests)
        self._jobs[job.request] = job
        header = {"kind": "call", "request": job.request, "name": name, "arguments": arguments}
        self.send(header, arrays or {})
        return job

    def send(self, header, arrays):
        """Write a message; a process that is gone is noticed by `take`."""
        if self._process is None:
            return
        try:
            self._process.stdin.write(pipe.packed(header, arrays))
            self._process.stdin.flush()
        except OSError:
            self._messages.put(None)

    def wait(self, seconds):
        """Wait until a message arrives, at most so many seconds."""
        try:
            self._handle(self._messages.get(timeout=seconds))
        except queue.Empty:
            return

    def take(self):
        """Handle all messages that arrived."""
        while True:
            try:
                self._handle(self._messages.get_nowait())
            except queue.Empty:
                return

    def stop(self):
        """End the process, and its calls with it."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                stream.close()
        self._messages = queue.Queue()
        self._jobs.clear()

    def _start(self):
        if self.pid is not None:
            return
        self.stop()
        python = self.python or sys.executable
        environment = dict(os.environ, PYTHONNOUSERSITE="1", PYTHONIOENCODING="utf-8")
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path and os.path.isdir(path))
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as the process)
        hidden = {"creationflags": subprocess.CREATE_NO_WINDOW} if sys.platform == "win32" else {}
        try:
            self._process = subprocess.Popen(
                [python, "-m", "segue.serve", "--stdio"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                env=environment,
                **hidden,
            )
        except OSError as error:
            raise SegueFailed(f"Segue's process cannot be started with {python}: {error.strerror}") from error
        reader = threading.Thread(target=_read_all, args=(self._process.stdout, self._messages), daemon=True)
        reader.start()

    def _handle(self, message):
        if message is None:
            said = self._last_line()
            self.stop_jobs(
                ChildDied(
                    "Segue's process ended before it answered, and nothing was changed: run the operator again, which "
                    f"starts it anew{said}"
                )
            )
            return
        header, arrays = message
        job = self._jobs.get(header["request"])
        if job is None:
            return
        kind = header["kind"]
        if kind == "progress":
            job.share = header["done"] / max(header["of"], 1)
            return
        del self._jobs[header["request"]]
        if kind == "result":
            job.answer = header["value"], arrays
        elif kind == "cancelled":
            job.error = Cancelled()
        else:
            job.error = SegueFailed(header["message"])

    def stop_jobs(self, error):
        """End all calls with an error, and the process."""
        for job in self._jobs.values():
            job.error = error
        self._jobs.clear()
        self.stop()

    def _last_line(self):
        try:
            self._log.seek(0)
            lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        except (OSError, ValueError, AttributeError):
            return ""
        return f" (it printed: {lines[-1]})" if lines and "Error" in lines[-1] else ""


def _read_all(stream, messages):
    try:
        while (message := pipe.read(stream)) is not None:
            messages.put(message)
    except (OSError, ValueError):
        pass
    messages.put(None)


CHILD = Child()
"""The one process of this Blender."""
