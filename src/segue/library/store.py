"""The file of a library: read its clips, change it in one step, check every pose, and restore what is intact."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from segue.body.build import Build
from segue.body.figure import Figure
from segue.errors import FileFormatError, printable
from segue.filesystem import writable_target
from segue.library import database
from segue.library.library_clip import FRAME_BYTES, flaw_of, unpack_poses
from segue.library.record import Catalogue, ClipRecord, Key, SkippedRecord, Source
from segue.motion.options import ClipOptions

_LENGTHS = {each.name: 1 if each.type == "float" else 3 for each in fields(Build)}
_BLOCK = (
    "SELECT block FROM poses WHERE sha256 = ? AND typeof(block) = 'blob' AND length(block) = ? AND length(block) <= ?"
)

Locate = Callable[[bytes, bytes | None], str]


@dataclass
class Change:
    """Records to add or replace, None for those to remove, and by SHA-256 the poses that the library lacks."""

    records: dict[Key, ClipRecord | SkippedRecord | None] = field(default_factory=dict)
    blocks: dict[str, bytes] = field(default_factory=dict)


class Store:
    """The file of a library."""

    def __init__(self, path: Path) -> None:
        if "\0" in str(path):
            raise FileFormatError("is not the path of a file: it holds a NUL", printable(str(path)))
        self.path = path

    def check_readable(self) -> None:
        """Raise unless there is a library."""
        with database.transaction(self.path):
            pass

    def check_writable(self) -> None:
        """Raise unless the library can be changed, or made."""
        if os.path.lexists(self.path):
            database.check_file(self.path)
            if self.path.stat().st_size:
                self.check_readable()
        if not os.access(writable_target(self.path).parent, os.W_OK):  # the journal has to lie there
            raise FileFormatError("cannot be written: its folder is write-protected, allow writing to it", self.path)

    def create(self) -> None:
        """Make a library without clips, unless the file exists."""
        self.check_writable()
        if not self.path.exists() or not self.path.stat().st_size:
            database.create(self.path)

    def catalogue(self) -> Catalogue:
        """Return the records of the library."""
        with database.transaction(self.path) as connection:
            return _read(connection, self.path)

    def contents(self) -> Iterator[tuple[ClipRecord, bytes | None]]:
        """Yield the clips with the bytes of their poses, None if the poses are lost."""
        with database.transaction(self.path) as connection:
            for clips, block in _poses(connection, _read(connection, self.path)):
                yield from ((clip, block) for clip in clips)

    def block(self, clip: ClipRecord) -> bytes:
        """Return the bytes of one clip's poses; raise if they are lost. Nothing else is read."""
        with database.transaction(self.path) as connection:
            most = connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
            found = connection.execute(_BLOCK, (clip.poses, clip.frames * FRAME_BYTES, most)).fetchone()
        if found is None:
            advice = f"'segue library check {self.path}' lists what to do"
            raise FileFormatError(f"the poses of '{clip.name}' are missing or cut off: {advice}", self.path)
        block: bytes = found[0]
        return block

    def health(self) -> tuple[Catalogue, dict[str, str], str | None]:
        """Read everything; return the records, the faults of clips by name, and the fault of the file, if any."""
        with database.transaction(self.path) as connection:
            catalogue = _read(connection, self.path)
            flaws: dict[str, str] = {}
            for clips, block in _poses(connection, catalogue):
                flaw = _flaw(clips[0].poses, block)
                flaws |= {} if flaw is None else {clip.name: flaw for clip in clips}
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        wrong = None if said == "ok" else f"the file is damaged ({' '.join(str(said).split())})"
        return catalogue, flaws, wrong

    def commit(self, change: Change) -> None:
        """Apply a change to the present library, even if another process has changed it meanwhile."""
        self.check_writable()
        with database.transaction(self.path, write=True) as connection:
            catalogue = _read(connection, self.path)
            database.lift_limits(connection)  # what is new may be larger than the file was
            connection.executemany("INSERT OR REPLACE INTO poses VALUES (?, ?)", change.blocks.items())
            stored = {checksum for (checksum,) in connection.execute("SELECT sha256 FROM poses")}
            for key in change.records:
                catalogue.pop(key)  # all of them before any is added, so that their names are free
            for record in change.records.values():
                # the poses of a clip that moved may have been removed meanwhile
                if isinstance(record, SkippedRecord) or (record is not None and record.poses in stored):
                    catalogue.put(record)
            _write(connection, catalogue, self.path)
            connection.execute("DELETE FROM poses WHERE sha256 NOT IN (SELECT poses FROM clips)")

    def repair(self) -> None:
        """Write the file again from everything that is intact. Clips whose poses are lost keep their records.

        SQLite cannot hold its lock between reading and replacing a file: call this for damaged files only.
        """
        with database.rewriting(self.path) as fresh, database.transaction(self.path) as connection:
            catalogue = _read(connection, self.path)
            _write(fresh, catalogue, self.path)
            for clips, block in _poses(connection, catalogue):
                if _flaw(clips[0].poses, block) is None:
                    fresh.execute("INSERT INTO poses VALUES (?, ?)", (clips[0].poses, block))


def _poses(connection: sqlite3.Connection, catalogue: Catalogue) -> Iterator[tuple[list[ClipRecord], bytes | None]]:
    """Yield clips that have the same poses, and their bytes; None where these are missing, cut off or unreadable.

    No more bytes are read than the file has: damaged pages could stand for any number of them.
    """

    def wanted(clip: ClipRecord) -> tuple[str, int]:
        return clip.poses, clip.frames * FRAME_BYTES

    left = connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
    for key, clips in groupby(sorted(catalogue.clips.values(), key=wanted), key=wanted):
        block = None
        with contextlib.suppress(sqlite3.DatabaseError, OverflowError):
            block = connection.execute(_BLOCK, (*key, left)).fetchone()
        left -= 0 if block is None else len(block[0])
        yield list(clips), None if block is None else block[0]


