"""The options that say what gaps are filled from: libraries of clips, the clip itself, single variants."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import progress_bar
from segue.errors import ArgumentError, SegueWarning
from segue.filling import Options
from segue.library.frame_index import FrameIndex
from segue.library.library import Library
from segue.library.library_clip import LibraryClip
from segue.library.library_source import LibrarySource

_MOST_VARIANTS = 20


@dataclass(frozen=True)
class FillSources:
    """The sources of fills, and the number of variants."""

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
    variants: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write up to N ways to choose from, each as one clip goes: OUT_1, OUT_2, ..."),
    ] = None

    def check(self) -> None:
        """Raise if the options contradict each other, before any file is read."""
        if self.variants is not None and not 1 <= self.variants <= _MOST_VARIANTS:
            raise ArgumentError(f"--variants is {self.variants}: it must be a whole number from 1 to {_MOST_VARIANTS}")
        if self.variants is not None and self.library is None and self.own is False:
            raise ArgumentError("there is nothing to make variants of: give a --library, or leave --no-self out")

    @property
    def asked(self) -> bool:
        """Whether the user named a source: a fill that does not use it is then reported."""
        return self.library is not None or bool(self.own)

    def opened(self, options: Options, *, own: bool | None = None) -> Options:
        """Return options with a prior from the libraries. Warns if a library is empty.

        own: whether to search the clips themselves where the user did not say; None searches them with a library only.
        """
        own = own if self.own is None else self.own
        if self.library is None:
            return replace(options, self_prior=own)
        entries: list[LibraryClip] = []
        # what is given twice counts once, or variants would come twice, too
        for path in {path.resolve(): path for path in self.library}.values():
            found = Library(path)
            if not found.entries:
                warnings.warn(f"the library {path} has no clips: nothing can be drawn on", SegueWarning, stacklevel=2)
            entries += found.entries
        with progress_bar("Looking at the library"):
            return replace(options, library=LibrarySource(FrameIndex(entries)), self_prior=own)
