"""A page that is connected to the engine: what it wants to see, and what it has."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from segue.serve.document import Document
from segue.serve.message import Reply
from segue.serve.messages import binary, written
from segue.serve.requests import Show
from segue.serve.shown import DrawnMotion, SentMotions


@dataclass(eq=False)
class Client:
    """A page. put: takes text or bytes of a message, from any thread, and must not block."""

    put: Callable[[str | bytes], None]
    show: Show = field(default_factory=Show)
    greeted: bool = False
    sent: SentMotions = field(default_factory=SentMotions)
    held: tuple[Document | None, int] = None, 0
    """The document that the page changed last, and the revision before its gesture."""
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def send(self, reply: Reply, arrays: Mapping[str, npt.NDArray[Any]] | None = None) -> None:
        """Send a message."""
        self.put(written(reply) if arrays is None else binary(reply, arrays))

    def send_motion(self, rev: int, node: str, role: Any, index: int, drawn: DrawnMotion, request: int = 0) -> None:
        """Send what changed of a motion."""
        with self._lock:
            made = self.sent.message(rev, node, role, index, drawn, request)
            if made is not None:
                self.send(*made)
