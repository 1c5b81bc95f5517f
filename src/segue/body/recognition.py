"""Recognition of a person in a skeleton: by the user's map, then by joint names, then by the shape of the tree."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from segue.body.families import ARM, LEG, family_of
from segue.body.naming import Names
from segue.body.rolecheck import MAP_HINT, SIDES, check_limbs, check_roles, leg_length, not_a_person
from segue.body.rolemap import OPTIONAL_ROLES, ROLE_NAMES
from segue.body.shape import bone_lengths, head_below, limbs_by_shape
from segue.body.sides import leftness, rest_positions
from segue.body.skeleton import Skeleton, descends, meeting_joint, path_down
from segue.errors import SegueWarning, SkeletonError
from segue.typing import Array

_UNSURE_SIDE = 0.1


def recognise(
    skeleton: Skeleton, positions: Array | None, forced: Mapping[str, tuple[int, ...]]
) -> tuple[dict[str, tuple[int, ...]], str]:
    """Return role -> joints, with pelvis, spine, neck, head and both sides, and the family they were recognised by.

    positions: (T, J, 3) world positions of some frames, or None. forced: roles from the user, empty for a role without
    a joint.
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
    roles = _with_trunk(skeleton, names, limbs, lengths, forced)
    words = {joint: name.key for joint, name in enumerate(names.parsed)}
    check_roles(skeleton, roles, lengths, positions, words)
    return roles, "map file" if forced else family


def _missing(limbs: Mapping[str, int]) -> list[str]:
    return [role for role in ROLE_NAMES if role.startswith(SIDES) and role not in OPTIONAL_ROLES and role not in limbs]


def _unnamed_limbs(named: Mapping[str, int], shaped: Mapping[str, int]) -> dict[str, int]:
    """Return the limbs from shape whose names are incomplete."""
    filled: dict[str, int] = {}
    for side in SIDES:
        for needed, parts in (("hand", (*ARM, "finger")), ("foot", LEG)):
            if f"{side}_{needed}" not in named:
                filled |= {role: shaped[role] for part in parts if (role := f"{side}_{part}") in shaped}
    return filled


def _limbs_from_shape(skeleton: Skeleton, names: Names, positions: Array | None) -> dict[str, int]:
    """Return limb and head roles from the shape of the tree, with sides; empty if there is no person."""
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
    """Return 1 if by most names limb "a" is the left one, -1 if it is the right one, 0 if the names give no side."""
    votes = 0
    for letter, sign in (("a", 1), ("b", -1)):
        for part in parts:
            side = names.parsed[body[f"{letter}_{part}"]].side if f"{letter}_{part}" in body else None
            votes += sign * {"left": 1, "right": -1}.get(side or "", 0)
    return float(np.sign(votes))


def _side_of_first_leg(skeleton: Skeleton, body: Mapping[str, int], where: Array) -> float:
    """Return 1 if leg "a" is the left one by the shape of the body, else -1."""
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


def _with_trunk(
    skeleton: Skeleton,
    names: Names,
    limbs: Mapping[str, int],
    lengths: Array,
    forced: Mapping[str, tuple[int, ...]],
) -> dict[str, tuple[int, ...]]:
    """Return role -> joints of the limbs and of the trunk.

    limbs: role -> joint, with every required role. lengths: (J,) of the bone from each joint's parent. forced: roles
    from the user.
    """
    check_limbs(skeleton, limbs)
    thighs = limbs["left_thigh"], limbs["right_thigh"]
    arms = [limbs.get(f"{side}_clavicle", limbs[f"{side}_upper_arm"]) for side in SIDES]
    shoulders, hips = meeting_joint(skeleton, arms), meeting_joint(skeleton, (*thighs, *arms))
    if shoulders is None or hips is None or shoulders == hips:
        raise not_a_person(skeleton, ["spine"], limbs.values())
    head = forced["head"][0] if "head" in forced else _head(skeleton, names, limbs, hips, shoulders, arms, lengths)
    if "spine" in forced:
        chest = forced["spine"][-1]
    elif "chest" in forced:
        chest = forced["chest"][0]
    else:
        chest = _chest(skeleton, names, shoulders, head, hips)
    pelvis = forced["pelvis"][0] if "pelvis" in forced else _pelvis(skeleton, names, hips)
    for upper, lower, role in ((pelvis, chest, "the chest"), (chest, head, "the head")):
        if lower == upper or not descends(skeleton, lower, upper):
            raise SkeletonError(
                f"joint '{skeleton.names[lower]}' cannot be {role}: it does not hang below '{skeleton.names[upper]}'; "
                f"{MAP_HINT}"
            )
    spine = forced.get("spine", tuple(path_down(skeleton, pelvis, chest)[1:]))
    neck = forced.get("neck", tuple(path_down(skeleton, chest, head)[1:-1]))
    sides = {role: (joint,) for role, joint in limbs.items()}
    return {"pelvis": (pelvis,), "spine": spine, "neck": neck, "head": (head,), **sides}


def _head(
    skeleton: Skeleton,
    names: Names,
    limbs: Mapping[str, int],
    hips: int,
    shoulders: int,
    arms: Sequence[int],
    lengths: Array,
) -> int:
    """Return the joint named head that branches off with the arms, else the top of the branch between the arms."""
    for named in names.heads():
        if meeting_joint(skeleton, (named, shoulders)) not in (None, hips, *skeleton.ancestors(hips)):
            return named
    thighs = limbs["left_thigh"], limbs["right_thigh"]
    feet = limbs["left_foot"], limbs["right_foot"]
    starts = [path_down(skeleton, shoulders, arm)[1] for arm in arms]
    legs = leg_length(skeleton, thighs, feet, lengths)
    head = head_below(skeleton, hips, shoulders, starts, legs, lengths)
    if head is None:
        raise not_a_person(skeleton, ["head"], limbs.values())
    return head


def _chest(skeleton: Skeleton, names: Names, shoulders: int, head: int, hips: int) -> int:
    """Return the joint where arms and head meet, or the joint below a neck that carries the arms (3ds Max Biped)."""
    chest = meeting_joint(skeleton, (shoulders, head))
    if chest is None or not descends(skeleton, chest, hips) or chest == hips:
        return shoulders
    while names.is_surely(chest, "neck") and skeleton.parents[chest] != hips:
        chest = skeleton.parents[chest]
    return chest


def _pelvis(skeleton: Skeleton, names: Names, hips: int) -> int:
    """Return the joint where legs and trunk meet, or the pelvis above a spine joint with the legs (3ds Max Biped)."""
    for joint in (hips, *skeleton.ancestors(hips)):
        if names.is_surely(joint, "pelvis"):
            return joint
        if not names.may_be(joint, "spine"):
            break
    return hips
