"""The layout of a figure: its joints, and every index table that follows from them, each made once.

Two rows of numbers describe a pose. The 44 degrees of freedom are the root's position and, joint by joint, three
angles of a ball joint or the angles of its hinges: velocities, torques and steps have these columns. The 51 stored
numbers are the root's position, all ball joints' quaternions and then all hinges' angles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.body.limits import BallLimit, HingeLimit, LimitTable
from segue.typing import Array, Ints


@dataclass(frozen=True)
class Hinge:
    """One rotation about a fixed axis: its name, its axis in the zero pose, its range."""

    name: str
    axis: tuple[float, float, float]
    limit: HingeLimit


@dataclass(frozen=True)
class Joint:
    """Connect a segment to its parent by a ball joint, or by hinges in order from the parent outwards."""

    name: str
    segment: str
    parent: str | None
    ball: BallLimit | None = None
    hinges: tuple[Hinge, ...] = ()

    @property
    def dof_count(self) -> int:
        """How many angles turn the segment; the root's position is not among them."""
        return 3 if self.ball else len(self.hinges)

    @property
    def tracks(self) -> tuple[str, ...]:
        """The names of the rotations that turn the segment: the ball joint's own, or the hinges'."""
        return (self.name,) if self.ball else tuple(hinge.name for hinge in self.hinges)


class LinkTable(NamedTuple):
    """A chain of L links, each a ball joint or one hinge.

    parents: (L,), -1 at the root. firsts: (S,) the first link of each segment. balls, hinges: (L,) the ball joint or
    the hinge of a link, or -1. axes: (L, 3) of hinges in the zero pose, zero for ball joints.
    """

    parents: Ints
    firsts: Ints
    balls: Ints
    hinges: Ints
    axes: Array


