"""How a clip is read: units, up axis, names of joints, mass and sex, and the spans that are not trusted.

A figure that cannot follow a bad arm bends its trunk and neck towards the arm. So the untrusted joints are interpolated
on the clip's own skeleton before the figure is fitted there again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypedDict

import numpy as np

from segue.body.anthropometry import SEXES
from segue.body.human import HUMAN
from segue.checks import choice, positive
from segue.curves import quaternion
from segue.curves.interpolate import Hole
from segue.motion.clip import Clip
from segue.motion.fit import Fit
from segue.motion.space import turn_to_y_up
from segue.typing import Ints

RoleMap = Mapping[str, str | Sequence[str]] | str | Path
"""Joint names by role, or the path of a TOML file with them."""


class ClipOptionNames(TypedDict, total=False):
    """The fields of `ClipOptions` as keyword arguments."""

    scale: float | None
    up: str | None
    map: RoleMap | None
    mass: float | None
    sex: str
    fps: float | None
    stature: float | None


@dataclass(frozen=True)
class ClipOptions:
    """Options of reading a clip; Segue detects each value left as None.

    scale: metres per unit of the clip. up: the axis that points up, "Y" or "Z". map: joint names by role, or a file
    with them. mass: the body's, in kg. sex: "female", "male" or "average", the table of segment masses. fps: frames a
    second of the clip, where its file has a wrong number. stature: in m, of the person in a file without bone lengths,
    as those of AMASS.
    """

    scale: float | None = None
    up: str | None = None
    map: RoleMap | None = None
    mass: float | None = None
    sex: str = "average"
    fps: float | None = None
    stature: float | None = None

    def __post_init__(self) -> None:
        if self.scale is not None:
            positive("scale", self.scale, "metres per unit")
        if self.mass is not None:
            positive("mass", self.mass, "kilograms")
        if self.fps is not None:
            positive("fps", self.fps, "frames a second")
        if self.up is not None:
            turn_to_y_up(self.up)
        choice("sex", self.sex, SEXES)


def clip_options(options: ClipOptions | None, given: ClipOptionNames) -> ClipOptions:
    """Return options, with those that are given by name in place of theirs."""
    return replace(options or ClipOptions(), **given)


_LARGE = 1.7
_LARGER_BY = 0.002
"""A residual is large above this factor of the clip's usual residual plus so many metres."""

_JUMPING = 3.0
"""Rotation jumps in bad capture, as a factor of the largest jump elsewhere in the clip."""

_LEAST_JUMP = float(np.radians(2.0))


class UntrustedSpan(NamedTuple):
    """Tracks of the figure that are not trusted between two frames of a clip."""

    hole: Hole
    tracks: frozenset[str]


def is_bad(fit: Fit, hole: Hole) -> bool:
    """Return whether capture is bad between two frames: the residual is large, or the figure jumps as nowhere else."""
    return follows_badly(fit, hole) or _jumps(fit, hole)


def follows_badly(fit: Fit, hole: Hole) -> bool:
    """Return whether the residual of some frame between two is larger than is usual in the clip."""
    return bool(fit.residual_norm[hole[0] + 1 : hole[1]].max() > _largest_residual(fit))


def _jumps(fit: Fit, hole: Hole) -> bool:
    jumps = fit.rotation_jumps
    jump = jumps[hole[0] + 1 : hole[1]].max()
    if jump < _LEAST_JUMP:
        return False
    return bool(jump > _JUMPING * max(jumps[: hole[0]].max(initial=0.0), jumps[hole[1] + 1 :].max(initial=0.0)))


def trusted_frames(fit: Fit) -> Ints:
    """Return the frames whose residual is not large."""
    return np.flatnonzero(fit.residual_norm <= _largest_residual(fit))


def _largest_residual(fit: Fit) -> float:
    return _LARGE * fit.usual_residual + _LARGER_BY


def straightened(clip: Clip, joints_of_track: Mapping[str, Ints], spans: Iterable[UntrustedSpan]) -> Clip:
    """Return a clip in which untrusted joints are interpolated from the frame before a span to the frame after it.

    joints_of_track: the clip's joints that each track of the figure moves.
    """
    positions, rotations = clip.positions.copy(), clip.rotations.copy()
    for (before, after), tracks in spans:
        joints = _moved_by(joints_of_track, tracks)
        share = np.arange(1, after - before)[:, None] / (after - before)
        place, turn = positions[:, joints], rotations[:, joints]
        positions[before + 1 : after, joints] = place[before] + share[..., None] * (place[after] - place[before])
        rotations[before + 1 : after, joints] = quaternion.slerp(turn[before], turn[after], share)
    return Clip.from_arrays(clip.skeleton, positions, rotations, clip.fps)


def _moved_by(joints_of_track: Mapping[str, Ints], tracks: frozenset[str]) -> Ints:
    """Return the joints of a clip that some tracks help to move."""
    chosen = [np.empty(0, dtype=np.int64)]
    for joint in HUMAN.joints:
        if tracks.intersection(joint.tracks) or (joint.name == "root" and "root_position" in tracks):
            chosen.append(joints_of_track.get(joint.tracks[-1], chosen[0]))
    return np.concatenate(chosen)
