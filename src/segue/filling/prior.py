"""Priors, such as a library of clips, propose a path for a gap with a confidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from segue.body.figure import Poses
from segue.errors import ArgumentError
from segue.motion.fills import Match
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.typing import Array

Span = tuple[float, float]
"""A start and a stop, in s."""


@dataclass(frozen=True, eq=False)
class Proposal:
    """A path for a gap, and the match that it comes from.

    poses: at evenly spaced times over the gap, both ends included; None without a proposal. rests: (T, 4) at the same
    times, how much the points of `segue.spacetime.gap.FEET` rest, from 0 to 1; follows from their speed where None.
    """

    poses: Poses | None
    rests: Array | None
    match: Match


@runtime_checkable
class Prior(Protocol):
    """Proposes paths for gaps of the whole body."""

    def propose(self, motion: Motion, start: float, stop: float, ends: State) -> Proposal:
        """Return a path for the gap of a motion from start to stop, where its state is `ends`.

        The path meets the ends in value, and nearly in velocity.
        """


class ClipPrior(Prior, Protocol):
    """Combines many matches in clips, or proposes one of them."""

    def alone(self, number: int) -> Prior:
        """Return a prior that proposes one match: the best for number 0, then the next best that differs."""


@runtime_checkable
class PriorSource(Protocol):
    """Makes a prior for the gaps of given motions, such as `segue.Library`."""

    def prior_for(
        self, motions: Sequence[Motion], erased: Iterable[Span] = (), *, self_prior: bool | None = None
    ) -> ClipPrior:
        """Return a prior for gaps in motions.

        The motions' own frames outside `erased`, (start, stop) in s, are searched too unless self_prior is False.
        Copies of the motions are not searched, since they contain the erased frames.
        """


Clips = PriorSource | str | Path | Iterable[Any]
"""What users give as a library: a `Library`, its file, or its clips."""

_open: list[Callable[[Clips | None], PriorSource]] = []


def provide_library(open_clips: Callable[[Clips | None], PriorSource]) -> None:
    """Set the function that makes a source of priors from clips; for None, from the motions' own frames alone.

    `segue.library` calls it, so that this package need not import it.
    """
    _open[:] = [open_clips]


def source_of(clips: Clips | None) -> PriorSource:
    """Return the source of priors for clips; None uses the motions' own frames alone."""
    if not _open:
        raise ArgumentError("no library can be opened: import segue.library first")
    return _open[0](clips)
