"""Recognition of a person in a skeleton: by the user's map, then by joint names, then by the shape of the tree.

At the end the roles are checked: each joint hangs below the right one, bones have length, and the whole is a person,
not a dog.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from segue.body.families import ARM, LEG, OPTIONAL_ROLES, ROLE_NAMES, family_of
from segue.body.naming import Names
from segue.body.shape import bone_lengths, head_below, leftness, limbs_by_shape, reaches, rest_positions
from segue.body.skeleton import Skeleton, descends, meeting_joint, path_down
from segue.errors import SegueWarning, SkeletonError
from segue.typing import Array

_UNSURE_SIDE = 0.1
_SIDES = ("left", "right")
_MAP_HINT = 'name them in a map file (--map map.toml, with lines such as left_thigh = "LeftUpLeg")'

# pelvis to crown over thigh + shin: people 0.6 to 1.1, animals on four legs above 2
_LONG_TRUNK = 1.6
_STOOPED = np.cos(np.radians(120.0))
_ANIMAL_WORDS = ("tail", "paw", "hoof")
_SHOWN_NAMES = 12

_Joints = Mapping[str, tuple[int, ...]]


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
    limbs = names.limbs({role: joint for role, joint in given.items() if role.startswith(_SIDES)})
    family = family_of(skeleton.names, names.parsed)
    for side in _SIDES:
        if f"{side}_hand" in limbs and (finger := names.finger(limbs[f"{side}_hand"], lengths)) is not None:
            limbs[f"{side}_finger"] = finger
    if _missing(limbs) and (shaped := _limbs_from_shape(skeleton, names, positions)):
        limbs |= _unnamed_limbs(limbs, shaped)
        family = "by shape"
    limbs |= {role: joint for role, joint in given.items() if role.startswith(_SIDES)}
    limbs = {role: joint for role, joint in limbs.items() if forced.get(role) != ()}
    if _missing(limbs):
        raise _not_a_person(skeleton, _missing(limbs), limbs.values())
    roles = _with_trunk(skeleton, names, limbs, lengths, forced)
    words = {joint: name.key for joint, name in enumerate(names.parsed)}
    _check_roles(skeleton, roles, lengths, positions, words)
    return roles, "map file" if forced else family


def _missing(limbs: Mapping[str, int]) -> list[str]:
    return [role for role in ROLE_NAMES if role.startswith(_SIDES) and role not in OPTIONAL_ROLES and role not in limbs]


def _unnamed_limbs(named: Mapping[str, int], shaped: Mapping[str, int]) -> dict[str, int]:
    """Return the limbs from shape whose names are incomplete."""
    filled: dict[str, int] = {}
    for side in _SIDES:
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
        for letter, side in zip(letters, _SIDES, strict=True):
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
            f"left and right cannot be distinguished in this skeleton: Segue takes '{left}' for the left thigh and "
            f"'{right}' for the right one; a map file (--map map.toml) can change this",
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
    _check_limbs(skeleton, limbs)
    thighs = limbs["left_thigh"], limbs["right_thigh"]
    arms = [limbs.get(f"{side}_clavicle", limbs[f"{side}_upper_arm"]) for side in _SIDES]
    shoulders, hips = meeting_joint(skeleton, arms), meeting_joint(skeleton, (*thighs, *arms))
    if shoulders is None or hips is None or shoulders == hips:
        raise _not_a_person(skeleton, ["spine"], limbs.values())
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
                f"{_MAP_HINT}"
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
    legs = _leg_length(skeleton, thighs, feet, lengths)
    head = head_below(skeleton, hips, shoulders, starts, legs, lengths)
    if head is None:
        raise _not_a_person(skeleton, ["head"], limbs.values())
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


def _check_roles(
    skeleton: Skeleton, roles: _Joints, lengths: Array, positions: Array | None, words: Mapping[int, str]
) -> None:
    """Raise a SkeletonError unless the roles make a person.

    roles: role -> joints. lengths: (J,) of the bone from each joint's parent. positions: (T, J, 3) or None. words: what
    each joint's name says.
    """
    _check_order(skeleton, roles)
    for side in _SIDES:
        for near, far in (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shin"), ("shin", "foot")):
            start, stop = roles[f"{side}_{near}"][0], roles[f"{side}_{far}"][0]
            if not _stretch(skeleton, start, stop, lengths) > 0:
                raise SkeletonError(
                    f"the {side} {near.replace('_', ' ')} has no length: joints '{skeleton.names[start]}' and "
                    f"'{skeleton.names[stop]}' stand in the same place"
                )
    _check_human(skeleton, roles, lengths, positions, words)


def _leg_length(skeleton: Skeleton, thighs: tuple[int, int], feet: tuple[int, int], lengths: Array) -> float:
    """Return the mean length of thigh and shin together."""
    return 0.5 * sum(_stretch(skeleton, thigh, foot, lengths) for thigh, foot in zip(thighs, feet, strict=True))


def _stretch(skeleton: Skeleton, near: int, far: int, lengths: Array) -> float:
    return float(lengths[path_down(skeleton, near, far)[1:]].sum())


def _check_limbs(skeleton: Skeleton, limbs: Mapping[str, int]) -> None:
    """Raise a SkeletonError unless the joints of each limb hang one below the other."""
    joints = {role: (joint,) for role, joint in limbs.items()}
    for side in _SIDES:
        for parts in ((*ARM, "finger"), LEG):
            _check_chain(skeleton, _limb(joints, side, parts))


def _not_a_person(skeleton: Skeleton, missing: Sequence[str], placed: Iterable[int]) -> SkeletonError:
    """Return the error that names the roles without a joint and the joints without a role."""
    unplaced = [skeleton.names[j] for j in range(len(skeleton)) if j not in set(placed)]
    shown = ", ".join(f"'{name}'" for name in unplaced[:_SHOWN_NAMES])
    more = f" and {len(unplaced) - _SHOWN_NAMES} more" if len(unplaced) > _SHOWN_NAMES else ""
    return SkeletonError(
        f"this skeleton cannot be understood as one person: no joint was found for {', '.join(missing)}, "
        f"and {shown or 'no joint'}{more} could not be placed; {_MAP_HINT}"
    )


def _check_order(skeleton: Skeleton, roles: _Joints) -> None:
    """Raise unless every role hangs below the one before it: pelvis, spine, neck, head, and along each limb."""
    chains = [
        [("pelvis", roles["pelvis"]), ("spine", roles["spine"]), ("neck", roles["neck"]), ("head", roles["head"])]
    ]
    for side in _SIDES:
        chains.append([("chest", roles["spine"][-1:]), *_limb(roles, side, (*ARM, "finger"))])
        chains.append([("pelvis", roles["pelvis"]), *_limb(roles, side, LEG)])
    for chain in chains:
        _check_chain(skeleton, chain)
    for side in _SIDES:
        thigh, chest = roles[f"{side}_thigh"][0], roles["spine"][-1]
        if descends(skeleton, thigh, chest):
            raise SkeletonError(
                f"joint '{skeleton.names[thigh]}' cannot be {side}_thigh: it hangs below the chest, "
                f"'{skeleton.names[chest]}'; {_MAP_HINT}"
            )


def _check_chain(skeleton: Skeleton, chain: Sequence[tuple[str, tuple[int, ...]]]) -> None:
    flat = [(role, joint) for role, joints in chain for joint in joints]
    for (upper_role, upper), (role, joint) in pairwise(flat):
        if joint == upper or not descends(skeleton, joint, upper):
            raise SkeletonError(
                f"joint '{skeleton.names[joint]}' cannot be {role}: it does not hang below "
                f"'{skeleton.names[upper]}', which is {upper_role}; {_MAP_HINT}"
            )


def _limb(roles: _Joints, side: str, parts: tuple[str, ...]) -> list[tuple[str, tuple[int, ...]]]:
    return [(role, roles[role]) for part in parts if (role := f"{side}_{part}") in roles]


def _check_human(
    skeleton: Skeleton, roles: _Joints, lengths: Array, positions: Array | None, words: Mapping[int, str]
) -> None:
    """Raise if the trunk is as long as an animal's, and a tail or a body carried level says the same."""
    pelvis, chest, head = roles["pelvis"][0], roles["spine"][-1], roles["head"][0]
    thighs = roles["left_thigh"][0], roles["right_thigh"][0]
    feet = roles["left_foot"][0], roles["right_foot"][0]
    crown = reaches(skeleton, lengths)[head] - lengths[head]
    trunk = _stretch(skeleton, pelvis, head, lengths) + crown
    legs = _leg_length(skeleton, thighs, feet, lengths)
    if trunk < _LONG_TRUNK * legs:
        return
    animal = any(word in words[joint] for joint in range(len(skeleton)) for word in _ANIMAL_WORDS)
    level = False
    if positions is not None:
        hips = positions[:, thighs].mean(axis=1)
        up, down = positions[:, chest] - hips, positions[:, feet].mean(axis=1) - hips
        cosine = np.einsum("ti,ti->t", up, down) / (np.linalg.norm(up, axis=1) * np.linalg.norm(down, axis=1) + 1e-12)
        level = bool(np.median(cosine) > _STOOPED)
    if animal or level:
        raise SkeletonError(
            f"this skeleton is an animal's, not a person's: from pelvis to crown it is {trunk / legs:.1f} times as "
            "long as its legs, where a person is about as long; Segue needs a person"
        )
