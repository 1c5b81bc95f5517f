"""Files of the opened folder: scripts, exports, listings, skeletons, and changes by other programs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from segue.errors import ArgumentError
from segue.io.files import READERS, check_writable, written_suffixes
from segue.language.effects import write
from segue.language.errors import Place, Source
from segue.language.limits import Budget
from segue.motion.motion import Motion
from segue.serve import texts
from segue.serve.client import Client
from segue.serve.document import Document
from segue.serve.edited import Edited
from segue.serve.engine import Engine
from segue.serve.job_process import LIBRARY_SUFFIX
from segue.serve.mapping import skeleton_of, write_map
from segue.serve.replies import Conflict, Files, Saved
from segue.serve.requests import AskSkeleton, Export, Listing, MapJoints, Open, Resolve, Save
from segue.serve.shapes import FileEntry
from segue.view.web.pages import page

SCRIPT = ".segue"
"""The suffix of scripts."""

_PAGE = ".html"
_MOST_LISTED = 2000
_MOST_VISITED = 50_000
UNNAMED = "untitled.segue"
"""The name whose autosave keeps a script that was never saved."""


def opened(folder: Path, file: Path | None, text: str = "") -> tuple[Document, Conflict | None]:
    """Return the document of a script, or a new one with a text, and what a crash left of a newer text.

    The newer text is in the document already, and the older one is one step of undo away.
    """
    if file is None:
        return texts.recovered(*Document.unnamed(text, folder / UNNAMED), "")
    return texts.opened(folder, file)


def open_file(engine: Engine, client: Client, request: Open) -> None:
    """Open a script, or make a script of a clip."""
    path = engine.workspace.to_open(request.path)
    suffix = path.suffix.lower()
    if suffix == SCRIPT:
        engine.document.commit()
        document, engine.conflict = engine.documents.get(path), None
        if document is None:
            document, engine.conflict = opened(engine.folder, path)
            engine.documents[path] = document
    elif suffix in READERS:
        if '"' in request.path:
            raise ArgumentError("the name of the clip has a quotation mark: rename it first")
        document, engine.conflict = Document(f'motion = load("{request.path}")\nmotion\n'), None
    else:
        raise ArgumentError(f"'{request.path}' is neither a script ({SCRIPT}) nor a clip")
    engine.adopt(document)
    engine.tell_document(request.request, client)
    for each in list(engine.clients):
        tell_conflict(engine, each)


def save(engine: Engine, client: Client, request: Save) -> None:
    """Write the script, or a text file, to its file or to another one."""
    if request.file:
        engine.edited(request.file)
        texts.save_text(engine, client, request)
        return
    file = engine.workspace.to_write(request.path, {SCRIPT}) if request.path else None
    if file is None and engine.document.changed_outside() is not None:
        watch(engine)
        raise ArgumentError("another program changed the file: decide first which text to keep")
    engine.document.save(file)
    if engine.document.file is not None:
        engine.documents[engine.document.file] = engine.document
    engine.conflict = None
    name = engine.file_name
    client.send(Saved(name, "script", f"saved {name}", request=request.request))
    engine.tell_document()


def export(engine: Engine, client: Client, request: Export) -> None:
    """Write a motion to a file, or a page that plays it."""
    made = engine.evaluated
    node = request.node or (made.shown if made else "")
    motion = made.values.get(node) if made else None
    if not isinstance(motion, Motion) or not motion.tracks:
        raise ArgumentError("there is no motion to export")
    path = engine.workspace.to_write(request.path, {*written_suffixes(), _PAGE})
    rate = request.fps if request.fps > 0.0 else None

    def work() -> None:
        if path.suffix.lower() == _PAGE:
            page({motion.source.name: motion}, fills=lambda each: each.fills, title=path.stem).save(path)
        else:
            check_writable(path)
            write(motion, path, Budget(engine.limits), Place(Source(""), 1, 1), rate)
        said = f"exported {request.path}: {motion.duration:.2f} s"
        client.send(Saved(request.path, "motion", said, request=request.request))

    engine.ask(client, request.request, f"export {request.path}", work)


def listing(engine: Engine, client: Client, request: Listing) -> None:
    """List a folder, or search all folders below it."""
    below = engine.workspace.inside(request.folder)
    if not below.is_dir():
        raise ArgumentError(f"'{request.folder}' is no folder")
    found = list(_searched(engine, below, request.search.lower()) if request.search else _listed(engine, below))
    readable = tuple(sorted({*READERS, SCRIPT}))
    writable = tuple(sorted({*written_suffixes(), _PAGE}))
    client.send(Files(request.folder, tuple(found[:_MOST_LISTED]), writable, readable, request=request.request))


def _listed(engine: Engine, folder: Path) -> Iterator[FileEntry]:
    entries = sorted(folder.iterdir(), key=lambda path: (not path.is_dir(), path.name.lower()))
    return filter(None, (_entry(engine, path) for path in entries[:_MOST_VISITED]))


def _searched(engine: Engine, folder: Path, part: str) -> Iterator[FileEntry]:
    visited = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            visited += 1
            if visited > _MOST_VISITED:
                return
            if part in name.lower() and (entry := _entry(engine, Path(parent) / name)):
                yield entry


def _entry(engine: Engine, path: Path) -> FileEntry | None:
    """Return a file or folder; None for hidden files and for links that lead out of the folder."""
    if path.name.startswith(".") or not path.resolve().is_relative_to(engine.folder):
        return None
    kind: Literal["folder", "script", "clip", "library", "other"]
    suffix = path.suffix.lower()
    if path.is_dir():
        kind = "folder"
    else:
        known = {SCRIPT: "script", LIBRARY_SUFFIX: "library"}
        kind = known.get(suffix, "clip" if suffix in READERS else "other")  # type: ignore[assignment]
    try:
        size = 0 if kind == "folder" else path.stat().st_size
    except OSError:
        return None
    return FileEntry(path.relative_to(engine.folder).as_posix(), kind, size)


def skeleton(engine: Engine, client: Client, request: AskSkeleton) -> None:
    """Say which joints of a clip's skeleton play which role."""

    def work() -> None:
        found = skeleton_of(engine.workspace, request.path)
        client.send(replace(found, request=request.request))

    engine.ask(client, request.request, "skeleton", work)


