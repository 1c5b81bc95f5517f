"""Kinds of text files that pages edit beside the script: their description. `texts.TEXT_KINDS` lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from segue.errors import FileFormatError
from segue.language.workspace import Workspace
from segue.serve.document import utf16
from segue.serve.outlines import Outline
from segue.serve.shapes import Diagnostic


@dataclass(frozen=True)
class ReadText:
    """The outline of a text, None where it cannot be read, and diagnostics."""

    outline: Outline | None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class TextKind:
    """A kind of text files.

    suffix: of its files. read: returns a text's outline and diagnostics, from the text and its path, which need not
    exist. described: returns title, group and a few words for a list of files, from text and path; None for a text of
    another kind with the same suffix. new: returns the path below the folder, and the text, of a new file of a name.
    originals: folder of the files that come with Segue. partner: returns path and text of what goes with a file, from
    the file's path and text, as the follower's part with the leader's.
    """

    suffix: str
    read: Callable[[str, Path], ReadText]
    described: Callable[[str, Path], tuple[str, str, str] | None]
    new: Callable[[str], tuple[str, str]]
    originals: Path | None = None
    partner: Callable[[str, str], tuple[str, str]] | None = None


ORIGINAL = "segue:"
"""Begins the paths of files that come with Segue."""


def text_path(kind: TextKind, workspace: Workspace, name: str) -> Path:
    """Return the file of a path as messages have it: below the folder, or one that comes with Segue."""
    if name.startswith(ORIGINAL) and kind.originals is not None:
        return Workspace(kind.originals).to_open(name.removeprefix(ORIGINAL))
    return workspace.to_open(name)


def line_diagnostic(error: FileFormatError, sentence: str, text: str) -> Diagnostic:
    """Return an error as a sentence about the rest of its line, or about the whole text."""
    if error.line is None:
        return Diagnostic(sentence, 0, 0)
    start, stop = line_span(text, error.line, error.column)
    return Diagnostic(sentence, start, stop)


def line_span(text: str, line: int, column: int | None) -> tuple[int, int]:
    """Return the span of a line from a column on, both counted from 1."""
    lines = text.split("\n")
    before = sum(len(each) + 1 for each in lines[: line - 1])
    stop = before + len(lines[line - 1].rstrip("\r")) if line <= len(lines) else len(text)
    start = min(before + (column or 1) - 1, stop)
    return utf16(text, start), utf16(text, stop)
