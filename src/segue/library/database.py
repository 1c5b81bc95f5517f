"""SQLite files of unknown origin: open them within limits, check them before use, and report errors in one sentence.

Segue reads only files whose schema is its own to the letter, so that no foreign view or trigger ever runs. The
journal is a rollback journal: it lies beside the file only while a process writes.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from segue.errors import FileFormatError

_APPLICATION = int.from_bytes(b"Sgue", "big")
_VERSION = 2  # of the format that is written, and the only one that is read; version 1 was a folder

_SOURCE = (
    "folder BLOB, beside BLOB NULL, file BLOB, size INTEGER, mtime_ns INTEGER, sha256 TEXT, scale REAL NULL, "
    "up TEXT NULL, mass REAL NULL, sex TEXT"
)
RECORDS = {
    "clips": f"name TEXT, {_SOURCE}, skeleton TEXT, person TEXT, figure BLOB, frames INTEGER, "
    "sections BLOB, poses TEXT",
    "skipped": f"{_SOURCE}, reason TEXT",
}
"""The columns of the tables of records; only those with NULL may hold NULL."""

_SCHEMA = (
    "CREATE TABLE library (sha256 TEXT)",
    *(f"CREATE TABLE {table} ({columns})" for table, columns in RECORDS.items()),
    "CREATE TABLE poses (sha256 TEXT PRIMARY KEY, block BLOB)",
)

_PATIENCE = 60.0  # s to wait for another process
_SCHEMA_BYTES = 10_000  # more than any value of the schema has
_STEPS = 100_000  # of SQLite's machine between two looks at how many there were
_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")  # ends a journal that names a file for SQLite to delete

_AGAIN = "build the library again under another name"
_SENTENCES = {
    sqlite3.SQLITE_BUSY: f"another process has been writing to this library for {_PATIENCE:.0f} s: try again later",
    sqlite3.SQLITE_READONLY: "the library is write-protected: allow writing to the file and to its folder",
    sqlite3.SQLITE_READONLY_ROLLBACK: "a process was killed while it wrote to the library: allow writing to the file, "
    "so that it can be restored",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check the permissions of the file and of its folder",
    sqlite3.SQLITE_FULL: "cannot be written: no space is left on the device, free some",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error",
    sqlite3.SQLITE_NOTADB: "is not a library: it is a file of another kind, or its beginning is damaged",
}


def damage(what: object, path: Path) -> FileFormatError:
    """Return the error for a file that is damaged."""
    return FileFormatError(f"is damaged ({what}): restore it from a copy, or {_AGAIN}", path)


def check_file(path: Path) -> None:
    """Raise unless there is a file at a path."""
    try:
        mode = os.stat(path).st_mode
        old = os.path.exists(path / "library.jsonl")
    except FileNotFoundError:
        link = os.path.islink(path)
        advice = "is a link that leads nowhere" if link else f"'segue library build FOLDER -o {path}' makes one"
        raise FileFormatError(f"there is no library: {advice}", path) from None
    except OSError as error:
        raise FileFormatError(f"cannot be read: the system reports '{error.strerror}'", path) from None
    if old:
        raise FileFormatError(f"is a library of an earlier Segue, which was a folder: {_AGAIN}", path)
    if not stat.S_ISREG(mode):  # SQLite would wait for a pipe
        raise FileFormatError("is not a library: a library is a file", path)


def create(path: Path) -> None:
    """Make a library without clips where there is no file, or an empty one."""
    with _connection(path, "rwc") as connection:
        _make_tables(connection)


@contextlib.contextmanager
def rewriting(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a library in memory, without clips, that replaces the one at a path in one step when the block ends."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        _make_tables(fresh)
        yield fresh
        with _connection(path, "rw") as connection:
            fresh.backup(connection)


@contextlib.contextmanager
def transaction(path: Path, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """Give a connection to a library that sees one state of it.

    All changes take effect together when the block ends. No change takes effect if the block raises, or the
    process is killed.
    """
    check_file(path)
    # a journal that a killed process left is played back, which takes the right to write
    recover = _has_journal(path) and os.access(path, os.W_OK)
    with _connection(path, "rw" if write or recover else "ro") as connection:
        connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
        _check_kind(connection, path)
        found = connection.execute("SELECT sql FROM sqlite_master").fetchmany(len(_SCHEMA) + 2)
        if len(found) != len(_SCHEMA) + 1 or {sql for (sql,) in found} != {*_SCHEMA, None}:
            raise damage("it has other tables than a library", path)
        _limit(connection, _pragma(connection, "page_count") * _pragma(connection, "page_size"))
        yield connection
        if write:  # reading ends with the connection, also after a damaged page
            connection.execute("COMMIT")


def check_records(connection: sqlite3.Connection, path: Path) -> None:
    """Raise unless each page of the tables of records is used once, and each value has the type of its column."""
    for table, columns in RECORDS.items():
        (result,) = connection.execute(f"PRAGMA quick_check('{table}')").fetchone()
        if result != "ok":
            raise damage(" ".join(str(result).split()), path)
        typed = (column.lower().split() for column in columns.split(", "))
        wrong = " OR ".join(f"typeof({name}) NOT IN ({str(kinds)[1:-1]})" for name, *kinds in typed)
        if connection.execute(f"SELECT 1 FROM {table} WHERE {wrong}").fetchone() is not None:
            raise damage(f"a value of the table of {table} has a wrong type", path)


@contextlib.contextmanager
def _connection(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Give a connection to a file; mode: "ro", "rw", or "rwc", which makes it."""
    address = f"{Path(os.path.realpath(path)).as_uri()}?mode={mode}"
    try:
        opened = sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)
        with contextlib.closing(opened) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _SCHEMA_BYTES)
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            connection.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 0)
            _limit(connection, _SCHEMA_BYTES)
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA cell_size_check=ON")
            yield connection
    except UnicodeDecodeError as error:  # Python reads SQLite's own messages, which may repeat bytes of the file
        raise damage("it holds text that is not UTF-8", path) from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        sentence = _SENTENCES.get(code) or _SENTENCES.get(code & 0xFF)
        raise (FileFormatError(sentence, path) if sentence else damage(error, path)) from error


