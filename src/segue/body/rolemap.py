"""The map file: a TOML table in which the user says which joint plays which role.

pelvis = "Bone_00"
spine = ["Bone_01", "Bone_02"]      # from the bottom up, the last carries arms and neck
left_thigh = "Bone_21"
left_toe = ""                       # the skeleton has no such joint
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from segue.body.families import ARM, LEG
from segue.body.skeleton import Skeleton
from segue.checks import hint
from segue.errors import SkeletonError
from segue.tables import read_table

_LISTS = ("spine", "neck")
_TRUNK = ("pelvis", "spine", "chest", "neck", "head")
ROLE_NAMES = (*_TRUNK, *(f"{side}_{role}" for side in ("left", "right") for role in (*ARM, "finger", *LEG)))
OPTIONAL_ROLES = frozenset({"neck", *(f"{s}_{r}" for s in ("left", "right") for r in ("clavicle", "finger", "toe"))})


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
