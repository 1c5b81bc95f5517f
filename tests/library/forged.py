"""Libraries changed by hand, with checksums that fit: what somebody could write who means no good."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

from segue.library.store import _checksum


def edit(library: Path, *statements: str, values: tuple[Any, ...] = ()) -> None:
    """Run SQL on a library, and correct the checksum of its records."""
    with contextlib.closing(sqlite3.connect(library, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        for statement in statements:
            connection.execute(statement, values)
        connection.execute("UPDATE library SET sha256 = ?", (_checksum(connection),))


def edit_schema(library: Path, *statements: str) -> None:
    """Run SQL on a library that may change the table of its tables."""
    with contextlib.closing(sqlite3.connect(library, isolation_level=None)) as connection:
        for statement in ("PRAGMA writable_schema=ON", *statements):
            connection.execute(statement)
