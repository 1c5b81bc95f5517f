"""Frames of a clip that are not to be trusted in some joints: which are, and what the figure is fitted to instead.

A figure that cannot follow a bad arm leans after it: trunk and neck are drawn along. So joints that are doubted are
made anew on the clip's own skeleton, simply, before the figure is fitted there again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.curves.interpolate import Hole
from segue.motion.clip import Clip
from segue.motion.fit import Fit
from segue.typing import Ints

_STRAINED = 1.7
_STRAINED_BY = 0.002
"""Metres, beyond the factor above, by which a frame is further from the figure than frames of its clip usually are."""

_LEAPING = 3.0
"""How many times more a joint's turning changes from frame to frame in bad capture than anywhere in good capture."""

_LEAST_LEAP = float(np.radians(2.0))


class Doubt(NamedTuple):
    """Tracks of the figure that are not to be trusted between two frames of a clip."""

    hole: Hole
    tracks: frozenset[str]


def is_bad(fit: Fit, hole: Hole) -> bool:
    """Whether a clip is evidently bad between two frames: the figure strains to follow, or leaps as nowhere else.

    Where it is not, whatever the joints do there, they do it without drawing each other along.
    """
    return is_strained(fit, hole) or _is_leaping(fit, hole)


def is_strained(fit: Fit, hole: Hole) -> bool:
    """Whether the figure follows some frame between two much worse than it usually follows the clip."""
    return bool(fit.strain[hole[0] + 1 : hole[1]].max() > _most_strain(fit))


def _is_leaping(fit: Fit, hole: Hole) -> bool:
    leap = fit.leaps[hole[0] + 1 : hole[1]].max()
    if leap < _LEAST_LEAP:
        return False
    return bool(leap > _LEAPING * max(fit.leaps[: hole[0]].max(initial=0.0), fit.leaps[hole[1] + 1 :].max(initial=0.0)))


def trusted_frames(fit: Fit) -> Ints:
    """Return the frames of a clip that the figure does not strain to follow."""
    return np.flatnonzero(fit.strain <= _most_strain(fit))


def _most_strain(fit: Fit) -> float:
    return _STRAINED * fit.usual_strain + _STRAINED_BY


def straightened(clip: Clip, driven: Mapping[str, Ints], doubts: Iterable[Doubt]) -> Clip:
    """Return a clip in which joints that are doubted go the shortest way from the frame before to the one after.

    driven: the clip's joints that each track of the figure moves.
    """
    positions, rotations = clip.positions.copy(), clip.rotations.copy()
    for (before, after), tracks in doubts:
        joints = _moved_by(driven, tracks)
        share = np.arange(1, after - before)[:, None] / (after - before)
        place, turn = positions[:, joints], rotations[:, joints]
        positions[before + 1 : after, joints] = place[before] + share[..., None] * (place[after] - place[before])
        rotations[before + 1 : after, joints] = quaternion.slerp(turn[before], turn[after], share)
    return Clip.on(clip.skeleton, positions, rotations, clip.fps)


def _moved_by(driven: Mapping[str, Ints], tracks: frozenset[str]) -> Ints:
    """Return the joints of a clip that some tracks have a part in moving."""
    chosen = [np.empty(0, dtype=np.int64)]
    for joint in HUMAN.joints:
        names = (joint.name,) if joint.ball else tuple(hinge.name for hinge in joint.hinges)
        if tracks.intersection(names) or (joint.name == "root" and "root_position" in tracks):
            chosen.append(driven.get(names[-1], chosen[0]))
    return np.concatenate(chosen)
