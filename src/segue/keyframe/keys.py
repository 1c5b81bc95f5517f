"""Keyframes of the figure: a pose, or some joints of one, at a time; picked from motions or given as angles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from segue.body.human import HUMAN
from segue.body.limits import BallLimit, HingeLimit
from segue.checks import array, hint, number, shown
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.motion import Motion, check_motion
from segue.motion.tracks import TRACKS, Kind, tracks_of
from segue.spacetime.path import LARGEST
from segue.typing import Array

Angles = Mapping[str, float | Sequence[float]]
"""Values of joints: degrees for hinges, three degrees (a rotation vector) or a quaternion (w, x, y, z) for ball joints,
metres for root_position."""

_SLACK = math.radians(0.5)
_WHOLE = tuple(TRACKS)


class Picked(NamedTuple):
    """The source of a keyframe: a motion and one of its times, s."""

    motion: Motion
    at: float


@dataclass(frozen=True, eq=False)
class Key:
    """The figure's pose at a time, s: coordinates (51,), of which those of some tracks count.

    picked: the motion it comes from, if any; whole keyframes then wear that motion's skeleton.
    """

    time: float
    row: Array
    tracks: tuple[str, ...] = _WHOLE
    picked: Picked | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", number("the time of a keyframe", self.time, unit="seconds"))

    def __repr__(self) -> str:
        what = "whole body" if self.tracks == _WHOLE else f"{len(self.tracks)} of {len(TRACKS)} tracks"
        return f"Key({self.time:g} s, {what})"

    @classmethod
    def from_motion(
        cls, motion: Motion, at: float, time: float | None = None, joints: str | Iterable[str] | None = None
    ) -> Key:
        """Return a keyframe picked from a motion: what it is at `at`, s, to be met at `time`, the same where not given.

        joints: names of joints or groups that count; all that the motion defines then where not given.
        """
        check_motion("a keyframe is picked from", motion)
        at = number("the time at which a keyframe is picked", at, unit="seconds within the motion")
        defined = tuple(track for track, parts in motion.tracks.items() if parts.at(at) is not None)
        if not defined:
            raise ArgumentError(
                f"the motion defines nothing at {at:g} s: it goes from {motion.start:g} to {motion.stop:g} s"
            )
        row = motion.state([at], defined).poses.rows[0]
        picked = cls(at if time is None else time, row, defined, Picked(motion, at))
        return picked if joints is None else picked.only(joints)

    @classmethod
    def from_angles(cls, time: float, angles: Angles) -> Key:
        """Return a keyframe of the joints that are named, see `Angles`, and of no other."""
        return replace(t_pose(time), tracks=()).posed(angles)

    def at(self, time: float) -> Key:
        """Return the same keyframe at another time, s."""
        return replace(self, time=time)

    def moved(self, by: Sequence[float]) -> Key:
        """Return the keyframe with its root moved by x, y and z, m: up onto a step, for one."""
        needed = f"three numbers of metres are needed, up to {LARGEST:,.0f}"
        shift = array("the move of a keyframe", by, (3,), least=-LARGEST, most=LARGEST, needed=needed)
        if "root_position" not in self.tracks:
            raise ArgumentError(f"the keyframe at {self.time:g} s has no root to be moved: it is of other joints")
        row = self.row.copy()
        row[:3] += shift
        return replace(self, row=row)

    def only(self, joints: str | Iterable[str]) -> Key:
        """Return the keyframe of some joints or groups alone; the others are found by improvement."""
        if not isinstance(joints, str | Iterable):
            raise ArgumentError(f"the joints of a keyframe are {shown(joints)}: names of joints or groups are needed")
        wanted = tracks_of(joints)
        kept = tuple(track for track in self.tracks if track in wanted)
        if not kept:
            raise ArgumentError(f"the keyframe at {self.time:g} s has no values of these joints: name some that it has")
        return replace(self, tracks=kept)

    def posed(self, angles: Angles) -> Key:
        """Return the keyframe with some joints set anew, see `Angles`; they count from now on."""
        if not isinstance(angles, Mapping):
            raise ArgumentError(f"joints are set to {shown(angles)}: their names with degrees, in a dict, are needed")
        row, given = self.row.copy(), set(self.tracks)
        for name, value in angles.items():
            for track, values in _values(name, value, self.time).items():
                row[HUMAN.columns[track]] = values
                given.add(track)
        return replace(self, row=row, tracks=tuple(track for track in TRACKS if track in given))


def t_pose(time: float) -> Key:
    """Return a keyframe with all joints at zero and the root at the origin."""
    row = np.zeros(HUMAN.column_count)
    for track, kind in TRACKS.items():
        if kind is Kind.ROTATION:
            row[HUMAN.columns[track].start] = 1.0
    return Key(time, row)


def _values(name: str, value: float | Sequence[float], time: float) -> dict[str, Array]:
    """Return the coordinates of each track that a joint's name stands for."""
    tracks = tracks_of([name]) if name != "root" else ("root",)
    where = f"{name} in the keyframe at {time:g} s"
    needed = f"a row of finite numbers up to {LARGEST:,.0f} is needed"
    said = np.atleast_1d(array(where, value, least=-LARGEST, most=LARGEST, needed=needed))
    if said.ndim != 1:
        raise ArgumentError(f"{where} is {shown(value)}: {needed}")
    if len(tracks) == 1 and TRACKS[tracks[0]] is Kind.POSITION:
        _check_count(where, said, (3,), "x, y and z in metres")
        return {tracks[0]: said}
    if len(tracks) == 1 and TRACKS[tracks[0]] is Kind.ROTATION:
        return {tracks[0]: _rotation(where, tracks[0], said)}
    if any(TRACKS[track] is not Kind.ANGLE for track in tracks):
        raise ArgumentError(f"{where} has one value, but {name} is several joints: set each of them")
    _check_count(where, said, (len(tracks),), f"degrees for {', '.join(tracks)}")
    for track, degrees in zip(tracks, said, strict=True):
        limit = HUMAN.limit_of(track)
        assert isinstance(limit, HingeLimit)
        if not limit.low - _SLACK <= math.radians(degrees) <= limit.high + _SLACK:
            raise ArgumentError(
                f"{where} sets {track} to {degrees:g} degrees, outside its limits: "
                f"{math.degrees(limit.low):g} to {math.degrees(limit.high):g} degrees are possible"
            )
    return {track: np.radians([degrees]) for track, degrees in zip(tracks, said, strict=True)}


