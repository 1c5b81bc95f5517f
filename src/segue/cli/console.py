"""Speaking to the terminal: errors, warnings and progress on stderr, results on stdout."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from segue.errors import SegueWarning

__all__ = ["Advance", "complain", "output", "progress_bar", "say", "show_warning"]

output = Console(highlight=False)
_errors = Console(stderr=True, highlight=False)

_PATIENCE = 1.0  # seconds of work before a bar appears


def _report(word: str, style: str, sentence: str) -> None:
    _errors.print(f"segue: [{style}]{word}[/]: ", end="")
    # the sentence may hold brackets of the user's own
    _errors.print(" ".join(sentence.split()), markup=False, soft_wrap=True)


def say(text: str) -> None:
    """Print a result as it is: the user's own brackets and long paths stay whole."""
    output.print(text, markup=False, soft_wrap=True)


def complain(sentence: str) -> None:
    """Print one sentence about what went wrong."""
    _report("error", "bold red", sentence)


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print Segue's own warnings as a sentence, in place of `warnings.showwarning`; others as Python does."""
    if issubclass(category, SegueWarning):
        _report("note", "yellow", str(message))
    else:
        _errors.print(warnings.formatwarning(message, category, filename, lineno, line), markup=False, end="")


class Advance(Protocol):
    """Moves a bar on: so much is done, of so much; what: what is being done from now on, where it has changed."""

    def __call__(self, done: int, total: int, what: str | None = None, /) -> None:
        """Move the bar on."""


@contextmanager
def progress_bar(what: str) -> Iterator[Advance]:
    """Show a bar on stderr for work that takes longer than a second; yields what to call with (done, of how many)."""
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=_errors,
        transient=True,
        disable=not _errors.is_terminal,
    )
    task = bar.add_task(what, total=None)
    timer = threading.Timer(_PATIENCE, bar.start)
    timer.daemon = True
    timer.start()

    def advance(done: int, total: int, what: str | None = None, /) -> None:
        bar.update(task, completed=done, total=total, description=what)

    try:
        yield advance
    finally:
        timer.cancel()
        bar.stop()
