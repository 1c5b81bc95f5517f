"""Targets inside a gap: where a foot stands, where a point of the body is at one time, and when the body flies.

These are values that users give. `segue.filling` solves gaps for them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from segue.checks import choice, number, shown
from segue.errors import ArgumentError
from segue.motion.interval import TINY

FOOTED = ("left_foot", "right_foot")
"""The feet that can have a footstep."""


@dataclass(frozen=True)
class Footstep:
    """A foot that stands flat on the ground from start to stop, in s.

    x, z: the middle of the sole, halfway between heel and toe tip, in m. heading: the direction from heel to toe tip in
    degrees, 0 along +Z and positive towards +X; that of the path without the footstep where None.
    """

    foot: str
    start: float
    stop: float
    x: float
    z: float
    heading: float | None = None

    def __post_init__(self) -> None:
        choice("the foot of a footstep", self.foot, FOOTED)
        for name in ("start", "stop", "x", "z"):
            object.__setattr__(self, name, number(f"{name} of a footstep", getattr(self, name)))
        if self.heading is not None:
            object.__setattr__(self, "heading", number("the heading of a footstep", self.heading))
        _check_span("footstep", self.start, self.stop)

    @property
    def side(self) -> str:
        """The side of the body: "left" or "right"."""
        return self.foot.split("_")[0]

    def __str__(self) -> str:
        return f"the footstep of the {self.foot.replace('_', ' ')} from {self.start:g} to {self.stop:g} s"

    def later(self, seconds: float) -> Footstep:
        """Return the target at a later time."""
        return replace(self, start=self.start + seconds, stop=self.stop + seconds)


@dataclass(frozen=True)
class Reach:
    """A point of the body that is at a place (x, y, z), in m, at one time in s.

    point: "left_hand", "right_foot", "hips", or a named point of the figure such as "left_knee" or "head_top".
    """

    point: str
    at: float
    x: float
    y: float
    z: float

    def __post_init__(self) -> None:
        if not isinstance(self.point, str):
            raise ArgumentError(f'the point of a reach is {shown(self.point)}: a name is needed, as "right_hand"')
        for name in ("at", "x", "y", "z"):
            object.__setattr__(self, name, number(f"{name} of a reach", getattr(self, name)))

    @property
    def start(self) -> float:
        """The time in s, as other targets have it."""
        return self.at

    @property
    def stop(self) -> float:
        """The time in s, as other targets have it."""
        return self.at

    def __str__(self) -> str:
        return f"the target of the {self.point.replace('_', ' ')} at {self.at:g} s"

    def later(self, seconds: float) -> Reach:
        """Return the target at a later time."""
        return replace(self, at=self.at + seconds)


@dataclass(frozen=True)
class Flight:
    """A time without any support, from take-off to landing in s: the centre of mass falls freely."""

    start: float
    stop: float

    def __post_init__(self) -> None:
        for name in ("start", "stop"):
            object.__setattr__(self, name, number(f"{name} of a flight", getattr(self, name)))
        _check_span("flight", self.start, self.stop)

    def __str__(self) -> str:
        return f"the flight from {self.start:g} to {self.stop:g} s"

    def later(self, seconds: float) -> Flight:
        """Return the target at a later time."""
        return replace(self, start=self.start + seconds, stop=self.stop + seconds)


Target: TypeAlias = Footstep | Reach | Flight
"""Anything that a gap can be asked to do."""


def _check_span(what: str, start: float, stop: float) -> None:
    if not stop - start > TINY:
        raise ArgumentError(f"the {what} from {start:g} to {stop:g} s is empty: it must stop after it starts")
