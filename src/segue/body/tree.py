"""Questions about the tree of a skeleton: paths, leaves, where branches meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from segue.body.skeleton import Skeleton


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
