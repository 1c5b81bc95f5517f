"""Roles: which joint of the user's skeleton is the pelvis, the left thigh, the right hand, ..."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from segue.body.recognition import recognise
from segue.body.rolemap import joints_of_map, load_map
from segue.body.skeleton import Skeleton
from segue.typing import Array

__all__ = ["Roles", "Side", "find_roles", "load_map"]


@dataclass(frozen=True)
class Side:
    """The joints of one side of the body, by index in the skeleton; each stands at the near end of its bone.

    hand is the wrist and foot the ankle; toe is the ball of the foot. finger: a joint further out in the hand, at a
    distance from the wrist, that gives the hand its direction. None: the skeleton has no such joint.
    """

    upper_arm: int
    forearm: int
    hand: int
    thigh: int
    shin: int
    foot: int
    clavicle: int | None = None
    toe: int | None = None
    finger: int | None = None


@dataclass(frozen=True)
class Roles:
    """Which joints of a skeleton play which part, by index.

    spine: from above the pelvis up to the joint that carries arms and neck, which is last and also called `chest`.
    neck: joints between chest and head, possibly none. Joints may coincide (length zero between them), and joints
    between two roles may play no part (the CMU `LHipJoint`). family: how the joints were recognised.
    """

    pelvis: int
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int
    left: Side
    right: Side
    family: str

    @property
    def chest(self) -> int:
        """The joint that carries the arms and the neck."""
        return self.spine[-1]

    def limbs(self) -> dict[str, int]:
        """Return role name -> joint of the limbs, such as "left_thigh", without those that no joint plays."""
        return {
            f"{name}_{part.name}": joint
            for name, side in (("left", self.left), ("right", self.right))
            for part in fields(Side)
            if (joint := getattr(side, part.name)) is not None
        }

    def named(self, skeleton: Skeleton) -> dict[str, str]:
        """Return role name -> joint name, for reports; several joints of one role are joined by commas."""
        groups = {"pelvis": (self.pelvis,), "spine": self.spine, "neck": self.neck, "head": (self.head,)}
        groups |= {role: (joint,) for role, joint in self.limbs().items()}
        return {role: ", ".join(skeleton.names[j] for j in joints) for role, joints in groups.items() if joints}


def find_roles(
    skeleton: Skeleton, positions: Array | None = None, map: Mapping[str, str | Sequence[str]] | None = None
) -> Roles:
    """Return which joints of a skeleton play which part: by their names, else by the shape of the tree.

    positions: (T, J, 3) world positions of some frames in the source's axes; where names do not tell left from right,
    these do. map: role -> joint name, or names for spine and neck, for what the user knows better (see `load_map`).
    """
    joints, family = recognise(skeleton, positions, joints_of_map(skeleton, map or {}))

    def side(name: str) -> Side:
        return Side(
            **{part.name: joints[role][0] for part in fields(Side) if (role := f"{name}_{part.name}") in joints}
        )

    return Roles(
        pelvis=joints["pelvis"][0],
        spine=joints["spine"],
        neck=joints["neck"],
        head=joints["head"][0],
        left=side("left"),
        right=side("right"),
        family=family,
    )
