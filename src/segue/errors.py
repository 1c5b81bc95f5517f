"""Every error Segue raises on bad input: one sentence that says what, where, and what would be right."""

from __future__ import annotations

from pathlib import Path

__all__ = ["ArgumentError", "FileFormatError", "SegueError", "SegueWarning", "SkeletonError"]


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
