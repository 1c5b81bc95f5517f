"""A lock that one process holds at a time, and that ends with it, however it ends."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from segue.errors import FileFormatError

__all__ = ["held"]

_PATIENCE = 60.0  # s
_BETWEEN = 0.05  # s between two attempts


@contextlib.contextmanager
def held(path: Path, patience: float = _PATIENCE) -> Iterator[None]:
    """Hold the lock of a file, which is made if need be; wait while another process has it, up to `patience` seconds.

    The lock is the operating system's: when a process dies, its locks are gone.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise FileFormatError(
            f"the library cannot be changed: the system says '{error.strerror}', check the permissions of its folder",
            path.parent,
        ) from error
    try:
        stop = time.monotonic() + patience
        while not _acquired(descriptor):
            if time.monotonic() > stop:
                raise FileFormatError(
                    f"another process has been writing to this library for {patience:.0f} s: try again when it is done",
                    path.parent,
                )
            time.sleep(_BETWEEN)
        yield
    finally:
        os.close(descriptor)


def _acquired(descriptor: int) -> bool:
    """Try to take the lock; it is given back when the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
