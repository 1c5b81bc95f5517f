"""Print to the terminal: errors, warnings and progress on stderr, results on stdout."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text
from typer import Typer
from typer.core import TyperGroup

from segue.errors import SegueWarning, one_line, printable


class _SafeConsole(Console):
    """A console that escapes all text, in cells of tables too, so that text from files cannot control the terminal.

    Names from files may also hold brackets and colons, so neither is read as a style or a picture.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Return escaped text; ends of lines and tabs stay."""
        return super().render_str("\n".join(map(printable, text.expandtabs().split("\n"))), **options)


output = _SafeConsole()
_errors = _SafeConsole(stderr=True)

_PATIENCE = 1.0  # seconds of work before a bar appears


def _report(word: str, style: str, sentence: str) -> None:
    _errors.print(f"segue: [{style}]{word}[/]: ", end="", markup=True)
    _errors.print(one_line(sentence), soft_wrap=True)


def say(text: str) -> None:
    """Print a result without markup and without wrapping."""
    output.print(text, soft_wrap=True)


def complain(sentence: str) -> None:
    """Print one sentence about an error."""
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
        _errors.print(warnings.formatwarning(message, category, filename, lineno, line), end="")


class Advance(Protocol):
    """Advances a progress bar: the amount done, the total, and a new label if it has changed."""

    def __call__(self, done: int, total: int, what: str | None = None, /) -> None:
        """Advance the bar."""


@contextmanager
def progress_bar(what: str) -> Iterator[Advance]:
    """Show a bar on stderr for work that takes longer than a second; yield a function of (done, total)."""
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=_errors,
        transient=True,
        disable=not _errors.is_terminal,
    )
    task = bar.add_task(printable(what), total=None)
    timer = threading.Timer(_PATIENCE, bar.start)
    timer.daemon = True
    timer.start()

    def advance(done: int, total: int, what: str | None = None, /) -> None:
        bar.update(task, completed=done, total=total, description=None if what is None else printable(what))

    try:
        yield advance
    finally:
        timer.cancel()
        bar.stop()


def command_group(name: str, text: str) -> Typer:
    """Return a group of commands, such as those of `segue library`. text: its line in the help."""
    return Typer(
        name=name,
        help=text,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        add_completion=False,
    )


class SafeGroup(TyperGroup):
    """Commands whose usage errors are escaped too, since they can contain names of files."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Read the options."""
        with _printable_complaints():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _printable_complaints():
            return super().invoke(ctx)


@contextmanager
def _printable_complaints() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        message = getattr(error, "message", None)
        if isinstance(message, str) and type(error).__name__ != "NoArgsIsHelpError":  # whose message is the help
            error.message = printable(message)  # type: ignore[attr-defined]
        raise
