"""Every error Segue raises on bad input: one sentence that says what, where, and what would be right."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

__all__ = ["ArgumentError", "FileFormatError", "SegueError", "SegueWarning", "SkeletonError", "warn_user"]

_PACKAGE = __name__.partition(".")[0]


class SegueError(Exception):
    """Root of all errors caused by what the user gave us."""


class ArgumentError(SegueError, ValueError):
    """A value given in Python or on the command line makes no sense."""


class FileFormatError(SegueError, ValueError):
    """A file cannot be read or written as what it claims to be.

    The path, line and column (both counted from 1) are kept, so that an editor can jump there.
    """

    def __init__(
        self, message: str, path: str | Path | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.path = None if path is None else Path(path)
        self.line = line
        self.column = column
        where = [str(part) for part in (path, line, column) if part is not None]
        super().__init__(f"{':'.join(where)}: {message}" if where else message)


class SkeletonError(SegueError, ValueError):
    """A skeleton is malformed, or cannot be understood as a person."""


class SegueWarning(UserWarning):
    """Something in the input was odd, was dealt with, and the user should know how."""


def warn_user(sentence: str) -> None:
    """Warn of something odd at the line of the user's own code, however many calls of Segue's lie between."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, SegueWarning, stacklevel=level)