def _limit(connection: sqlite3.Connection, size: int) -> None:
    """Allow no value that is larger than a file of so many bytes, and not much more work than reading it takes.

    Pages that refer to each other in circles could otherwise stand for any number of rows.
    """
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, size)
    steps, most = itertools.count(), 100 + 10 * size // _STEPS
    connection.set_progress_handler(lambda: next(steps) > most, _STEPS)


def lift_limits(connection: sqlite3.Connection) -> None:
    """Allow values of any size and any amount of work, once a file has been checked."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2**31 - 1)
    connection.set_progress_handler(None, 0)


def _check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Raise unless the header of a file is that of a library of this version."""
    if _pragma(connection, "page_count") == 0:
        raise FileFormatError(f"the file is empty: 'segue library build FOLDER -o {path}' makes a library of it", path)
    if _pragma(connection, "application_id") != _APPLICATION or _pragma(connection, "journal_mode") != "delete":
        raise FileFormatError("is not a library: it is a database of another program", path)
    version = _pragma(connection, "user_version")
    if version != _VERSION:
        update = "update Segue, or " if version > _VERSION else ""
        raise FileFormatError(
            f"the library has version {version}, this Segue reads version {_VERSION}: {update}{_AGAIN}", path
        )


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a library unless there are some."""
    # auto_vacuum, with which the file shrinks when clips are removed, writes the first page of a new file: outside the
    # transaction, other processes would see a database without tables
    connection.execute("BEGIN")
    connection.execute("PRAGMA auto_vacuum=FULL")
    if connection.execute("SELECT * FROM sqlite_master").fetchone() is None:
        for statement in (*_SCHEMA, f"PRAGMA application_id={_APPLICATION}", f"PRAGMA user_version={_VERSION}"):
            connection.execute(statement)
        connection.execute("INSERT INTO library VALUES (?)", (hashlib.sha256().hexdigest(),))
    connection.execute("COMMIT")


def _has_journal(path: Path) -> bool:
    """Return whether a journal lies beside a library. Raise where Segue cannot have written it."""
    journal = Path(f"{os.path.realpath(path)}-journal")
    try:
        with journal.open("rb") as file:
            file.seek(-min(len(_SUPER_JOURNAL), os.fstat(file.fileno()).st_size), os.SEEK_END)
            if file.read() == _SUPER_JOURNAL:
                raise FileFormatError(f"the journal beside the library is not its own: delete '{journal}'", path)
    except OSError:
        return False
    return True
