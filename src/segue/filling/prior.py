"""Priors, such as a library of clips, propose a path for a gap with a confidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from segue.body.figure import Poses
from segue.motion.fills import Match
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, State
from segue.typing import Array

Span = tuple[float, float]
"""A start and a stop, in s."""


@dataclass(frozen=True, eq=False)
class GapRequest:
    """A gap of a motion for which a prior proposes a path.

    start, stop: s. ends: state of the motion at start and stop, two rows, with the velocities that the path must meet.
    tracks: the missing tracks; the motion defines all other tracks between start and stop. ground: under the gap.
    variant: None asks for the path that is most likely near to the truth. A number asks for one of several different
    paths, 0 for the best of them.
    """

    motion: Motion
    start: float
    stop: float
    ends: State
    tracks: tuple[str, ...]
    ground: Ground
    variant: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all tracks are missing."""
        return len(self.tracks) == len(TRACKS)


@dataclass(frozen=True, eq=False)
class Proposal:
    """A path for a gap, the contacts of the feet on it, and how far it may be from the truth.

    poses: at evenly spaced times over the gap, both ends included; None without a proposal. contacts: (T, 4) at the
    same times, probability that the points of `segue.spacetime.gap.FEET` touch the ground; None if unknown. error: the
    prior's estimate of its mean joint error over the gap in m; None if unknown. reason: why the prior is unsure or
    proposes nothing, in plain words. match: the clips that the path comes from; None if it comes from no clips. usual:
    the prior's mean estimate of its error in gaps as long; None if unknown.
    """

    poses: Poses | None
    contacts: Array | None = None
    error: float | None = None
    reason: str = ""
    match: Match | None = None
    usual: float | None = None


@runtime_checkable
class Prior(Protocol):
    """Proposes paths for gaps."""

    def propose(self, request: GapRequest) -> Proposal:
        """Return a path for a gap, or a proposal without poses and the reason.

        The path meets the ends in value, and nearly in velocity. A proposal without poses for a
        variant means that the prior knows no further variants.
        """


@runtime_checkable
class PlacingPrior(Protocol):
    """A prior that also knows where the motion after a gap belongs."""

    def displacement(self, request: GapRequest) -> tuple[float, float] | None:
        """Return how far (x, z) in m the motion after a gap is from where steps lead, or None if it is unknown."""


@runtime_checkable
class PriorSource(Protocol):
    """Makes a prior for the gaps of given motions, such as `segue.Library`."""

    def prior_for(
        self, motions: Sequence[Motion], erased: Iterable[Span] = (), *, use_own_frames: bool | None = None
    ) -> Prior:
        """Return a prior for gaps in motions.

        The motions' own frames outside `erased`, (start, stop) in s, are searched too unless use_own_frames is False.
        Copies of the motions are not searched, since they contain the erased frames.
        """


Clips = PriorSource | str | Path | Iterable[Any]
"""A library as users give it: a `Library`, its file, or its clips."""

AUTO, LEARNED, LIBRARY, BOTH, NONE = "auto", "learned", "library", "both", "none"
NAMES = (AUTO, LEARNED, LIBRARY, BOTH, NONE)
"""Names of priors; for "auto" see `Options`."""


def source_of(clips: Clips | None) -> PriorSource:
    """Return the source of priors for clips; None uses the motions' own frames alone."""
    # an outer package, imported when it is needed
    source: PriorSource = import_module("segue.library.library").open_clips(clips)
    return source


def learned_prior(weights: str | Path | None = None) -> Prior:
    """Return the learned prior of a file of weights, or the prior that ships with Segue."""
    learned = import_module("segue.prior.learned")  # an outer package, too
    prior: Prior = learned.shipped_prior() if weights is None else learned.LearnedPrior.read(weights)
    return prior
