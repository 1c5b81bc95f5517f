"""A studio's server in a thread, and a page's connection to it without a browser."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from segue.serve.engine import Engine
from segue.serve.files import opened
from segue.serve.framing import unframed
from segue.studio.server import Studio

TEXT = "walk = clips.walk\nrunning = transition(walk, clips.run, 0.6, leave=1.9, enter=0.2)\nrunning\n"


@contextmanager
def studio_of(folder: Path, text: str = TEXT, file: str | None = "test.segue") -> Iterator[Studio]:
    """Give a studio that has opened a script in a folder and serves."""
    path = None if file is None else (folder / file).resolve()
    if path is not None and not path.exists():
        path.write_text(text, encoding="utf-8")
    document, conflict = opened(folder.resolve(), path, text)
    studio = Studio(Engine(folder, document, conflict=conflict))
    thread = threading.Thread(target=studio.run, daemon=True)
    thread.start()
    assert studio.started.wait(30)
    try:
        yield studio
    finally:
        studio.stop()
        thread.join(10)


def origin(studio: Studio) -> str:
    """Return the origin of the studio's page."""
    return f"http://127.0.0.1:{studio.safety.port}"


def cookie(studio: Studio) -> str:
    """Exchange the token for the cookie, as the page does."""
    answer = httpx.post(f"{origin(studio)}/session", content=studio.safety.token, headers={"Origin": origin(studio)})
    assert answer.status_code == 204, answer.text
    found = answer.headers["set-cookie"]
    assert "HttpOnly" in found
    assert "SameSite=Strict" in found
    return str(found.split(";")[0])


class Tab:
    """A page's connection."""

    def __init__(self, studio: Studio, given: str | None = None) -> None:
        headers = {"Cookie": cookie(studio) if given is None else given}
        self.socket: ClientConnection = connect(
            f"ws://127.0.0.1:{studio.safety.port}/socket",
            origin=origin(studio),  # type: ignore[arg-type]
            additional_headers=headers,
            max_size=None,
            compression=None,
        ).__enter__()

    def send(self, kind: str, **fields: Any) -> None:
        """Send a request."""
        self.socket.send(json.dumps({"kind": kind, **fields}))

    def until(self, kind: str, timeout: float = 60.0, **fields: Any) -> dict[str, Any]:
        """Return the next message of a kind with some values of its fields; skip others."""
        while True:
            data = self.socket.recv(timeout)
            message = json.loads(data) if isinstance(data, str) else unframed(data)[0]
            if message["kind"] == kind and all(message[name] == value for name, value in fields.items()):
                return dict(message)
