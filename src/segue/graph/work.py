"""The record of a build: results by the SHA-256 of everything that they depend on, in a SQLite file.

The file lies beside the graph. A build that was interrupted, or that gets more clips, finds there what need not be done
again. It can be deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from segue.errors import FileFormatError

_APPLICATION = int.from_bytes(b"SgGw", "big")
_AT_ONCE = 500  # keys that are looked up at once


def key_of(*parts: Any) -> str:
    """Return the SHA-256 of plain values, which names a result that depends on nothing else."""
    text = json.dumps(parts, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Work:
    """Results of tasks by their keys. Each `put` is kept, even if the process is killed right after it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with self._errors():
            self._connection = sqlite3.connect(self.path, isolation_level=None, timeout=60.0)
            found = self._connection.execute("PRAGMA application_id").fetchone()[0]
            tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and found != _APPLICATION:
                raise FileFormatError("is not the record of a build: choose another name for the graph", path)
            # the journal is written ahead, so that a commit costs one write, and a killed process loses none
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(f"PRAGMA application_id={_APPLICATION}")
            self._connection.execute("CREATE TABLE IF NOT EXISTS done (key TEXT PRIMARY KEY, block BLOB)")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def get(self, key: str) -> bytes:
        """Return a result that must be there."""
        with self._errors():
            found = self._connection.execute("SELECT block FROM done WHERE key = ?", (key,)).fetchone()
        if found is None:
            raise FileFormatError("lacks a result that it had: delete the file, and build again", self.path)
        block: bytes = found[0]
        return block

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Return the keys without a result, in their order, each once."""
        wanted = list(dict.fromkeys(keys))
        known: set[str] = set()
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            with self._errors():
                rows = self._connection.execute(f"SELECT key FROM done WHERE key IN ({marks})", some)
                known.update(key for (key,) in rows)
        return [key for key in wanted if key not in known]

    def put(self, results: Iterable[tuple[str, bytes]]) -> None:
        """Keep results."""
        with self._errors():
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR REPLACE INTO done VALUES (?, ?)", results)
            self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise FileFormatError(
                f"cannot be used ({error}): free the disk, end other builds, or delete the file", self.path
            ) from error
