"""Recognition of a person in a skeleton: names where they tell, shape where they do not, the user's map above both."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from segue.body.families import ARM, LEG, family_of
from segue.body.naming import Names
from segue.body.rolecheck import SIDES, check_roles, not_a_person
from segue.body.rolemap import OPTIONAL_ROLES, ROLE_NAMES
from segue.body.shape import bone_lengths, limbs_by_shape
from segue.body.sides import leftness, rest_positions
from segue.body.skeleton import Skeleton
from segue.body.tree import meeting_joint
from segue.body.trunk import with_trunk
from segue.curves.quaternion import Array
from segue.errors import SegueWarning, SkeletonError

__all__ = ["recognise"]

_UNSURE_SIDE = 0.1


def recognise(
    skeleton: Skeleton, positions: Array | None, forced: Mapping[str, tuple[int, ...]]
) -> tuple[dict[str, tuple[int, ...]], str]:
    """Return role -> joints, with pelvis, spine, neck, head and both sides, and the family they were recognised by.

    positions: (T, J, 3) world positions of some frames, or None. forced: roles that are given; empty for a role that
    no joint plays.
    """
    names = Names(skeleton)
    lengths = bone_lengths(skeleton, positions)
    given = {role: joints[0] for role, joints in forced.items() if joints and role not in ("spine", "neck")}
    limbs = names.limbs({role: joint for role, joint in given.items() if role.startswith(SIDES)})
    family = family_of(skeleton.names, names.parsed)
    for side in SIDES:
        if f"{side}_hand" in limbs and (finger := names.finger(limbs[f"{side}_hand"], lengths)) is not None:
            limbs[f"{side}_finger"] = finger
    if _missing(limbs) and (shaped := _limbs_from_shape(skeleton, names, positions)):
        limbs |= _unnamed_limbs(limbs, shaped)
        family = "by shape"
    limbs |= {role: joint for role, joint in given.items() if role.startswith(SIDES)}
    limbs = {role: joint for role, joint in limbs.items() if forced.get(role) != ()}
    if _missing(limbs):
        raise not_a_person(skeleton, _missing(limbs), limbs.values())
    roles = with_trunk(skeleton, names, limbs, lengths, forced)
    words = {joint: name.key for joint, name in enumerate(names.parsed)}
    check_roles(skeleton, roles, lengths, positions, words)
    return roles, "map file" if forced else family


def _missing(limbs: Mapping[str, int]) -> list[str]:
    return [role for role in ROLE_NAMES if role.startswith(SIDES) and role not in OPTIONAL_ROLES and role not in limbs]


def _unnamed_limbs(named: Mapping[str, int], shaped: Mapping[str, int]) -> dict[str, int]:
    """Return the limbs from shape that names did not give whole."""
    filled: dict[str, int] = {}
    for side in SIDES:
        for needed, parts in (("hand", (*ARM, "finger")), ("foot", LEG)):
            if f"{side}_{needed}" not in named:
                filled |= {role: shaped[role] for part in parts if (role := f"{side}_{part}") in shaped}
    return filled


def _limbs_from_shape(skeleton: Skeleton, names: Names, positions: Array | None) -> dict[str, int]:
    """Return limb and head roles from the shape of the tree, left told from right; empty if there is no person."""
    people = limbs_by_shape(skeleton, positions)
    if len(people) > 1:
        heads = " and ".join(f"'{skeleton.names[person['head']]}'" for person in people)
        raise SkeletonError(f"this skeleton holds {len(people)} people, with heads {heads}: give a file of one person")
    if not people:
        return {}
    body = people[0]
    where = rest_positions(skeleton) if positions is None else positions
    first_leg_is_left = _named_side(names, body, LEG) or _side_of_first_leg(skeleton, body, where)
    across = where[:, body["a_thigh"]] - where[:, body["b_thigh"]]
    arms_across = where[:, body["a_upper_arm"]] - where[:, body["b_upper_arm"]]
    agree = 1.0 if np.einsum("ti,ti->", across, arms_across) >= 0 else -1.0
    first_arm_is_left = _named_side(names, body, ARM) or agree * first_leg_is_left
    roles = {"head": body["head"]}
    for parts, first_is_left in ((LEG, first_leg_is_left), ((*ARM, "finger"), first_arm_is_left)):
        letters = "ab" if first_is_left > 0 else "ba"
        for letter, side in zip(letters, SIDES, strict=True):
            roles |= {f"{side}_{part}": body[f"{letter}_{part}"] for part in parts if f"{letter}_{part}" in body}
    return roles


def _named_side(names: Names, body: Mapping[str, int], parts: Sequence[str]) -> float:
    """Return 1 if most names say that limb "a" is the left one, -1 if the right one, 0 if they say nothing."""
    votes = 0
    for letter, sign in (("a", 1), ("b", -1)):
        for part in parts:
            side = names.parsed[body[f"{letter}_{part}"]].side if f"{letter}_{part}" in body else None
            votes += sign * {"left": 1, "right": -1}.get(side or "", 0)
    return float(np.sign(votes))


def _side_of_first_leg(skeleton: Skeleton, body: Mapping[str, int], where: Array) -> float:
    """Return 1 if leg "a" is the left one by the make of the body, else -1."""
    chest = meeting_joint(skeleton, (body["a_upper_arm"], body["b_upper_arm"]))
    clarity = leftness(where, body, -1 if chest is None else chest, ("a", "b"))
    if abs(clarity) < _UNSURE_SIDE:
        left, right = (skeleton.names[body[f"{letter}_thigh"]] for letter in "ab")
        warnings.warn(
            f"left and right cannot be told apart in this skeleton: '{left}' is taken for the left thigh and "
            f"'{right}' for the right one; a map file (--map map.toml) can say otherwise",
            SegueWarning,
            stacklevel=5,
        )
        return 1.0
    return float(np.sign(clarity))
