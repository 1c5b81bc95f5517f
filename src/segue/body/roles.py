"""Roles: which joint of the user's skeleton is the pelvis, the left thigh, the right hand, ...

The user can say so in a map file, a TOML table:

pelvis = "Bone_00"
spine = ["Bone_01", "Bone_02"]      # from the bottom up, the last carries arms and neck
left_thigh = "Bone_21"
left_toe = ""                       # the skeleton has no such joint
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from segue.body.families import OPTIONAL_ROLES, ROLE_NAMES
from segue.body.recognition import recognise
from segue.body.skeleton import Skeleton
from segue.checks import hint
from segue.errors import SkeletonError
from segue.tables import read_table
from segue.typing import Array

_LISTS = ("spine", "neck")


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


def load_map(path: str | Path) -> dict[str, tuple[str, ...]]:
    """Return role -> joint names as a map file gives them; an optional role given as empty has no joint."""
    table = read_table(path, "map file", ': lines such as pelvis = "Hips" are needed')
    for role, value in table.values.items():
        problem = _problem(role, value)
        if problem:
            raise table.error(problem, role)
    return {role: _as_tuple(value) for role, value in table.values.items()}


def joints_of_map(skeleton: Skeleton, given: Mapping[str, str | Sequence[str]]) -> dict[str, tuple[int, ...]]:
    """Return role -> joint indices of a map, checked against the skeleton."""
    joints: dict[str, tuple[int, ...]] = {}
    for role, value in given.items():
        problem = _problem(role, value)
        if problem:
            raise SkeletonError(f"in the map, {problem}")
        joints[role] = tuple(_joint(skeleton, role, name) for name in _as_tuple(value))
    taken: dict[int, str] = {}
    for role, indices in joints.items():
        for joint in indices:
            if joint in taken and {role, taken[joint]} != {"spine", "chest"}:
                raise SkeletonError(
                    f"the map gives joint '{skeleton.names[joint]}' two roles, {taken[joint]} and {role}: give it one"
                )
            taken[joint] = role
    return joints


def _as_tuple(value: str | Sequence[str]) -> tuple[str, ...]:
    return ((value,) if value else ()) if isinstance(value, str) else tuple(value)


def _problem(role: str, value: object) -> str | None:
    """Return what is wrong with a line of a map, if anything."""
    if role not in ROLE_NAMES:
        return f"there is no role '{role}': {hint(role, ROLE_NAMES, 'the roles are')}"
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        wanted = "a joint name or a list of joint names" if role in _LISTS else "a joint name"
        return f"role '{role}' is given {value!r}: {wanted} in quotes is needed"
    if role not in _LISTS and len(names) > 1:
        return f"role '{role}' is given {len(names)} joints: exactly one is needed"
    if not any(names) and role not in OPTIONAL_ROLES:
        return f"role '{role}' is given no joint: every skeleton must have one"
    return None


def _joint(skeleton: Skeleton, role: str, name: str) -> int:
    if name in skeleton.names:
        return skeleton.names.index(name)
    meant = hint(name, skeleton.names, "there are")
    raise SkeletonError(f"the map gives {role} the joint '{name}', which the skeleton does not have: {meant}")
