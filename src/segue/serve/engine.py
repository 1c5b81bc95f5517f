"""The engine: one folder, one open script, pages that show it, and a solver thread in which the latest edit wins."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from segue.errors import ArgumentError, SegueError, printable
from segue.language import tree
from segue.language.errors import LanguageError
from segue.language.limits import Limits
from segue.language.parser import parse
from segue.language.values import Value
from segue.language.workspace import Workspace
from segue.motion.motion import Motion
from segue.serve.client import Client
from segue.serve.clocks import ShownParts
from segue.serve.curves import Measured
from segue.serve.document import Document
from segue.serve.edited import Edited
from segue.serve.handles import handles_of
from segue.serve.jobs import Jobs
from segue.serve.message import Reply, Request
from segue.serve.messages import read
from segue.serve.outline import diagnostic, outline
from segue.serve.preview import Evaluated, Preview
from segue.serve.replies import Conflict, Contacts, Curves, Doc, Failure, State, Timeline, Values, Warm
from segue.serve.rows import origins, rows_of
from segue.serve.shapes import Diagnostic
from segue.serve.shown import DrawnMotion
from segue.serve.simulations import Simulations
from segue.serve.uploads import Uploads
from segue.serve.worker import Worker

if TYPE_CHECKING:
    from segue.serve.texts import OpenedText

_SETTLE, _SETTLE_IN_GESTURE = 0.08, 0.3  # s without a newer edit, then curves and checks are computed
_KEPT = 8  # evaluated revisions


class Engine:
    """A session: takes requests of pages and sends replies to them.

    folder: where scripts may read and write. conflict: what a crash left of the document. given: values
    that have a name before the script begins. Methods may be called from any thread.
    """

    original = False

    def __init__(
        self,
        folder: Path,
        document: Document | None = None,
        limits: Limits | None = None,
        conflict: Conflict | None = None,
        given: Mapping[str, Value] | None = None,
    ) -> None:
        self.workspace = Workspace(folder)
        self.folder = self.workspace.folder
        self.limits = limits or Limits()
        self.preview = Preview(self.folder, self.limits, given)
        self.clients: list[Client] = []
        self.lock = threading.RLock()
        self.solver = Worker("segue solver")
        self.asker = Worker("segue measures", after=self.solver, settle=self._settle)
        self.viewer = Worker("segue views of text files")
        self.jobs = Jobs(self.folder, self.broadcast)
        self.simulations = Simulations(self.folder, self.broadcast)
        self.uploads = Uploads(self.workspace)
        self.warm = Warm(1.0)
        self.evaluated: Evaluated | None = None
        self.history: dict[int, Evaluated] = {}
        """Revisions that were evaluated lately, for gestures that refer to one of them."""
        self._drawn: dict[int, tuple[Motion, bool, DrawnMotion]] = {}
        self._measured: tuple[Motion, Measured] | None = None
        self._measuring = 0.0  # s that the last measures took
        self.documents: dict[Path, Document] = {}
        """Documents that were opened, by their files: they keep their steps of undo."""
        self.texts: dict[str, OpenedText] = {}
        """Text files that are open beside the script, by their names."""
        self.conflict = conflict
        self.adopt(document or Document(""))
        if self.document.file is not None:
            self.documents[self.document.file] = self.document

    # ---- pages

    def join(self, put: Callable[[str | bytes], None]) -> Client:
        """Take a page; put: takes the messages for it."""
        client = Client(put)
        with self.lock:
            self.clients.append(client)
        return client

    def leave(self, client: Client) -> None:
        """Forget a page. A gesture that it left open is kept, and becomes a step of undo."""
        with self.lock:
            if client in self.clients:
                self.clients.remove(client)
            for edited in self.all_edited():
                if edited.document.base and client.held == (edited.document, edited.document.base):
                    edited.document.commit()
                    edited.tell_document()

    def receive(self, client: Client, message: str | bytes) -> None:
        """Act on a message of a page; a message that cannot be understood gets an `error`."""
        try:
            request = read(message)
        except SegueError as error:
            client.send(Failure(str(error)))
            return
        self.handle(client, request)

    def handle(self, client: Client, request: Request) -> None:
        """Act on a request of a page."""
        from segue.serve.actions import ACTIONS  # they need this module

        with self.guarded(client, request), self.lock:
            ACTIONS[type(request)](self, client, request)

    def guarded(self, client: Client, request: Request) -> _Guard:
        """Return a context in which an error of Segue becomes an `error` for the page."""
        return _Guard(self, client, request.request)

    def broadcast(self, reply: Reply, arrays: Mapping[str, npt.NDArray[Any]] | None = None) -> None:
        """Send a message to all pages."""
        for client in list(self.clients):
            if client.greeted:
                client.send(reply, arrays)

    def close(self) -> None:
        """End gestures, threads and jobs."""
        with self.lock:
            self._commit()
        self.jobs.close()
        self.simulations.stop()
        self.solver.close()
        self.asker.close()
        self.viewer.close()
        self.uploads.close()

    # ---- the document

    def edited(self, file: str) -> Edited:
        """Return the text file of a name, or what holds the script for ""."""
        if file and file not in self.texts:
            raise ArgumentError(f"'{printable(file)}' is not open: open it first")
        return self.texts[file] if file else self

    def to_change(self, file: str) -> Edited:
        """Return the text file of a name, or what holds the script; raise if it can only be read."""
        edited = self.edited(file)
        if edited.original:
            raise ArgumentError(f"'{file}' comes with Segue and stays as it is: save a copy, and change that")
        return edited

    def all_edited(self) -> list[Edited]:
        """Return the script and all open text files."""
        return [self, *self.texts.values()]

    def _commit(self) -> None:
        for edited in self.all_edited():
            edited.document.commit()

    def adopt(self, document: Document) -> None:
        """Make a document the open one and evaluate it."""
        with self.lock:
            self.document = document
            self.evaluated, self.history = None, {}
            self.good = 0
            self.script: tree.Script | None = None
            self.tree: tuple[Any, ...] = ()
            self.tree_rev = 0
            self.diagnostics: tuple[Diagnostic, ...] = ()
            for client in self.clients:
                client.sent.forget()
            self.changed()

    def changed(self, request: int = 0, by: Client | None = None) -> None:
        """Parse the text after a change, tell all pages, and evaluate it."""
        rev, text = self.document.rev, self.document.text
        try:
            script = parse(text, self.document.file.name if self.document.file else "script", self.limits)
        except LanguageError as error:
            self.script, self.diagnostics = None, (diagnostic(error, text),)
            self.solver.cancel("run")
        else:
            self.script, self.diagnostics = script, ()
            # pages hear of the text first: a run needs the lock before it tells them what it found
            self.solver.submit("run", lambda: self._run(rev, text, script), self.preview.cancel)
            self.tree, self.tree_rev = outline(script, text), rev
        self.tell_document(request, by)

    def tell_document(self, request: int = 0, by: Client | None = None, *, refused: bool = False) -> None:
        """Send `doc` to all pages; the page that asked gets its request's number."""
        for client in list(self.clients):
            if client.greeted:
                client.send(self.described(request if client is by else 0, refused=refused and client is by))

    def described(self, request: int = 0, *, refused: bool = False) -> Doc:
        """Return the document as a message."""
        document = self.document
        return Doc(
            document.rev,
            self.good,
            document.text,
            self.file_name,
            document.unsaved,
            document.can_undo,
            document.can_redo,
            document.gesture,
            self.tree,
            self.tree_rev,
            self.diagnostics,
            refused,
            request=request,
        )

    @property
    def is_evaluating(self) -> bool:
        """Whether the present text will be evaluated, or is being evaluated. A `state` follows when it is."""
        known = self.evaluated is not None and self.evaluated.rev == self.document.rev
        return self.script is not None and not self.diagnostics and not known

    @property
    def file_name(self) -> str:
        """The path of the document's file below the folder, "" without one."""
        file = self.document.file
        return "" if file is None else file.relative_to(self.folder).as_posix()

    # ---- evaluation, in the solver thread

    def _run(self, rev: int, text: str, script: tree.Script) -> None:
        self.broadcast(State(rev, True))
        try:
            made = self.preview.run(rev, text, script)
        except SegueError as error:
            self._failed(rev, text, error)
            return
        with self.lock:
            if self.document.texts.get(rev) != text:
                return  # another document was opened
            self.evaluated, self.good = made, rev
            self.history[rev] = made
            while len(self.history) > _KEPT:
                # a drag refers to the revision before it, however long it lasts
                self.history.pop(next(each for each in self.history if each != self.document.base))
        try:
            self.publish(made)
        except SegueError as error:
            self._failed(rev, text, error)
        self.broadcast(State(rev, False, made.ms))

    def _failed(self, rev: int, text: str, error: SegueError) -> None:
        with self.lock:
            if rev == self.document.rev:
                found = diagnostic(error, text) if isinstance(error, LanguageError) else Diagnostic(str(error), 0, 0)
                self.diagnostics = (found,)
                self.tell_document()
        self.broadcast(State(rev, False))

    def publish(self, made: Evaluated, only: Client | None = None) -> None:
        """Send values, time line and motions of an evaluated revision, to all pages or to one."""
        values = Values(made.rev, made.shown, made.described(), tuple(made.said), made.ms)
        clients = [each for each in (list(self.clients) if only is None else [only]) if each.greeted]
        for client in clients:
            self.send_motions(client, made)
        line = self.timeline(made)
        for client in clients:
            client.send(values)
            client.send(line)
            self.measure(client, made)

    def timeline(self, made: Evaluated) -> Timeline:
        """Return the time line of the script's last motion."""
        motion = made.motion
        if motion is None or not motion.tracks:
            return Timeline(made.rev, "", 0.0, 0.0, (), ())
        rows, handles = rows_of(motion, origins(made)), handles_of(made, ShownParts(motion))
        return Timeline(made.rev, made.shown, motion.start, motion.stop, rows, handles)

    def send_motions(self, client: Client, made: Evaluated, request: int = 0) -> None:
        """Send the motions that a page wants to see."""
        nodes = client.show.nodes or ((made.shown,) if made.shown else ())
        for index, node in enumerate(nodes):
            motion = made.values.get(node)
            if isinstance(motion, Motion) and motion.tracks:
                role = "shown" if index == 0 else "ghost"
                client.send_motion(made.rev, node, role, index, self.drawn(motion), request)

    def drawn(self, motion: Motion) -> DrawnMotion:
        """Return a motion as pages draw it. During a gesture, meshes are left out, because they take long."""
        mesh = not self.document.gesture
        found = self._drawn.get(id(motion))
        if found is None or found[0] is not motion or found[1] != mesh:
            found = motion, mesh, DrawnMotion(motion, motion.source.name, mesh)
            self._drawn = dict(list(self._drawn.items())[-_KEPT:]) | {id(motion): found}
        return found[2]

    # ---- measures, in a thread that waits for the solver

    def _settle(self) -> float:
        """Return how long the solver must have been idle: a hand that rests during a gesture may go on at once.

        An edit that comes while measures are computed takes longer, so that long measures wait longer.
        """
        return max(_SETTLE_IN_GESTURE, self._measuring) if self.document.gesture else _SETTLE

    def measure(self, client: Client, made: Evaluated, request: int = 0) -> None:
        """Compute the channels that a page wants, when there is nothing newer to solve."""
        show = client.show
        if not show.channels:
            return
        node = show.nodes[0] if show.nodes else made.shown

        def work() -> None:
            motion = made.values.get(node)
            if not isinstance(motion, Motion) or not motion.tracks or client not in self.clients:
                return
            measured, began = self.measured(motion), time.perf_counter()
            for channel in show.channels:
                if self.solver.busy:
                    self.ask(client, request, "channels", work)
                    return
                rows, limits, values = measured.channel(channel, show.joints)
                reply = Curves(made.rev, node, channel, rows, motion.start, motion.fps, limits, request=request)
                client.send(reply, {"values": values})
                if channel == "contacts":
                    client.send(Contacts(made.rev, node, measured.footprints(), request=request))
            self._measuring = time.perf_counter() - began

        self.ask(client, request, "channels", work)

    def measured(self, motion: Motion) -> Measured:
        """Return the measures of a motion; those of the latest one are kept."""
        if self._measured is None or self._measured[0] is not motion:
            self._measured = motion, Measured(self.drawn(motion).motion)
        return self._measured[1]

    def ask(self, client: Client, request: int, key: str, work: Callable[[], None]) -> None:
        """Run a question of a page in the thread for measures; a newer question with the same key wins."""

        self.asker.submit(f"{key} {id(client)}", self._guarded(client, request, work))

    def ask_view(
        self,
        client: Client,
        request: int,
        file: str,
        work: Callable[[], None],
        cancel: Callable[[], None] | None = None,
    ) -> None:
        """Find out what a text file comes to, in a thread of its own; a newer question about the file cancels it."""
        self.viewer.submit(f"{file} {id(client)}", self._guarded(client, request, work), cancel)

    def _guarded(self, client: Client, request: int, work: Callable[[], None]) -> Callable[[], None]:
        def guarded() -> None:
            with _Guard(self, client, request):
                work()

        return guarded

    def wait(self, timeout: float = 60.0) -> bool:
        """Wait until nothing is left to compute; for programs without a loop of their own, and tests."""
        return all(worker.wait(timeout) for worker in (self.solver, self.asker, self.viewer))


class _Guard:
    """Turns an error of Segue into an `error` for a page."""

    def __init__(self, engine: Engine, client: Client, request: int) -> None:
        self._engine, self._client, self._request = engine, client, request

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, LanguageError):
            found = diagnostic(error, error.place.source.text)
            self._client.send(Failure(error.message, found.start, found.stop, request=self._request))
            return True
        if isinstance(error, SegueError):
            self._client.send(Failure(str(error), request=self._request))
            return True
        if isinstance(error, (MemoryError, ArithmeticError, OSError)):
            self._client.send(Failure(f"this failed: {error or type(error).__name__}", request=self._request))
            return True
        return False
