"""How a motion shows itself: whoever can draw motions says so here, since the package of motions draws none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from segue.errors import ArgumentError

if TYPE_CHECKING:
    from segue.motion.motion import Motion


class Shown(Protocol):
    """Something to look at: a notebook shows it as the value of a cell."""

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        ...

    def display(self) -> None:
        """Show it in a notebook from the middle of a cell."""
        ...


_presenters: list[Callable[[Motion], Shown]] = []


def present_with(presenter: Callable[[Motion], Shown]) -> None:
    """Let motions be shown by a function from now on."""
    _presenters[:] = [presenter]


def present(motion: Motion) -> Shown:
    """Return a motion as something to look at."""
    if not _presenters:
        raise ArgumentError("nothing that shows motions is loaded: import segue.showing first")
    return _presenters[0](motion)
