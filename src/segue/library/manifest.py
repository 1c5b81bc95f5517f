"""The manifest: one file that says what is in a library, replaced whole, so that it is always either old or new.

A first line names format, version and how much follows, with a checksum of it; then comes a line for each folder, clip
and file that was skipped. Each line is a JSON object.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from segue.errors import FileFormatError
from segue.filesystem import atomic_write, read_bytes
from segue.library.entry import RATE
from segue.library.fields import Fields, parse_object
from segue.library.record import ClipRecord, SkippedRecord

__all__ = ["MANIFEST", "VERSION", "Manifest", "read_manifest", "write_manifest"]

MANIFEST = "library.jsonl"
"""The manifest's name in the folder of a library."""

VERSION = 1
"""The version of the format that is written, and the only one that is read."""

_FORMAT = "segue library"


@dataclass(frozen=True)
class Manifest:
    """What is in a library: clips, and files that were looked at in vain."""

    clips: tuple[ClipRecord, ...] = ()
    skipped: tuple[SkippedRecord, ...] = ()

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that all of it came from, in alphabetical order."""
        sources = [*(clip.source for clip in self.clips), *(skipped.source for skipped in self.skipped)]
        return tuple(sorted({source.folder for source in sources}))


def write_manifest(library: Path, manifest: Manifest) -> None:
    """Replace the manifest of a library."""
    folders = list(manifest.folders)
    lines = [
        *({"path": folder, "beside": _beside(folder, library)} for folder in folders),
        *(clip.to_json(folders) for clip in manifest.clips),
        *(skipped.to_json(folders) for skipped in manifest.skipped),
    ]
    body = b"".join(map(_line, lines))
    head = {
        "format": _FORMAT,
        "version": VERSION,
        "rate": RATE,
        "folders": len(folders),
        "clips": len(manifest.clips),
        "skipped": len(manifest.skipped),
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    with atomic_write(library / MANIFEST) as beside, beside.open("wb") as file:
        file.write(_line(head) + body)
        file.flush()
        os.fsync(file.fileno())


def read_manifest(library: Path) -> Manifest:
    """Return what a library says it holds, after checking every word of it."""
    path = library / MANIFEST
    first, newline, body = read_bytes(path).partition(b"\n")
    head = parse_object(first, path, 1)
    _check_version(head)
    if not newline or head.text("sha256") != hashlib.sha256(body).hexdigest():
        raise FileFormatError(
            "the manifest is damaged, or was changed by hand: restore it, or build the library again in a new folder",
            path,
        )
    lines = body.splitlines()
    counts = [head.count(name) for name in ("folders", "clips", "skipped")]
    if sum(counts) != len(lines):
        raise head.wrong(f"{sum(counts)} lines are to follow, but {len(lines)} do: the file is damaged")
    objects = [parse_object(text, path, number) for number, text in enumerate(lines, start=2)]
    opened, closed = counts[0], counts[0] + counts[1]
    folders = [_folder(given, library) for given in objects[:opened]]
    clips = tuple(ClipRecord.of(given, folders) for given in objects[opened:closed])
    _check_names(clips, objects[opened:closed])
    return Manifest(clips, tuple(SkippedRecord.of(given, folders) for given in objects[closed:]))


def _check_version(head: Fields) -> None:
    if head.text("format") != _FORMAT:
        raise head.wrong(f"the format is '{head.text('format')}': a library's is '{_FORMAT}'")
    version = head.count("version")
    if version > VERSION:
        raise head.wrong(
            f"the library has version {version}, this Segue knows version {VERSION}: update Segue, or build the "
            "library again in a new folder"
        )
    if version < VERSION:
        raise head.wrong(
            f"the library has version {version}, which is no longer read: build it again in a new folder "
            f"(version {VERSION})"
        )
    if head.number("rate") != RATE:
        raise head.wrong(f"the rate is {head.number('rate'):g} frames a second: {RATE:g} is needed")


def _check_names(clips: Iterable[ClipRecord], objects: Iterable[Fields]) -> None:
    names: set[str] = set()
    for clip, given in zip(clips, objects, strict=True):
        if clip.name in names:
            raise given.wrong(f"the name '{clip.name}' stands twice: every clip needs a name of its own")
        names.add(clip.name)


def _line(values: dict[str, Any]) -> bytes:
    # in ASCII: names of files may hold bytes that are no text, which only escapes can carry
    return json.dumps(values, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def _beside(folder: str, library: Path) -> str | None:
    """Return the way from a library to a folder: it still holds after both were moved together."""
    try:
        return os.path.relpath(os.path.realpath(folder), os.path.realpath(library))
    except ValueError:  # on another drive
        return None


def _folder(given: Fields, library: Path) -> str:
    """Return where a folder is: where it was, or where it stands now beside the library."""
    path, beside = given.matching("path", lambda text: "\0" not in text, "a path"), given.text_or_none("beside")
    here = None if beside is None else os.path.normpath(os.path.join(os.path.realpath(library), beside))
    return here if here is not None and os.path.isdir(here) and not os.path.isdir(path) else path
