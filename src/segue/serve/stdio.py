"""`segue serve --stdio`: calls and documents over pipes, for a program that starts Segue as its child.

The program sends `call` with request, name and arguments, and `cancel` with a request. It gets `progress` with done and
of, and for each call one answer: `result` with the value, `failed` with one sentence, or `cancelled`. The child ends
when its standard input ends. `pipes` has the layout of messages. The messages of `requests` work too: the engine then
opens a folder and answers with those of `replies`.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from segue.errors import ArgumentError, SegueError
from segue.serve.array_clips import Cancelled
from segue.serve.framing import read_message, unframed, write_message
from segue.serve.messages import REQUESTS

if TYPE_CHECKING:
    from segue.serve.client import Client
    from segue.serve.engine import Engine

_OFTEN = 0.05  # s between messages on progress


@dataclass(eq=False)
class _Call:
    request: int
    name: str
    arguments: Mapping[str, Any]
    arrays: Mapping[str, npt.NDArray[Any]]
    stop: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))


class CallServer:
    """Runs calls from one stream in order, in a thread of its own, and writes their answers to another stream.

    folder: where scripts may read and write.
    """

    def __init__(self, stdin: BinaryIO, stdout: BinaryIO, folder: Path | None = None) -> None:
        self._stdin, self._stdout, self._folder = stdin, stdout, folder or Path.cwd()
        self._document: tuple[Engine, Client] | None = None
        self._writing = threading.Lock()
        self._waiting: queue.Queue[_Call | None] = queue.Queue()
        self._calls: dict[int, _Call] = {}

    def serve(self) -> None:
        """Answer messages until the stream ends."""
        worker = threading.Thread(target=self._work, name="calls", daemon=True)
        worker.start()
        try:
            while (message := read_message(self._stdin)) is not None:
                self._take(*message)
        finally:
            for call in list(self._calls.values()):
                call.stop[0] = 1
            self._waiting.put(None)
            if self._document is not None:
                self._document[0].close()

    def _take(self, header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        request = header.get("request")
        if not isinstance(request, int):
            self._send("failed", 0, message="the message has no request: a whole number is needed")
        elif header.get("kind") == "cancel":
            if request in self._calls:
                self._calls[request].stop[0] = 1
        elif header.get("kind") in REQUESTS:
            header.pop("arrays", None)
            self._ask(json.dumps(header))
        elif header.get("kind") != "call" or not isinstance(header.get("arguments"), dict):
            self._send("failed", request, message="the message has an unknown kind: call or cancel is needed")
        else:
            call = _Call(request, str(header.get("name")), header["arguments"], arrays)
            self._calls[request] = call
            self._waiting.put(call)

    def _ask(self, request: str) -> None:
        """Pass a request on a document to the engine, which the first one starts."""
        if self._document is None:
            from segue.serve.engine import Engine  # calls on arrays need none of it

            engine = Engine(self._folder)
            self._document = engine, engine.join(self._pass_on)
        engine, client = self._document
        engine.receive(client, request)

    def _pass_on(self, message: str | bytes) -> None:
        """Write a message of the engine; a text becomes a header without arrays."""
        header, arrays = unframed(message) if isinstance(message, bytes) else (json.loads(message), {})
        with self._writing:
            write_message(self._stdout, header, arrays)

    def _work(self) -> None:
        while (call := self._waiting.get()) is not None:
            try:
                self._answer(call)
            except OSError:
                os._exit(0)  # nobody reads any more
            finally:
                self._calls.pop(call.request, None)

    def _answer(self, call: _Call) -> None:
        from segue.serve.calls import answer  # what calls need is slow to import, and messages are read meanwhile

        last = 0.0

        def progress(done: int, of: int) -> None:
            nonlocal last
            if call.stop[0]:
                raise Cancelled
            if time.monotonic() - last > _OFTEN or done == of:
                last = time.monotonic()
                self._send("progress", call.request, done=done, of=of)

        try:
            progress(0, 1)
            value, arrays = answer(call.name, call.arguments, call.arrays, progress, call.stop)
        except Cancelled:
            self._send("cancelled", call.request)
        except SegueError as error:
            self._send("failed", call.request, message=str(error))
        except (ArithmeticError, LookupError, TypeError, ValueError, RuntimeError) as error:
            self._send("failed", call.request, message=f"Segue has a fault: {type(error).__name__}, {error}")
        else:
            self._send("result", call.request, arrays, value=value)

    def _send(
        self, kind: str, request: int, arrays: Mapping[str, npt.NDArray[Any]] | None = None, **fields: Any
    ) -> None:
        with self._writing:
            write_message(self._stdout, {"kind": kind, "request": request, **fields}, arrays or {})


def serve_stdio(folder: Path | None = None) -> int:
    """Serve on the process's own pipes; return the exit code. Prints go to standard error meanwhile."""
    stdout = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        CallServer(sys.stdin.buffer, stdout, folder).serve()
    except ArgumentError as error:
        print(f"segue serve: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0
