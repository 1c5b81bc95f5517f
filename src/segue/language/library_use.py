"""`use library("...")`: the clips that gaps are filled from, until others are used, or none."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from segue.errors import SegueError, SegueWarning
from segue.language.errors import LanguageError, suggestion
from segue.language.limits import Budget
from segue.language.tree import Argument, Use
from segue.language.values import Value, kind_of_value
from segue.language.workspace import Workspace
from segue.library.frame_index import FrameIndex
from segue.library.library import Library
from segue.library.library_clip import LibraryClip

USABLE = ("library",)
"""What scripts can use."""


def check_used(statement: Use) -> None:
    """Say so if a script means to use something that cannot be used."""
    if statement.what not in USABLE:
        hint = suggestion(statement.what, USABLE) or f": there is {' and '.join(USABLE)}"
        raise LanguageError(f"'{statement.what}' cannot be used{hint}", statement.place)


def opened(given: Iterable[tuple[Argument, Value]], workspace: Workspace, budget: Budget) -> FrameIndex | None:
    """Return what is in libraries below the workspace's folder; None where none is named, to use none from here on."""
    named = list(given)
    entries: list[LibraryClip] = []
    for argument, value in named:
        if argument.name is not None:
            raise LanguageError(f"library has no parameter '{argument.name}': it takes names of files", argument.place)
        if not isinstance(value, str):
            raise LanguageError(
                f"library needs the name of a file in quotes, not {kind_of_value(value)}", argument.place
            )
        try:
            file = workspace.to_open(value)
            budget.reading(file.stat().st_size, argument.place)
            entries += Library(file).entries
        except LanguageError:
            raise
        except SegueError as error:
            raise LanguageError(str(error), argument.place) from error
    if named and not entries:
        warnings.warn("the library is empty: gaps are filled by least effort alone", SegueWarning, stacklevel=2)
    return FrameIndex(entries) if named else None
