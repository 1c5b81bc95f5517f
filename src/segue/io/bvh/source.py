"""The text of a file with a place to read on from: words, names, fields, and errors that say line and column."""

from __future__ import annotations

import math
import re
from pathlib import Path

from segue.errors import FileFormatError, printable

NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

_WORD = re.compile(rb"\s*([{}]|[^\s{}]*)")
_NAME = re.compile(rb"[ \t\v\f]*([^{}\r\n]*)")
_NOT_FINITE = re.compile(rb"[+-]?(?:nan|inf|infinity)|[+-]?1\.#\w*", re.IGNORECASE)
_LINE_END = re.compile(rb"\r\n?|\n")
_LONGEST_QUOTE = 40


class Source:
    """The bytes of a file and a cursor in them. Positions are byte indices; lines and columns count from 1.

    oddities: sentences about what was odd and dealt with.
    """

    def __init__(self, data: bytes, path: str | Path) -> None:
        self.data = data
        self.path = path
        self.position = 0
        self.oddities: list[str] = []

    def word(self) -> tuple[bytes, int]:
        """Read on past the next word or brace; return it, empty at the end of the file, and where it stands."""
        match = _WORD.match(self.data, self.position)
        assert match is not None  # every part of the pattern may be empty
        self.position = match.end()
        return match[1], match.start(1)

    def name(self) -> tuple[bytes, int]:
        """Read on past a name: all that is left of the line, or up to a brace; blanks around it are dropped."""
        match = _NAME.match(self.data, self.position)
        assert match is not None  # every part of the pattern may be empty
        self.position = match.end()
        return match[1].rstrip(), match.start(1)

    def number(self, purpose: str) -> float:
        """Read on past a finite number."""
        token, at = self.word()
        return self.as_number(token, at, purpose)

    def as_number(self, token: bytes, at: int, purpose: str) -> float:
        """Return the value of a word that stands at a position, or say what is wrong with it."""
        if NUMBER.fullmatch(token):
            value = float(token)
            if math.isfinite(value):
                return value
        if not token:
            raise self.error(f"the file ends where {purpose} is needed", at)
        if NUMBER.fullmatch(token) or _NOT_FINITE.fullmatch(token):
            wish = "it must be finite"
        elif NUMBER.fullmatch(token.replace(b",", b".", 1)):
            wish = "write a decimal point, not a comma"
        else:
            wish = "it must be a number"
        raise self.error(f"{quoted(token)} stands where {purpose} is needed: {wish}", at)

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of a position."""
        line, start = 1, 0
        for end in _LINE_END.finditer(self.data, 0, at):
            line, start = line + 1, end.end()
        return line, at - start + 1

    def error(self, message: str, at: int, *, column: bool = True) -> FileFormatError:
        """Return the error that something is wrong at a position."""
        line, place = self.place(at)
        return FileFormatError(message, self.path, line, place if column else None)

    def note(self, message: str, at: int | None = None) -> None:
        """Keep a sentence about something odd that was dealt with, for the warnings once all is read."""
        where = str(self.path) if at is None else f"{self.path}:{self.place(at)[0]}"
        self.oddities.append(f"{where}: {message}")


def quoted(token: bytes | str) -> str:
    """Return text in quotes, fit for one line of a message: shortened, and with nothing that does not print."""
    text = token[: 4 * _LONGEST_QUOTE].decode("utf-8", "replace") if isinstance(token, bytes) else token
    short = text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "..."
    return f"'{printable(short)}'"
