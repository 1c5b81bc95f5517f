"""An engine with one page, whose messages tests read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.motion.functions import Placement
from segue.serve.document import Document
from segue.serve.engine import Engine
from segue.serve.framing import unframed
from segue.serve.message import Request
from segue.serve.messages import written
from segue.serve.requests import Hello

SCRIPT = "walk = clips.walk\nrunning = transition(walk, clips.run, 0.6, leave=1.9, enter=0.2)\nrunning\n"


class Figure:
    """The frames of a motion as a page keeps them: `take` does what `assembled.js` does."""

    def __init__(self) -> None:
        self.frames: dict[str, Any] = {}
        self.past: list[dict[str, Any]] = []
        self.moves = np.zeros((0, 5))
        self.count = 0

    def take(self, message: dict[str, Any]) -> None:
        """Take a message of kind `motion`."""
        arrays = message["data"]
        self.count = (message["body"] or {}).get("frames", self.count)
        if not arrays:
            return
        made = {}
        for name in ("root", "balls", "hinges"):
            sent, made[name] = arrays[name], np.zeros((self.count, *arrays[name].shape[1:]), arrays[name].dtype)
            for first, count, age, begin in arrays["kept"]:
                made[name][first : first + count] = self.past[age][name][begin : begin + count]
            at = 0
            for first, count in arrays["spans"]:
                made[name][first : first + count] = sent[at : at + count]
                at += count
        covered = np.zeros(self.count, dtype=int)
        for first, count, *_ in [*arrays["kept"], *arrays["spans"]]:
            covered[first : first + count] += 1
        assert (covered == 1).all()
        self.frames, self.moves = made, arrays["moves"]
        self.past = [made, *self.past][:8]

    def roots(self) -> npt.NDArray[Any]:
        """Return where the root is in each frame, (T, 3), in m."""
        found = self.frames["root"].astype(float)
        starts = self.moves[:, 0].astype(int)
        assert starts[0] == 0
        for (_, turn, x, y, z), first, stop in zip(self.moves, starts, [*starts[1:], self.count], strict=True):
            moved = Placement(turn, x, z).moved(found[first:stop])
            found[first:stop] = moved + np.array([0.0, y, 0.0])
        return found


class Page:
    """A page: sends requests and keeps what comes back."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.messages: list[dict[str, Any]] = []
        self.figure = Figure()
        """The shown motion."""
        self.client = engine.join(self._take)

    def _take(self, message: str | bytes) -> None:
        if isinstance(message, str):
            self.messages.append(json.loads(message))
        else:
            header, arrays = unframed(message)
            self.messages.append({**header, "data": arrays})
            if (header["kind"], header.get("role")) == ("motion", "shown"):
                self.figure.take(self.messages[-1])

    def ask(self, request: Request, *, wait: bool = True) -> list[dict[str, Any]]:
        """Send a request and return what comes until all is computed."""
        before = len(self.messages)
        self.engine.receive(self.client, written(request))
        if wait:
            assert self.engine.wait(120)
        return self.messages[before:]

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Return all messages of a kind."""
        return [each for each in self.messages if each["kind"] == kind]

    def last(self, kind: str) -> dict[str, Any]:
        """Return the newest message of a kind."""
        return self.all(kind)[-1]


@contextmanager
def engine_of(folder: Path, text: str = SCRIPT, file: str | None = None) -> Iterator[Page]:
    """Give a page of an engine that has opened a text."""
    document = Document(text)
    if file is not None:
        (folder / file).write_text(text, encoding="utf-8")
        document = Document.open((folder / file).resolve())[0]
    engine = Engine(folder, document)
    try:
        page = Page(engine)
        page.ask(Hello())
        yield page
        assert not engine.solver.failures, engine.solver.failures[0]
        assert not engine.asker.failures, engine.asker.failures[0]
        assert not engine.viewer.failures, engine.viewer.failures[0]
    finally:
        engine.close()


def of_kind(messages: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """Return the only message of a kind among some."""
    found = [each for each in messages if each["kind"] == kind]
    assert len(found) == 1, [each["kind"] for each in messages]
    return found[0]
