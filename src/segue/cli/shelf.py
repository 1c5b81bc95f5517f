"""What gaps are filled from on the command line: libraries of clips, the clip itself, single takes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypedDict

import typer

from segue.cli.console import progress_bar
from segue.errors import ArgumentError, SegueWarning
from segue.library.entry import Entry
from segue.library.library import Library
from segue.library.moments import Moments

__all__ = ["Drawing", "Shelf"]

_MOST_TAKES = 20


class Drawing(TypedDict):
    """What is drawn on, as functions that fill gaps take it."""

    library: Moments | None
    self_prior: bool | None


@dataclass(frozen=True)
class Shelf:
    """What is drawn on, and whether as takes to choose from."""

    library: Annotated[
        list[Path] | None,
        typer.Option(metavar="LIB", help="Fill as clips of this library go at moments like it; may be given again."),
    ] = None
    own: Annotated[
        bool | None,
        typer.Option(
            "--self/--no-self",
            help="Draw on the clips themselves outside the gap, too, or not. If not given, `fill` of the whole body "
            "does, also without a library: in clips of minutes, gaps of a second come 20 to 30 % nearer to the "
            "truth, for a tenth of a second of work. `transition` does only with a library.",
            show_default=False,
        ),
    ] = None
    takes: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write up to N ways to choose from, each as one clip goes: OUT_1, OUT_2, ..."),
    ] = None

    def check(self) -> None:
        """Raise where what is wanted makes no sense, before any file is read."""
        if self.takes is not None and not 1 <= self.takes <= _MOST_TAKES:
            raise ArgumentError(f"--takes is {self.takes}: it must be a whole number from 1 to {_MOST_TAKES}")
        if self.takes is not None and self.library is None and self.own is False:
            raise ArgumentError("there is nothing to make takes of: give a --library, or leave --no-self out")

    @property
    def asked(self) -> bool:
        """Whether it was asked for that something be drawn on: where it is of no use, that is then told."""
        return self.library is not None or bool(self.own)

    def opened(self, *, own: bool | None = None) -> Drawing:
        """Return what is drawn on, with all that is in the libraries. An empty one is told, and does no harm.

        own: whether the clips themselves are, if nothing is said about it; only with a library where None.
        """
        own = own if self.own is None else self.own
        if self.library is None:
            return {"library": None, "self_prior": own}
        entries: list[Entry] = []
        # what is given twice counts once, or takes would come twice, too
        for path in {path.resolve(): path for path in self.library}.values():
            found = Library(path)
            if not found.entries:
                warnings.warn(f"the library {path} has no clips: nothing can be drawn on", SegueWarning, stacklevel=2)
            entries += found.entries
        with progress_bar("Looking at the library"):
            return {"library": Moments(entries), "self_prior": own}
