"""The studio's server: the page's files as they lie, and a websocket to the engine, on this machine alone."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from segue.serve import files
from segue.serve.engine import Engine
from segue.studio.safety import HEADERS, LARGEST, RateLimit, Safety, allowed_upgrade

_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_WATCHED = 1.0  # s between two looks at the file
_SWITCH_INTERVAL = 0.001  # s
_LONGEST_QUEUE = 256  # messages that wait for a slow page; then older ones are of no use, and it is cut off
_POLICY_VIOLATED, _TOO_BIG = 1008, 1009
_LARGEST_TOKEN = 1000  # bytes


class Studio:
    """An engine behind a server. `url` is known when the server has started."""

    def __init__(self, engine: Engine, port: int = 0) -> None:
        self.engine = engine
        self.safety = Safety()
        self.started = threading.Event()
        self._listener = _listener(port)
        self.safety.port = self._listener.getsockname()[1]
        self._server: uvicorn.Server | None = None

    @property
    def url(self) -> str:
        """The address to open; the token is in its fragment, which browsers do not send."""
        return f"http://127.0.0.1:{self.safety.port}/#token={self.safety.token}"

    def app(self) -> Starlette:
        """Return the application."""
        return Starlette(
            routes=[
                Route("/session", self._session, methods=["POST"]),
                WebSocketRoute("/socket", self._socket),
                Route("/", self._page),
                Route("/{name}", self._page),
                Route("/view/{name}", self._viewer),
            ],
            lifespan=self._lifespan,
        )

    def run(self) -> None:
        """Serve until the process is interrupted or `stop` is called."""
        # threads that compute give way sooner than by default to the one that passes messages on
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self.engine.asker.submit("modules", _keep_modules)
        app = _Guarded(GZipMiddleware(self.app(), minimum_size=500), self.safety)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=LARGEST,
            ws_per_message_deflate=False,  # over the loopback, bytes cost less than compressing them
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        try:
            self._server.run(sockets=[self._listener])
        finally:
            self.engine.close()

    def stop(self) -> None:
        """End the server, from another thread."""
        if self._server is not None:
            self._server.should_exit = True

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(self._watch())
        self.started.set()
        yield
        watching.cancel()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_WATCHED)
            await asyncio.to_thread(files.watch, self.engine)

    async def _page(self, request: Request) -> Response:
        return _file("segue.studio.web", request.path_params.get("name", "index.html"))

    async def _viewer(self, request: Request) -> Response:
        return _file("segue.view.web", request.path_params["name"])

    async def _session(self, request: Request) -> Response:
        """Exchange the token for the cookie."""
        if not self.safety.is_own_origin(request.headers.get("origin"), request.headers.get("host")):
            return PlainTextResponse("the page of another site may not do this", 403)
        given = b""
        async for part in request.stream():
            given += part
            if len(given) > _LARGEST_TOKEN:
                return PlainTextResponse("this is no token", 413)
        text = given.decode("utf-8", "replace").strip()
        if not text and self.safety.is_known(request.headers.get("cookie")):
            return Response(status_code=204)  # a page that was loaded again
        if not self.safety.is_token(text):
            return PlainTextResponse("the token is wrong: open the address that segue studio printed", 403)
        return Response(status_code=204, headers={"Set-Cookie": self.safety.cookie_header()})

    async def _socket(self, socket: WebSocket) -> None:
        """Connect a page with the engine."""
        if not allowed_upgrade(self.safety, {name.lower(): value for name, value in socket.headers.items()}):
            await socket.close(_POLICY_VIOLATED)
            return
        await socket.accept()
        await _Connection(self.engine, socket).run()


class _Connection:
    """A page's websocket: messages in order, in both directions."""

    def __init__(self, engine: Engine, socket: WebSocket) -> None:
        self._engine, self._socket = engine, socket
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._limit = RateLimit()

    async def run(self) -> None:
        """Pass messages on until the page leaves."""
        client = self._engine.join(self._put)
        sending = asyncio.create_task(self._send())
        try:
            while True:
                message = await self._socket.receive_text()
                if len(message) > LARGEST:
                    await self._socket.close(_TOO_BIG)
                    return
                if not self._limit.passes():
                    await self._socket.close(_POLICY_VIOLATED, "too many messages")
                    return
                # in a thread: the engine may read a file, and its lock may be taken
                await asyncio.to_thread(self._engine.receive, client, message)
        except (WebSocketDisconnect, KeyError, RuntimeError):
            pass  # the page left, or sent bytes where text is meant
        finally:
            self._engine.leave(client)
            sending.cancel()

    def _put(self, message: str | bytes) -> None:
        """Queue a message, from any thread."""
        with contextlib.suppress(RuntimeError):  # the server is ending
            self._loop.call_soon_threadsafe(self._queue.put_nowait, message)

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await self._queue.get()
                if self._queue.qsize() > _LONGEST_QUEUE:
                    await self._socket.close(_POLICY_VIOLATED, "the page is too slow")
                    return
                if isinstance(message, str):
                    await self._socket.send_text(message)
                else:
                    await self._socket.send_bytes(message)


class _Guarded:
    """Refuses requests with a foreign Host, and adds the headers of safety to every answer."""

    def __init__(self, app: Callable[..., Awaitable[None]], safety: Safety) -> None:
        self._app, self._safety = app, safety

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._safety.is_own_host(hosts[0]):
            if scope["type"] == "http":
                await PlainTextResponse("this server answers to its own name alone", 421)(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": _POLICY_VIOLATED})
            return

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                added = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self._app(scope, receive, with_headers)


@cache
def _keep_modules() -> None:
    """Leave what is loaded by now out of garbage collection, which would hold up pictures for a tenth of a second."""
    gc.freeze()


def _file(package: str, name: str) -> Response:
    """Return a file of a page: one that lies in the folder itself and has a known type."""
    folder = resources.files(package.rpartition(".")[0]).joinpath("web")
    names = {each.name for each in folder.iterdir()}
    kind = _TYPES.get(Path(name).suffix)
    if name not in names or kind is None:
        return PlainTextResponse("there is no such file", 404)
    return Response(folder.joinpath(name).read_bytes(), media_type=kind)


def _listener(port: int) -> socket.socket:
    """Return a socket that listens on this machine alone; port: 0 for a free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    return listener
