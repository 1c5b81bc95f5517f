"""Text files of known kinds that are open beside the script: patterns, and whatever else has an entry in TEXT_KINDS."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from segue.checks import choice
from segue.errors import ArgumentError, SegueError
from segue.filesystem import atomic_write
from segue.language.workspace import Workspace
from segue.serve.client import Client
from segue.serve.dancer_texts import DANCER, ENVIRONMENT
from segue.serve.document import Document, read_script_file
from segue.serve.gesture_texts import GESTURES
from segue.serve.pattern_texts import PATTERN
from segue.serve.replies import Conflict, Saved
from segue.serve.requests import ListTexts, NewText, OpenText, Save
from segue.serve.shapes import TextEntry
from segue.serve.text_kinds import ORIGINAL, ReadText, TextKind, text_path
from segue.serve.text_replies import Text, Texts

if TYPE_CHECKING:
    from segue.serve.engine import Engine

TEXT_KINDS: Mapping[str, TextKind] = MappingProxyType(
    {"pattern": PATTERN, "gestures": GESTURES, "dancer": DANCER, "environment": ENVIRONMENT}
)
"""The kinds of text files by the name that messages have."""

_MOST = 1000  # files of a list
_MOST_VISITED = 50_000


class OpenedText:
    """A text file that is open. It has what the engine has for the script: a document, a conflict, and news of both."""

    def __init__(self, engine: Engine, what: str, file_name: str, document: Document, path: Path) -> None:
        self.engine, self.what, self.file_name = engine, what, file_name
        self.document = document
        self.path = path
        self.conflict: Conflict | None = None
        self.found = ReadText(None)
        self.read()

    @property
    def original(self) -> bool:
        """Whether the file comes with Segue and is only read."""
        return self.file_name.startswith(ORIGINAL)

    def read(self) -> None:
        """Find out what the present text says."""
        self.found = TEXT_KINDS[self.what].read(self.document.text, self.path)

    def changed(self, request: int = 0, by: Client | None = None) -> None:
        """Read the text after a change, and tell all pages."""
        self.read()
        self.tell_document(request, by)

    def tell_document(self, request: int = 0, by: Client | None = None, *, refused: bool = False) -> None:
        """Send `text` to all pages; the page that asked gets its request's number."""
        for client in list(self.engine.clients):
            if client.greeted:
                client.send(self.described(request if client is by else 0, refused=refused and client is by))

    def described(self, request: int = 0, *, refused: bool = False) -> Text:
        """Return the file as a message."""
        document, found = self.document, self.found
        return Text(
            self.file_name,
            self.what,
            self.original,
            document.rev,
            document.text,
            document.unsaved,
            document.can_undo,
            document.can_redo,
            document.gesture,
            found.outline,
            found.diagnostics,
            refused,
            request=request,
        )


def opened(folder: Path, file: Path) -> tuple[Document, Conflict | None]:
    """Return the document of a file below the folder, with a newer text that a crash left of it.

    The newer text is in the document already, and the older one is one step of undo away.
    """
    return recovered(*Document.open(file), file.relative_to(folder).as_posix())


def recovered(document: Document, newer: str | None, name: str) -> tuple[Document, Conflict | None]:
    """Return a document with the newer text of its autosave, if there is one, and the question which one to keep."""
    if newer is None:
        return document, None
    older = document.text
    document.replace(newer)
    return document, Conflict(name, older, newer, recovered=True)


def open_text(engine: Engine, client: Client, request: OpenText) -> None:
    """Open a text file, or send what is open already."""
    what = choice("kind of text", request.what, tuple(TEXT_KINDS))
    text = engine.texts.get(request.path) or _opened(engine, what, request.path)
    text.read()  # a file beside it may have changed
    text.tell_document(request.request, client)
    if text.conflict is not None:
        client.send(text.conflict)


def new_text(engine: Engine, client: Client, request: NewText) -> None:
    """Write a new text file and open it."""
    what = choice("kind of text", request.what, tuple(TEXT_KINDS))
    kind = TEXT_KINDS[what]
    if request.partner and kind.partner is not None:
        name, text = kind.partner(request.partner, engine.to_change(request.partner).document.text)
    else:
        name, text = kind.new(request.name)
    write_new(engine.workspace, TEXT_KINDS[what], name, text)
    open_text(engine, client, OpenText(what, name, request=request.request))


def list_texts(engine: Engine, client: Client, request: ListTexts) -> None:
    """List the files of a kind."""
    what = choice("kind of text", request.what, tuple(TEXT_KINDS))
    kind = TEXT_KINDS[what]
    found = list(_listed(kind, engine.folder, ""))
    if kind.originals is not None:
        found += _listed(kind, kind.originals, ORIGINAL)
    found.sort(key=lambda each: (each.group.casefold(), each.title.casefold(), each.path))
    client.send(Texts(what, tuple(found[:_MOST]), request=request.request))


def save_text(engine: Engine, client: Client, request: Save) -> None:
    """Write a text to its file, or a copy to another one, which is then open too."""
    text = engine.texts[request.file]
    if request.path in ("", text.file_name):
        if text.original:
            raise ArgumentError("this file comes with Segue and stays as it is: save a copy under another name")
        if text.document.changed_outside() is not None:
            raise ArgumentError("another program changed the file: decide first which text to keep")
        text.document.save()
        text.conflict = None
    else:
        write_new(engine.workspace, TEXT_KINDS[text.what], request.path, text.document.text)
        text = _opened(engine, text.what, request.path)
    client.send(Saved(text.file_name, "text", f"saved {text.file_name}", request=request.request))
    text.tell_document()
    engine.changed()  # the script may read the file


def write_new(workspace: Workspace, kind: TextKind, name: str, text: str) -> Path:
    """Write a file that must not exist yet, with its folders; return its path."""
    folder = workspace.folder
    for part in Path(name).parts[:-1]:
        folder /= part
        if folder.resolve().is_relative_to(workspace.folder) and not folder.exists():
            folder.mkdir()
    path = workspace.to_write(name, {kind.suffix})
    if path.exists():
        raise ArgumentError(f"'{name}' exists: choose another name")
    with atomic_write(path) as beside:
        beside.write_bytes(text.encode("utf-8"))
    return path


def _opened(engine: Engine, what: str, name: str) -> OpenedText:
    kind = TEXT_KINDS[what]
    path = text_path(kind, engine.workspace, name)
    if path.suffix.lower() != kind.suffix:
        raise ArgumentError(f"'{name}' is no {what}: its name must end in {kind.suffix}")
    if name.startswith(ORIGINAL):
        document, conflict = Document(read_script_file(path)), None
    else:
        document, conflict = opened(engine.folder, path)
    made = OpenedText(engine, what, name, document, path)
    made.conflict = conflict
    engine.texts[name] = made
    return made


def _listed(kind: TextKind, folder: Path, before: str) -> Iterator[TextEntry]:
    visited = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            visited += 1
            if visited > _MOST_VISITED:
                return
            path = Path(parent) / name
            if path.suffix.lower() != kind.suffix or name.startswith(".") or not path.resolve().is_relative_to(folder):
                continue
            try:
                said = kind.described(read_script_file(path), path)
            except SegueError:
                continue
            if said is not None:
                yield TextEntry(before + path.relative_to(folder).as_posix(), *said, bool(before))
