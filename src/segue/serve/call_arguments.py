"""Arguments of calls on arrays, as JSON objects: see `calls`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from segue.serve.array_clips import ClipShape


@dataclass(frozen=True)
class Recognise:
    """Find the roles of joints, the size of the person and its contacts."""

    clips: tuple[ClipShape, ...]


@dataclass(frozen=True)
class Transition:
    """Join two clips. duration: frames, 0 for the best. leave, enter: frames, None to search for them."""

    clips: tuple[ClipShape, ...]
    duration: float
    leave: float | None = None
    enter: float | None = None
    mode: Literal["free", "pinned"] = "free"


@dataclass(frozen=True)
class Fill:
    """Erase and fill the frames between two frames, which stay. joints: all if none are named.

    variant: 0 for the most likely path, others from 1. supports: pairs of a point and "auto", "enforce" or "never".
    """

    clips: tuple[ClipShape, ...]
    start: float
    stop: float
    joints: tuple[str, ...] = ()
    variant: int = 0
    supports: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Loop:
    """Make a cycle of the frames about start to stop; of the best part if None. count: periods to return."""

    clips: tuple[ClipShape, ...]
    start: float | None = None
    stop: float | None = None
    straight: bool | None = None
    count: int = 1


@dataclass(frozen=True)
class Check:
    """Check a clip."""

    clips: tuple[ClipShape, ...]


@dataclass(frozen=True)
class Improve:
    """Find better frames between keyframes. frames: of the keyframes, at least two."""

    clips: tuple[ClipShape, ...]
    frames: tuple[float, ...]


@dataclass(frozen=True)
class HeldPoint:
    """A contact: "left_ankle", "left_toe_joint", ... held from a frame to another."""

    point: str
    start: float
    stop: float


@dataclass(frozen=True)
class Plant:
    """Hold feet where they stand. contacts: those that are found if None. ease: frames in which corrections fade."""

    clips: tuple[ClipShape, ...]
    contacts: tuple[HeldPoint, ...] | None = None
    ease: float = 6.0


@dataclass(frozen=True)
class Warm:
    """Compile or load all kernels that the other calls need."""
