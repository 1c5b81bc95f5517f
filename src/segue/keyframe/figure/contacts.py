"""What keyframes alone say of contacts: feet that are in the same place in two of them stand between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from segue.body.figure import Figure, Poses
from segue.keyframe.figure.keyframes import FigureKeyframes
from segue.keyframe.figure.points import FOOT_POINTS
from segue.keyframe.penalties.skid import Plant
from segue.typing import Array

_NEAR = 0.025
"""m: a point that is farther away at the next keyframe has moved; the nearer, the more surely it stands."""
_LONGEST = 0.5
"""s: between keyframes farther apart a foot may well have been lifted and put back."""


def plants_between(frames: FigureKeyframes, points: Sequence[str] = FOOT_POINTS) -> tuple[Plant, ...]:
    """Return which points stand between keyframes that give legs and root, and how surely."""
    known = frames.knows(["root_position", "root", *_LEGS])
    poses, times = frames.poses(), frames.times
    found = []
    for point in points:
        places = frames.figure.point(point, poses)
        apart = np.linalg.norm(np.diff(places, axis=0), axis=1)
        for k in np.flatnonzero((apart < _NEAR) & known[1:] & known[:-1] & (np.diff(times) <= _LONGEST)).tolist():
            strength = (1.0 - (apart[k] / _NEAR) ** 2) ** 2
            found.append(Plant(point, float(times[k]), float(times[k + 1]), float(strength)))
    return tuple(found)


def heights_of(figure: Figure, poses: Poses, floor: float | None, points: Sequence[str] = FOOT_POINTS) -> Array:
    """Return the height (P,) below which each point must not come: the floor, or as low as a keyframe has it.

    floor: m; None where it is not known, and each point may be as low as it is in its lowest keyframe.
    """
    lowest = np.array([figure.point(point, poses)[:, 1].min() for point in points])
    return lowest if floor is None else np.minimum(lowest, floor)


_LEGS = tuple(
    f"{side}_{track}"
    for side in ("left", "right")
    for track in ("hip", "knee_flexion", "ankle_flexion", "ankle_inversion", "toe_extension")
)
