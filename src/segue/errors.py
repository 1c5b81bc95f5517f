"""Every error Segue raises on bad input: one sentence with the fault, its place and the remedy."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

_PACKAGE = __name__.partition(".")[0]
_LONGEST = 900  # characters of a message
_KEPT_AT_END = 300  # of which these come from its end


def printable(text: str) -> str:
    """Return text that is safe to show: characters that a terminal acts on, or that have no shape, are escaped."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def one_line(message: str) -> str:
    """Return a message as one printable line of bounded length, whatever names from files it repeats."""
    line = printable(" ".join(message.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - _KEPT_AT_END]} ... {line[5 - _KEPT_AT_END :]}"


class SegueError(Exception):
    """Root of all errors caused by what the user gave us: the message is one printable line of bounded length."""

    def __init__(self, message: object = "", *others: object) -> None:
        super().__init__(one_line(str(message)), *others)


class ArgumentError(SegueError, ValueError):
    """A value given in Python or on the command line makes no sense."""


class FileFormatError(SegueError, ValueError):
    """A file cannot be read or written as what it claims to be.

    The path, line and column (both counted from 1) are kept, so that an editor can jump there. sentence: the message
    without them.
    """

    def __init__(
        self, message: str, path: str | Path | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.path = None if path is None else Path(path)
        self.line = line
        self.column = column
        self.sentence = message
        where = [str(part) for part in (path, line, column) if part is not None]
        super().__init__(f"{':'.join(where)}: {message}" if where else message)


class SkeletonError(SegueError, ValueError):
    """A skeleton is malformed, or cannot be understood as a person."""


class SegueWarning(UserWarning):
    """Something in the input was odd, was dealt with, and the user should know how; one line, as an error's."""

    def __init__(self, message: object = "", *others: object) -> None:
        super().__init__(one_line(str(message)), *others)


def warn_user(sentence: str) -> None:
    """Warn of something odd at the line of the user's own code, however many calls of Segue's lie between."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, SegueWarning, stacklevel=level)