@dataclass(frozen=True, eq=False)
class Layout:
    """The joints of a figure, one a segment, parents before children, and joint names by limb group.

    The first joint is the root, a ball joint. S segments, B ball joints, H hinges, D degrees of freedom.
    """

    joints: tuple[Joint, ...]
    groups: Mapping[str, tuple[str, ...]]

    def __getitem__(self, name: str) -> Joint:
        """Return the joint with a name, or the joint that moves the segment with that name."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Joint]:
        return {joint.segment: joint for joint in self.joints} | {joint.name: joint for joint in self.joints}

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the joints, (S,)."""
        return tuple(joint.name for joint in self.joints)

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The names of the segments, (S,)."""
        return tuple(joint.segment for joint in self.joints)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The index of each segment's parent, (S,); -1 at the root."""
        return tuple(-1 if joint.parent is None else self.segments.index(joint.parent) for joint in self.joints)

    @cached_property
    def segment_balls(self) -> Ints:
        """The ball joint that moves each segment, (S,); -1 where hinges do."""
        names = self.ball_names
        return np.array([names.index(joint.name) if joint.ball else -1 for joint in self.joints])

    @cached_property
    def segment_hinges(self) -> Ints:
        """The first hinge of each segment and the hinge after its last, (S, 2)."""
        return np.array(list(pairwise(accumulate((len(j.hinges) for j in self.joints), initial=0))))

    @cached_property
    def hinges(self) -> tuple[Hinge, ...]:
        """All hinges, joint by joint, (H,)."""
        return tuple(hinge for joint in self.joints for hinge in joint.hinges)

    @cached_property
    def ball_names(self) -> tuple[str, ...]:
        """The names of the ball joints, (B,)."""
        return tuple(joint.name for joint in self.joints if joint.ball)

    @cached_property
    def hinge_names(self) -> tuple[str, ...]:
        """The names of the hinges, (H,)."""
        return tuple(hinge.name for hinge in self.hinges)

    @cached_property
    def dof_names(self) -> tuple[str, ...]:
        """The names of the degrees of freedom, (D,)."""
        names = ["root_x", "root_y", "root_z"]
        for joint in self.joints:
            names += [f"{joint.name}_rotation_{axis}" for axis in "xyz"] if joint.ball else joint.tracks
        return tuple(names)

    @cached_property
    def dof_count(self) -> int:
        """The number of degrees of freedom, D."""
        return len(self.dof_names)

    @property
    def root_dofs(self) -> int:
        """The number of degrees of freedom of the root, which come first: no muscle drives them."""
        return 6

    @cached_property
    def joint_dofs(self) -> tuple[slice, ...]:
        """The degrees of freedom of each joint; the root's are those of its rotation."""
        return tuple(slice(*ends) for ends in pairwise(accumulate((j.dof_count for j in self.joints), initial=3)))

    @cached_property
    def ball_dofs(self) -> Ints:
        """The degrees of freedom of each ball joint, (B, 3)."""
        spans = zip(self.joints, self.joint_dofs, strict=True)
        return np.array([range(span.start, span.stop) for joint, span in spans if joint.ball])

    @cached_property
    def hinge_dofs(self) -> Ints:
        """The degree of freedom of each hinge, (H,)."""
        return np.array([self.dof_names.index(name) for name in self.hinge_names])

    @cached_property
    def dof_segments(self) -> Ints:
        """The segment that each degree of freedom moves, (D,); the root's position moves the root."""
        return np.repeat(np.arange(len(self.joints)), [3 + 3, *(j.dof_count for j in self.joints[1:])])

    @cached_property
    def dof_parents(self) -> Ints:
        """The next degree of freedom towards the root, (D,); -1 at its end."""
        before = np.arange(-1, self.dof_count - 1)
        for parent, span in zip(self.parents[1:], self.joint_dofs[1:], strict=True):
            before[span.start] = self.joint_dofs[parent].stop - 1
        return before

    @cached_property
    def dof_axes(self) -> Array:
        """The axis of each degree of freedom in the zero pose, (D, 3); a ball joint has x, y and z."""
        axes = np.empty((self.dof_count, 3))
        axes[:3] = axes[self.ball_dofs] = np.eye(3)
        axes[self.hinge_dofs] = self.hinge_axes
        return axes

    @cached_property
    def dof_depths(self) -> Ints:
        """How many degrees of freedom lie between each and the root's end, (D,)."""
        depths = np.zeros(self.dof_count, np.int64)
        for dof, parent in enumerate(self.dof_parents.tolist()[1:], start=1):
            depths[dof] = depths[parent] + 1
        return depths

    @cached_property
    def dof_ancestors(self) -> npt.NDArray[np.uint64]:
        """The degrees of freedom from each towards the root, nearest first, (D, D); `dof_depths` of them count."""
        ancestors, depths = np.zeros((self.dof_count, self.dof_count), np.uint64), self.dof_depths
        for dof, parent in enumerate(self.dof_parents.tolist()[1:], start=1):
            ancestors[dof, 0], ancestors[dof, 1 : depths[dof]] = parent, ancestors[parent, : depths[parent]]
        return ancestors

    @cached_property
    def branches(self) -> tuple[tuple[int, int], ...]:
        """The first degree of freedom of each branch that hangs on the root, and the one after its last."""
        starts = [span.start for parent, span in zip(self.parents, self.joint_dofs, strict=True) if parent == 0]
        return tuple(pairwise([*starts, self.dof_count]))

    def carriers(self, segment: str) -> tuple[int, ...]:
        """Return the indices of a segment and of all segments between it and the root, the root last."""
        at = self.segments.index(segment)
        found = [at]
        while (at := self.parents[at]) >= 0:
            found.append(at)
        return tuple(found)

    def dofs_of(self, track: str) -> tuple[int, ...]:
        """Return the degrees of freedom of the root's position, a ball joint or a hinge."""
        if track in self.ball_names:
            return tuple(self.ball_dofs[self.ball_names.index(track)].tolist())
        return (0, 1, 2) if track == ROOT_POSITION else (self.dof_names.index(track),)

    @cached_property
    def tracks(self) -> tuple[str, ...]:
        """The names of what moves: the root's position, the ball joints, the hinges."""
        return (ROOT_POSITION, *self.ball_names, *self.hinge_names)

    @cached_property
    def ball_columns(self) -> slice:
        """Columns of the ball joints' quaternions among the stored numbers."""
        return slice(3, 3 + 4 * len(self.ball_names))

    @cached_property
    def hinge_columns(self) -> slice:
        """Columns of the hinges' angles among the stored numbers."""
        return slice(self.ball_columns.stop, self.ball_columns.stop + len(self.hinge_names))

    @cached_property
    def column_count(self) -> int:
        """How many numbers a stored pose has."""
        return 3 + 4 * len(self.ball_names) + len(self.hinge_names)

    @cached_property
    def columns(self) -> Mapping[str, slice]:
        """The stored numbers of each track."""
        widths = [3] + [4] * len(self.ball_names) + [1] * len(self.hinge_names)
        spans = (slice(*ends) for ends in pairwise(accumulate(widths, initial=0)))
        return MappingProxyType(dict(zip(self.tracks, spans, strict=True)))

    @cached_property
    def ball_positions(self) -> Ints:
        """Columns of each ball joint's quaternion in a physics engine, which stores joint by joint, (B, 4)."""
        firsts = self.ball_dofs[:, 0] + np.arange(len(self.ball_names))
        return firsts[:, None] + np.arange(4)

    @cached_property
    def hinge_positions(self) -> Ints:
        """Columns of each hinge's angle in a physics engine, which stores joint by joint, (H,)."""
        balls_before = (self.hinge_dofs[:, None] > self.ball_dofs[:, 0]).sum(axis=1)
        positions: Ints = self.hinge_dofs + balls_before
        return positions

    @cached_property
    def ball_segments(self) -> Ints:
        """The segment that each ball joint moves, (B,)."""
        return np.flatnonzero(self.segment_balls >= 0)

    @cached_property
    def hinge_segments(self) -> Ints:
        """The segment that each hinge moves, (H,)."""
        return np.repeat(np.arange(len(self.joints)), np.diff(self.segment_hinges, axis=1)[:, 0])

    @cached_property
    def segment_links(self) -> Ints:
        """The last of the links of each segment, (S,); a link is a ball joint or one hinge."""
        return np.cumsum([len(joint.tracks) for joint in self.joints]) - 1

    @cached_property
    def links(self) -> LinkTable:
        """The links, each a ball joint or one hinge, parents before children."""
        tracks = [track for joint in self.joints for track in joint.tracks]
        names = self.ball_names, self.hinge_names
        balls, hinges = ([of.index(track) if track in of else -1 for track in tracks] for of in names)
        firsts = np.append(0, self.segment_links[:-1] + 1)
        parents = np.arange(-1, len(tracks) - 1)
        parents[firsts[1:]] = self.segment_links[list(self.parents[1:])]
        axes = np.where(np.array(hinges)[:, None] >= 0, self.hinge_axes[hinges], 0.0)
        return LinkTable(parents, firsts, np.array(balls), np.array(hinges), axes)

    @cached_property
    def mirrored_balls(self) -> Ints:
        """The counterpart of each ball joint on the other side of the body, (B,)."""
        return mirrored_order(self.ball_names)

    @cached_property
    def mirrored_hinges(self) -> Ints:
        """The counterpart of each hinge on the other side of the body, (H,)."""
        return mirrored_order(self.hinge_names)

    @cached_property
    def hinge_axes(self) -> Array:
        """The axes of the hinges in the zero pose, (H, 3)."""
        return np.array([hinge.axis for hinge in self.hinges])

    @cached_property
    def ball_limits(self) -> tuple[BallLimit, ...]:
        """The limits of the ball joints, (B,)."""
        return tuple(joint.ball for joint in self.joints if joint.ball)

    @cached_property
    def hinge_limits(self) -> tuple[HingeLimit, ...]:
        """The limits of the hinges, (H,)."""
        return tuple(hinge.limit for hinge in self.hinges)

    def limit_of(self, track: str) -> BallLimit | HingeLimit:
        """Return the limit of a ball joint or a hinge."""
        names = self.ball_names
        return self.ball_limits[names.index(track)] if track in names else self.hinge(track).limit

    def hinge(self, name: str) -> Hinge:
        """Return the hinge with a name."""
        return self.hinges[self.hinge_names.index(name)]

    @cached_property
    def limits(self) -> LimitTable:
        """The limits as compiled functions take them."""
        return LimitTable.of(self.ball_limits, self.hinge_limits)


ROOT_POSITION = "root_position"


def side_of(name: str) -> str:
    """Return "left", "right" or "centre" for a joint, segment, point or degree of freedom of the figure."""
    head = name.split("_", 1)[0]
    return head if head in ("left", "right") else "centre"


def mirror_name(name: str) -> str:
    """Return the name of the counterpart on the other side of the body; the trunk's is itself."""
    other = {"left": "right", "right": "left"}.get(side_of(name))
    return f"{other}_{name.split('_', 1)[1]}" if other else name


def mirrored_order(names: Sequence[str]) -> Ints:
    """Return where the counterpart of each name stands."""
    return np.array([names.index(mirror_name(name)) for name in names])
