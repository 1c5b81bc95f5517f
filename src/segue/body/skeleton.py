"""The user's skeleton: names, a tree and offsets, without mass or meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.errors import SkeletonError
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A tree of joints, parents before children, in the source's own units and axes.

    names: joint names, unique. parents: index of each joint's parent, -1 for a root. offsets: (J, 3), from the parent
    joint, in the parent's frame, when the joint is not displaced. ends: for a joint that carries a bone with no joint
    at its tip (a BVH End Site), the tip's offset in the joint's frame.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array
    ends: Mapping[int, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = tuple(str(name) for name in self.names)
        parents = tuple(int(parent) for parent in self.parents)
        offsets = np.array(self.offsets, dtype=float)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "parents", parents)
        object.__setattr__(self, "offsets", offsets)
        _check(names, parents, offsets)
        offsets.flags.writeable = False
        ends = {int(j): np.array(tip, dtype=float) for j, tip in self.ends.items()}
        _check_ends(names, ends)
        object.__setattr__(self, "ends", MappingProxyType(ends))

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Skeleton):
            return NotImplemented
        return self is other or self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _key(self) -> tuple[object, ...]:
        """A key that equal skeletons share: made once, since motions compare theirs over and over."""
        # adding nothing makes one zero of the two there are
        ends = tuple((j, (self.ends[j] + 0.0).tobytes()) for j in sorted(self.ends))
        return self.names, self.parents, (self.offsets + 0.0).tobytes(), ends

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def index(self, name: str) -> int:
        """Return the index of a joint, or say which names there are."""
        try:
            return self.names.index(name)
        except ValueError:
            raise SkeletonError(f"no joint is named '{name}': there are {', '.join(self.names)}") from None

    def children(self, joint: int) -> list[int]:
        """Return the indices of the joints that hang on this one, in file order."""
        return [j for j, parent in enumerate(self.parents) if parent == joint]

    def ancestors(self, joint: int) -> list[int]:
        """Return the joints from this one's parent up to the root."""
        path = []
        while (joint := self.parents[joint]) >= 0:
            path.append(joint)
        return path

    def forward(self, positions: Array, rotations: Array) -> tuple[Array, Array]:
        """Return world positions (T, J, 3) and world rotations (T, J, 4) from local ones of the same shapes."""
        world_positions = np.empty_like(positions)
        world_rotations = np.empty_like(rotations)
        for j, parent in enumerate(self.parents):
            if parent < 0:
                world_positions[:, j] = positions[:, j]
                world_rotations[:, j] = rotations[:, j]
            else:
                turned = quaternion.rotate(world_rotations[:, parent], positions[:, j])
                world_positions[:, j] = world_positions[:, parent] + turned
                world_rotations[:, j] = quaternion.multiply(world_rotations[:, parent], rotations[:, j])
        return world_positions, world_rotations


def _check(names: Sequence[str], parents: Sequence[int], offsets: npt.NDArray[np.float64]) -> None:
    count = len(names)
    if count == 0:
        raise SkeletonError("a skeleton needs at least one joint, this one has none")
    if len(parents) != count or offsets.shape != (count, 3):
        raise SkeletonError(
            f"names, parents and offsets must agree: {count} names, {len(parents)} parents, "
            f"offsets of shape {offsets.shape} where ({count}, 3) is needed"
        )
    seen: set[str] = set()
    for j, (name, parent) in enumerate(zip(names, parents, strict=True)):
        if name in seen:
            raise SkeletonError(f"joint name '{name}' stands twice: every joint needs a name of its own")
        seen.add(name)
        if not -1 <= parent < j:
            raise SkeletonError(
                f"joint '{name}' (index {j}) has parent {parent}: a parent must come before its child, or be -1"
            )
    bad = np.flatnonzero(~np.isfinite(offsets).all(axis=1))
    if len(bad):
        raise SkeletonError(f"the offset of joint '{names[bad[0]]}' is not finite: {offsets[bad[0]].tolist()}")


def _check_ends(names: tuple[str, ...], ends: Mapping[int, Array]) -> None:
    for joint, tip in ends.items():
        if not 0 <= joint < len(names):
            raise SkeletonError(f"an end is given for joint {joint}: joints are counted from 0 to {len(names) - 1}")
        if tip.shape != (3,) or not np.isfinite(tip).all():
            raise SkeletonError(f"the end of joint '{names[joint]}' is {tip.tolist()}: three finite numbers are needed")


def descends(skeleton: Skeleton, joint: int, ancestor: int) -> bool:
    """Return whether a joint is another, or hangs below it."""
    while joint > ancestor:  # parents come before their children
        joint = skeleton.parents[joint]
    return joint == ancestor


def path_down(skeleton: Skeleton, ancestor: int, joint: int) -> list[int]:
    """Return the joints from an ancestor down to a joint, both included."""
    path = [joint]
    while path[-1] != ancestor:
        path.append(skeleton.parents[path[-1]])
    return path[::-1]


def leaf_paths(skeleton: Skeleton) -> list[list[int]]:
    """Return the path from the root to each joint that carries no other, in file order."""
    inner = set(skeleton.parents)
    leaves = [j for j in range(len(skeleton)) if j not in inner]
    return [[*reversed(skeleton.ancestors(leaf)), leaf] for leaf in leaves]


def meeting_joint(skeleton: Skeleton, joints: Iterable[int]) -> int | None:
    """Return the lowest joint that all of these are or hang below; None where they belong to separate trees."""
    paths: list[Sequence[int]] = [[*reversed(skeleton.ancestors(j)), j] for j in joints]
    meeting = None
    for level in zip(*paths, strict=False):
        if len(set(level)) > 1:
            break
        meeting = level[0]
    return meeting