def _rotation(where: str, track: str, values: Array) -> Array:
    _check_count(where, values, (3, 4), "a rotation vector of three degrees, or a quaternion w, x, y, z")
    if len(values) == 3:
        turn = quaternion.exp(np.radians(values))
    elif np.linalg.norm(values) < 1e-9:
        raise ArgumentError(
            f"{where} is a quaternion of length zero, which is no rotation: (1, 0, 0, 0) is the rotation by zero"
        )
    else:
        turn = quaternion.normalise(values)
    limit = HUMAN.limit_of(track)
    assert isinstance(limit, BallLimit)
    excess = float(limit.excess(turn))
    if excess > _SLACK:
        raise ArgumentError(
            f"{where} is {math.degrees(excess):.0f} degrees outside the limits of the joint: choose a smaller turn"
        )
    return turn


def _check_count(where: str, values: Array, wanted: tuple[int, ...], what: str) -> None:
    if len(values) not in wanted:
        raise ArgumentError(f"{where} has {len(values)} numbers: it needs {what}")


Load = Callable[[str], Motion]
"""Takes the name of a clip, a file's or a built-in one's such as clips.walk, and returns its motion."""

POSES: Mapping[str, tuple[str, float] | None] = MappingProxyType(
    {
        "t_pose": None,
        "stand": ("clips.stand", 0.0),
        "stride_left": ("clips.walk", 0.9),
        "stride_right": ("clips.walk", 1.43),
        "run_left": ("clips.run", 0.0),
        "run_right": ("clips.run", 0.35),
        "run_flight": ("clips.run", 0.58),
        "kick_back": ("clips.kick", 0.83),
        "kick_front": ("clips.kick", 1.23),
        "reach_front": ("clips.reach", 1.43),
        "salute": ("clips.salute", 1.4),
        "wave_high": ("clips.wave", 1.5),
    }
)
"""The source of each pose: a built-in clip and a time, s; none for the pose in which all joints are zero."""


def named_pose(name: str, time: float, load: Load) -> Key:
    """Return a whole keyframe at a time, s, in a pose that goes by a name."""
    if name not in POSES:
        raise ArgumentError(f"there is no pose '{name}': {hint(name, POSES, 'there are', 2)}")
    moment = POSES[name]
    if moment is None:
        return t_pose(time)
    clip, at = moment
    return Key.from_motion(load(clip), at, time)