def map_joints(engine: Engine, client: Client, request: MapJoints) -> None:
    """Write a map of joints beside a clip."""
    client.send(replace(write_map(engine.workspace, request), request=request.request))


def watch(engine: Engine) -> None:
    """Look whether another program changed an open file; transports call this about once a second."""
    with engine.lock:
        for edited in engine.all_edited():
            _watch(engine, edited)


def _watch(engine: Engine, edited: Edited) -> None:
    try:
        theirs = edited.document.changed_outside()
    except Exception:
        return  # it is being written, or is no text any more
    if theirs is None:
        return
    known = edited.conflict
    if known is None or known.theirs != theirs or known.mine != edited.document.text:
        edited.conflict = Conflict(edited.file_name, edited.document.text, theirs)
        engine.broadcast(edited.conflict)


def tell_conflict(engine: Engine, client: Client) -> None:
    """Send a page the conflict that nobody has resolved yet."""
    if engine.conflict is not None and client.greeted:
        client.send(engine.conflict)


def resolve(engine: Engine, client: Client, request: Resolve) -> None:
    """Keep one of two texts; the other one stays one step of undo away."""
    edited = engine.edited("" if request.file == engine.file_name else request.file)
    found, edited.conflict = edited.conflict, None
    if found is None:
        raise ArgumentError("there is nothing to decide: the file has the text that the studio read or wrote")
    document = edited.document
    if not found.recovered:
        document.accept_outside()
    if request.keep == "theirs" and not found.recovered:
        document.replace(found.theirs)
    elif request.keep == "mine" and found.recovered:
        document.replace(found.mine)
    edited.changed(request.request, client)
