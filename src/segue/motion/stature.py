"""The stature of people in files that hold rotations only: their bones are assumed, and scale with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from segue.checks import positive
from segue.errors import ArgumentError
from segue.motion.clip import Clip

_ASSUMED = "assumed_stature"


def with_stature(clip: Clip, stature: float | None) -> Clip:
    """Return a clip whose bones were assumed with those of another stature in metres; the clip itself if None."""
    if stature is None:
        return clip
    positive("stature", stature, "metres")
    known = assumed_stature(clip)
    if known is None or clip.origin is None:
        raise ArgumentError("stature is only for files without bone lengths, as those of AMASS: this one has them")
    factor = stature / known
    positions = np.array(clip.positions)
    bones = np.array(clip.parents) >= 0
    positions[:, bones] *= factor
    details = {**(clip.origin.details or {}), _ASSUMED: stature}
    origin = replace(clip.origin, details=details)
    return Clip(clip.names, clip.parents, factor * clip.offsets, positions, clip.rotations, clip.fps, origin=origin)


def assumed_stature(clip: Clip) -> float | None:
    """Return the stature in metres that a clip's bones were assumed for; None if its file has bone lengths."""
    details = clip.origin.details if clip.origin is not None else None
    found = (details or {}).get(_ASSUMED)
    return None if found is None else float(found)


def stature_note(clip: Clip) -> tuple[str, ...]:
    """Return the note on assumed bones, if there are any."""
    assumed = assumed_stature(clip)
    if assumed is None:
        return ()
    return (
        f"The file has no bone lengths: they are those of Segue's figure of {assumed:g} m. --stature sets another.",
    )
