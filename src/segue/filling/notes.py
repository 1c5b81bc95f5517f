"""What a user should know of a filled gap: sentences on what could not be had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from segue.filling._support_kernels import glide
from segue.motion.fills import Support
from segue.motion.ground import Ground
from segue.motion.tracks import joints_of
from segue.typing import Array

_UNREACHED = 0.015
"""Metres by which a support may stray before it is said."""

_GLIDES = 0.15
"""Metres that a foot may glide along the ground before it is said."""

_NOTED, _NAMED = 1.0, 3
"""Change of velocity, in m/s or rad/s, from which on it is said, and how many joints are named."""

_ON_GROUND = 0.015
"""Metres above the ground up to which a sole is on it."""


def notes_on_velocities(start: float, stop: float, smoothed: Sequence[Mapping[str, float]]) -> tuple[str, ...]:
    """Return a sentence for each end of a gap, in s, whose frames jitter.

    smoothed: by how much the velocities of tracks that the gap meets differ from those of the frames, in m/s or rad/s.
    """
    notes = []
    for at, changes in zip((start, stop), smoothed, strict=True):
        ranked = sorted(changes, key=lambda track: -changes[track])
        joints = dict.fromkeys(joint for track in ranked if changes[track] > _NOTED for joint in joints_of([track]))
        if joints:
            named, more = [name.replace("_", " ") for name in list(joints)[:_NAMED]], len(joints) - _NAMED
            others = f" and {more} more" if more > 0 else ""
            notes.append(
                f"the frames at {at:.2f} s jitter ({', '.join(named)}{others}): the gap meets their smoothed velocity"
            )
    return tuple(notes)


def notes_on(
    supports: Sequence[Support], paths: Mapping[str, Array], ground: Ground | None, *, drawn: bool = False
) -> tuple[str, ...]:
    """Return sentences on supports that could not be held, and on feet that glide.

    paths: (S, 3) of each point of the feet that was looked at. ground: what they stand on, if anything. drawn: whether
    clips in which people take steps were drawn on.
    """
    strayed = [
        f"{support.point.replace('_', ' ')} cannot be held in place: it strays {100 * support.moved:.1f} cm"
        for support in supports
        if support.moved is not None and support.moved > _UNREACHED
    ]
    other = 'other times, which "auto" finds for transitions,'
    advice = (
        f"{other} or one of several variants may fit better"
        if drawn
        else f"no step is invented; a library that has clips like it, or {other} may fit better"
    )
    glided = []
    for side in ("left", "right"):
        sole = [path for name, path in paths.items() if name in (f"{side}_heel", f"{side}_ball", f"{side}_toe_tip")]
        way = 0.0
        if sole and ground is not None:
            tracks = np.stack(sole)
            way = glide(tracks, ground.under(tracks) + _ON_GROUND)
        if way > _GLIDES:
            glided.append(f"the {side} foot glides {100 * way:.0f} cm along the ground: {advice}")
    return (*strayed, *glided)