def _flaw(checksum: str, block: bytes | None) -> str | None:
    """Return the fault of poses of a checksum, None if they are intact."""
    if block is None:
        return "its poses are missing or cut off"
    if hashlib.sha256(block).hexdigest() != checksum:
        return "its poses are damaged (the checksum differs)"
    return flaw_of(unpack_poses(block))


def _write(connection: sqlite3.Connection, catalogue: Catalogue, path: Path) -> None:
    """Replace all records."""
    beside = {folder: _beside(folder, path) for folder in catalogue.folders}
    rows = [
        [_clip_row(clip, beside) for clip in catalogue.sorted_clips],
        [(*_source_row(record.source, beside), record.reason) for _, record in sorted(catalogue.skipped.items())],
    ]
    for table, values in zip(database.RECORDS, rows, strict=True):
        connection.execute(f"DELETE FROM {table}")
        for row in values:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    connection.execute("UPDATE library SET sha256 = ?", (_checksum(connection),))


def _read(connection: sqlite3.Connection, path: Path) -> Catalogue:
    """Return all records, after checking every value."""
    database.check_records(connection, path)
    if connection.execute("SELECT sha256 FROM library").fetchmany(2) != [(_checksum(connection),)]:
        raise database.damage("the checksum of its records differs", path)
    catalogue, locate = Catalogue(), cache(partial(_locate, os.path.realpath(path)))
    try:
        for row in connection.execute("SELECT * FROM clips"):
            catalogue.put(_clip(row, locate))
        for *source, reason in connection.execute("SELECT * FROM skipped"):
            catalogue.put(SkippedRecord(_source(source, locate), printable(reason)))
    except ValueError as error:
        raise database.damage(error, path) from None
    return catalogue


def _checksum(connection: sqlite3.Connection) -> str:
    """Return the SHA-256 of all records."""
    digest = hashlib.sha256()
    for table in database.RECORDS:
        for row in connection.execute(f"SELECT * FROM {table} ORDER BY rowid"):
            digest.update(ascii(row).encode("ascii"))
    return digest.hexdigest()


def _clip(row: tuple[Any, ...], locate: Locate) -> ClipRecord:
    name, *source, skeleton, person, figure, frames, sections, poses = row
    edges = np.frombuffer(sections, "<i8").tolist()
    pairs = tuple(zip(edges[::2], edges[1::2], strict=True))
    ordered = edges == sorted(edges) and all(first < last for first, last in pairs)
    if frames < 1 or not ordered or (edges and not 0 <= edges[0] < edges[-1] <= frames):
        raise ValueError(f"the sections of '{printable(name)}' are not within its {frames} frames, in order")
    taken = _source(source, locate)
    body = _figure(figure, taken.options.sex)
    return ClipRecord(printable(name) or "?", taken, printable(skeleton), person, body, frames, pairs, poses)


def _clip_row(clip: ClipRecord, beside: dict[str, bytes | None]) -> tuple[Any, ...]:
    lengths = (np.ravel(getattr(clip.figure.build, name)) for name in _LENGTHS)
    figure = np.concatenate([[clip.figure.mass], *lengths]).astype("<f8").tobytes()
    sections = np.array(clip.sections, "<i8").tobytes()
    source = _source_row(clip.source, beside)
    return clip.name, *source, clip.skeleton, clip.person, figure, clip.frames, sections, clip.poses


def _source(row: list[Any], locate: Locate) -> Source:
    folder, beside, file, size, mtime_ns, checksum, scale, up, mass, sex = row
    options = ClipOptions(scale, up, mass=mass, sex=sex)
    return Source(locate(folder, beside), os.fsdecode(file), size, mtime_ns, checksum, options)


def _source_row(source: Source, beside: dict[str, bytes | None]) -> tuple[Any, ...]:
    where = os.fsencode(source.folder), beside[source.folder], os.fsencode(source.file)
    options = source.options
    read = options.scale, options.up, options.mass, options.sex
    return *where, source.size, source.mtime_ns, source.checksum, *read


@lru_cache(maxsize=256)
def _figure(block: bytes, sex: str) -> Figure:
    """Return the figure of a mass and lengths; clips of one person share it."""
    numbers = np.frombuffer(block, "<f8").astype(float)
    if len(numbers) != 1 + sum(_LENGTHS.values()) or not np.isfinite(numbers).all():
        raise ValueError("a figure has lengths that are missing, or not finite")
    mass, *parts = np.split(numbers, np.cumsum([1, *_LENGTHS.values()])[:-1])
    if any(part.size == 1 and part <= 0 for part in parts):
        raise ValueError("a figure has lengths that are not positive")
    lengths: Any = {name: part if part.size > 1 else part.item() for name, part in zip(_LENGTHS, parts, strict=True)}
    return Figure(Build(**lengths), mass.item(), sex)


def _beside(folder: str, library: Path) -> bytes | None:
    """Return the path of a folder as seen from the library: it still holds after both were moved together."""
    try:
        return os.fsencode(os.path.relpath(os.path.realpath(folder), os.path.realpath(library)))
    except ValueError:  # on another drive
        return None


def _locate(library: str, path: bytes, beside: bytes | None) -> str:
    """Return the path of a folder: the stored path, or the path relative to the library if that exists."""
    known = os.fsdecode(path)
    if beside is None or os.path.isdir(known):
        return known
    here = os.path.normpath(os.path.join(library, os.fsdecode(beside)))
    return here if os.path.isdir(here) else known
