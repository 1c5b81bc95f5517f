"""Priors: whatever can propose a path for a gap, such as a library of clips, and how sure it is of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from segue.body.figure import Poses
from segue.motion.fills import Match
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class Proposal:
    """A path for a gap, and how it was found.

    poses: at times spread evenly over the gap, both ends among them; None where there is nothing to propose. rests:
    (T, 4) at the same times, how much the points of `segue.spacetime.gap.FEET` stand still, from 0 to 1; left to how
    slow they are where None.
    """

    poses: Poses | None
    rests: Array | None
    match: Match


@runtime_checkable
class Prior(Protocol):
    """Something that proposes paths for gaps of the whole body."""

    def propose(self, motion: Motion, start: float, stop: float, ends: State) -> Proposal:
        """Return a path for the gap of a motion from start to stop, where its state is `ends`.

        The path meets the ends in value, and nearly in velocity.
        """
