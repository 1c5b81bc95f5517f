"""Filled gaps in colour: transitions of the whole body from blue to red, transitions of limbs in green."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from segue.body.human import HUMAN
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, joints_of
from segue.typing import Array
from segue.view.camera import Camera
from segue.view.palette import colour, course
from segue.view.picture import Picture
from segue.view.strips import by_segment, exposures

_SHADES = 101


@runtime_checkable
class Fill(Protocol):
    """A filled gap with its tracks, as `Motion.fills` has it, or any interval of time with tracks."""

    @property
    def start(self) -> float:
        """Start in s."""
        ...

    @property
    def stop(self) -> float:
        """End in s."""
        ...

    @property
    def tracks(self) -> tuple[str, ...]:
        """The tracks that were filled."""
        ...


def filled(
    motion: Motion,
    fills: Iterable[Fill],
    *,
    times: int | Sequence[float] = 9,
    colours: str = "blue to red",
    limbs: str = "green",
    rest: str = "silver",
    camera: Camera | None = None,
    spacing: float | None = None,
    height: int = 480,
) -> Picture:
    """Return exposures of a motion in light grey with the filled gaps in colour.

    times: at which to draw it, in s, or how many from its start to its stop. colours: the course of a filled whole body
    from the start of its gap to the stop; limbs: the same for limbs that were filled alone. Otherwise as `strip`.
    """
    moments = np.linspace(motion.start, motion.stop, times) if isinstance(times, int) else np.asarray(times, float)
    if moments.ndim != 1 or len(moments) == 0 or not np.isfinite(moments).all():
        raise ArgumentError(f"times are {times!r}: at least one moment is needed, in seconds")
    tints = filled_tints(moments, fills, colours=colours, limbs=limbs, rest=rest)
    stamps = [f"{moment:.2f} s" for moment in moments]
    return exposures(motion.figure, motion.at(moments), tints, stamps, camera=camera, spacing=spacing, height=height)


def filled_tints(moments: Array, fills: Iterable[Fill], *, colours: str, limbs: str, rest: str) -> Array:
    """Return the colours (T, segments, 3) at some moments of a figure in which some gaps were filled, as `filled`."""
    tints = by_segment(np.tile(colour(rest), (len(moments), 1)))
    for fill in fills:
        whole = set(fill.tracks) >= set(TRACKS)
        _paint(tints, moments, fill, course(colours if whole else limbs, _SHADES))
    return tints


def _paint(tints: Array, moments: Array, fill: Fill, shades: Array) -> None:
    """Colour the segments (T, segments, 3) that a fill moves, while it does."""
    share = (moments - fill.start) / (fill.stop - fill.start)
    inside = np.nonzero((share > -1e-9) & (share < 1 + 1e-9))[0]
    which = np.round(share[inside].clip(0.0, 1.0) * (len(shades) - 1)).astype(int)
    # a joint and the segment that it moves have the same place in their lists
    joints = set(joints_of(fill.tracks))
    moved = np.array([joint.name in joints for joint in HUMAN.joints])
    tints[np.ix_(inside, moved)] = shades[which][:, None]
