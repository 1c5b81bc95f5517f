"""Priors: whatever can propose a path for a gap, such as a library of clips, and how sure it is of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from segue.body.figure import Poses
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.typing import Array


@dataclass(frozen=True)
class Drawn:
    """A stretch of a clip that was drawn on, from start to stop in s of its own time, mirrored or not.

    weight: its share of what was drawn on, from 0 to 1.
    """

    name: str
    start: float
    stop: float
    mirrored: bool
    weight: float

    def __str__(self) -> str:
        return f"{self.name} {self.start:.2f} to {self.stop:.2f} s" + (" mirrored" if self.mirrored else "")

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings, with units in the names."""
        return {
            "clip": self.name,
            "start_s": self.start,
            "stop_s": self.stop,
            "mirrored": self.mirrored,
            "weight": self.weight,
        }


@dataclass(frozen=True)
class Match:
    """How well a gap matches what a prior knows.

    confidence: in words. cost: how unlike the gap what was found is; None where there is nothing. share: how much of
    the way from least effort to what was found the path goes, from 0 to 1. drawn: what it was made of, the weightiest
    first; rest: how many more stretches there were.
    """

    confidence: str
    cost: float | None = None
    share: float = 0.0
    drawn: tuple[Drawn, ...] = ()
    rest: int = 0

    def __str__(self) -> str:
        """Return one sentence without a full stop: how sure, and drawn from what."""
        if not self.drawn:
            return self.confidence
        clips = list(dict.fromkeys(each.name for each in self.drawn))
        named = ", ".join(clips[:3]) + (" and others" if len(clips) > 3 or self.rest else "")
        return f"{self.confidence} (cost {self.cost:.2f}), drawn from {named}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain numbers and strings."""
        return {
            "confidence": self.confidence,
            "cost": self.cost,
            "share": self.share,
            "drawn": [each.to_dict() for each in self.drawn],
            "more": self.rest,
        }

    def unused(self, why: str) -> Match:
        """Return the match of a path that least effort made alone; why: in words."""
        return replace(self, confidence=why, share=0.0, drawn=(), rest=0)


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
