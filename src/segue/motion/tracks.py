"""The tracks of the figure: their names, the kinds of their values, and names for several tracks."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from types import MappingProxyType

from segue.body.human import HUMAN
from segue.checks import near_names
from segue.errors import ArgumentError


class Kind(Enum):
    """The kind of a track's value: a position (3 numbers), a rotation (a unit quaternion) or an angle (1 number)."""

    POSITION = "position"
    ROTATION = "rotation"
    ANGLE = "angle"


TRACKS = MappingProxyType(
    {"root_position": Kind.POSITION}
    | dict.fromkeys(HUMAN.ball_names, Kind.ROTATION)
    | dict.fromkeys(HUMAN.hinge_names, Kind.ANGLE)
)
"""Every track of the figure, in the order of its degrees of freedom, with its kind."""


def _named() -> dict[str, tuple[str, ...]]:
    """Return the tracks of each joint, group and track name."""
    joints = {joint.name: joint.tracks for joint in HUMAN.joints}
    joints["root"] = ("root_position", "root")
    groups = {group: tuple(track for name in names for track in joints[name]) for group, names in HUMAN.groups.items()}
    return {track: (track,) for track in TRACKS} | groups | joints


_NAMED = _named()


_OWNER = {"root_position": "root"} | {track: joint.name for joint in HUMAN.joints for track in joint.tracks}


def joints_of(tracks: Iterable[str]) -> tuple[str, ...]:
    """Return the joints of some tracks, each once, in the figure's order."""
    owners = {_OWNER[track] for track in tracks}
    return tuple(joint for joint in HUMAN.joint_names if joint in owners)


def describe(track: str) -> str:
    """Return words for a track: "left elbow flexion"."""
    return track.replace("_", " ")


def kind_of(track: str) -> Kind:
    """Return the kind of a track's value; raise ArgumentError for an unknown track."""
    if track not in TRACKS:
        raise ArgumentError(f"the figure has no track '{track}'{_suggestion(track, TRACKS)}")
    return TRACKS[track]


def is_joint_name(name: str) -> bool:
    """Return whether a name is a joint's, a limb group's or a track's."""
    return name in _NAMED


def _suggestion(name: str, known: Iterable[str]) -> str:
    near = near_names(name, known, 3)
    return f": did you mean {' or '.join(near)}?" if near else f": joint groups are {', '.join(HUMAN.groups)}"


def tracks_of(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return the tracks of joints ("left_elbow"), limb groups ("left_arm") or tracks, in the figure's order."""
    wanted: set[str] = set()
    for name in [names] if isinstance(names, str) else names:
        if name not in _NAMED:
            raise ArgumentError(f"the figure has no joint or group '{name}'{_suggestion(name, _NAMED)}")
        wanted.update(_NAMED[name])
    return tuple(track for track in TRACKS if track in wanted)
