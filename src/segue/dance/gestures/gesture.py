"""What a symbol means for the body: goal orientations of the limbs that its category moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from segue.dance.gestures.anatomy import Pose, mirrored_pose
from segue.dance.notation.model import Body, FootPosition, Footwork, Head, Modifier, Part


class Category(StrEnum):
    """The symbol categories of [Lake1990, section 5.4] that move limbs, and the carriage of the arms."""

    HEAD = "Head Position"
    FOOT = "Foot Position"
    BODY = "Body Modifier"
    FOOTWORK = "Footwork"
    ARMS = "Arms"


SYMBOLS: Mapping[Category, tuple[str, ...]] = MappingProxyType(
    {
        Category.HEAD: tuple(Head),
        Category.FOOT: tuple(FootPosition),
        Category.BODY: (Modifier.CONTRA_BODY, *Body),
        Category.FOOTWORK: tuple(Footwork),
        Category.ARMS: tuple(Part),
    }
)
"""The symbols of each category. Modifiers that only say where a foot goes are the planner's: they move no limb here."""


@dataclass(frozen=True)
class Gesture:
    """A symbol's goals in order: those before the last are passed on the way [Lake1990, section 6.3].

    goals: degrees by joint and movement. sway: degrees that the body as a whole inclines to the left.
    """

    symbol: str
    category: Category
    goals: tuple[Pose, ...]
    sway: float = 0.0

    def mirrored(self) -> Gesture:
        """Return the gesture's mirror image."""
        return replace(self, goals=tuple(mirrored_pose(goal) for goal in self.goals), sway=-self.sway)
