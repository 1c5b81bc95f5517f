"""The tracks of the figure: their names and kinds, and their values at some times with rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.checks import near_names
from segue.curves import quaternion
from segue.curves.quaternion_kernels import kernel_array
from segue.errors import ArgumentError
from segue.motion._state_kernels import Parts
from segue.typing import Array


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


class Sample(NamedTuple):
    """Values at some times and their first two time derivatives.

    Positions: (T, 3) m, m/s, m/s^2. Angles: (T,) rad, ... . Rotations: value (T, 4) unit quaternions, velocity and
    acceleration (T, 3) angular, in the parent's frame, rad/s and rad/s^2.
    """

    value: Array
    velocity: Array
    acceleration: Array


class State(NamedTuple):
    """The whole figure at some times, with its first two time derivatives.

    root: values (T, 3). balls: values (T, 7, 4), velocity and acceleration (T, 7, 3) angular, in the parent's frame.
    hinges: (T, 20). Orders and units as in `Poses` and `Sample`.
    """

    root: Sample
    balls: Sample
    hinges: Sample

    @classmethod
    def of_parts(cls, parts: Parts) -> State:
        """Return the state of nine arrays in the order of its fields."""
        return cls(Sample(*parts[:3]), Sample(*parts[3:6]), Sample(*parts[6:]))

    @classmethod
    def joined(cls, states: Sequence[State]) -> State:
        """Return states concatenated in time."""
        return cls.of_parts(tuple(map(np.concatenate, zip(*(state.parts for state in states), strict=True))))  # type: ignore[arg-type]

    @classmethod
    def still(cls, count: int) -> State:
        """Return the zero pose at rest, `count` times."""
        zero = Poses.zero(count)
        turning = np.zeros((2, count, len(HUMAN.ball_names), 3))
        return cls(
            Sample(zero.root, *np.zeros((2, *zero.root.shape))),
            Sample(zero.balls, *turning),
            Sample(zero.hinges, *np.zeros((2, *zero.hinges.shape))),
        )

    def rows(self, first: int, last: int | None) -> State:
        """Return the state at times number `first` to `last` - 1, or to the end; its arrays are views of this one's."""
        chosen = slice(first, last)
        return State.of_parts(tuple([part[chosen] for sample in self for part in sample]))  # type: ignore[arg-type]

    @property
    def parts(self) -> Parts:
        """The nine arrays in the order of the fields, for the kernels."""
        a, b, c, d, e, f, g, h, i = map(kernel_array, (*self.root, *self.balls, *self.hinges))
        return a, b, c, d, e, f, g, h, i

    @property
    def poses(self) -> Poses:
        """The poses alone."""
        return Poses(self.root.value, self.balls.value, self.hinges.value)

    def of(self, track: str) -> Sample:
        """Return one track's sample; its arrays are views of the state's."""
        field, index = _PLACES[track]
        sample: Sample = self[field]
        return sample if index is None else Sample(*(part[:, index] for part in sample))


_PLACES: dict[str, tuple[int, int | None]] = {"root_position": (0, None)}
_PLACES |= {name: (1, k) for k, name in enumerate(HUMAN.ball_names)}
_PLACES |= {name: (2, k) for k, name in enumerate(HUMAN.hinge_names)}


def positions_of(poses: Poses) -> Array:
    """Return the engine's positions (T, 51) of poses."""
    positions = np.empty((len(poses), HUMAN.column_count))
    positions[:, :3] = poses.root
    positions[:, HUMAN.ball_positions] = poses.balls
    positions[:, HUMAN.hinge_positions] = poses.hinges
    return positions


def poses_of(positions: Array) -> Poses:
    """Return the poses of the engine's positions (T, 51), with quaternions continuous in sign."""
    balls = quaternion.make_continuous(positions[:, HUMAN.ball_positions])
    return Poses(positions[:, :3].copy(), balls, positions[:, HUMAN.hinge_positions])


def velocities_of(state: State, order: int = 1) -> Array:
    """Return the engine's velocities (T, 44) of a state, or its accelerations with order 2.

    Angular velocities of the state are in the parent's frame, those of the engine in the frame of the segment. The same
    rotation converts angular accelerations, because a vector does not change by rotating about itself.
    """
    velocities = np.empty((len(state.root.value), HUMAN.dof_count))
    velocities[:, :3] = state.root[order]
    velocities[:, HUMAN.ball_dofs] = quaternion.rotate(quaternion.conjugate(state.balls.value), state.balls[order])
    velocities[:, HUMAN.hinge_dofs] = state.hinges[order]
    return velocities
