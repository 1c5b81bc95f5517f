"""Checks on roles: each joint hangs below the right one, bones have length, and the whole is a person, not a dog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from segue.body.families import ARM, LEG
from segue.body.shape import reaches
from segue.body.skeleton import Skeleton, descends, path_down
from segue.errors import SkeletonError
from segue.typing import Array

SIDES = ("left", "right")
MAP_HINT = 'name them in a map file (--map map.toml, with lines such as left_thigh = "LeftUpLeg")'

# pelvis to crown over thigh + shin: people 0.6 to 1.1, animals on four legs above 2
_LONG_TRUNK = 1.6
_STOOPED = np.cos(np.radians(120.0))
_ANIMAL_WORDS = ("tail", "paw", "hoof")
_SHOWN_NAMES = 12

_Joints = Mapping[str, tuple[int, ...]]


def check_roles(
    skeleton: Skeleton, roles: _Joints, lengths: Array, positions: Array | None, words: Mapping[int, str]
) -> None:
    """Raise a SkeletonError unless the roles make a person.

    roles: role -> joints. lengths: (J,) of the bone from each joint's parent. positions: (T, J, 3) or None. words: what
    each joint's name says.
    """
    _check_order(skeleton, roles)
    for side in SIDES:
        for near, far in (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shin"), ("shin", "foot")):
            start, stop = roles[f"{side}_{near}"][0], roles[f"{side}_{far}"][0]
            if not _stretch(skeleton, start, stop, lengths) > 0:
                raise SkeletonError(
                    f"the {side} {near.replace('_', ' ')} has no length: joints '{skeleton.names[start]}' and "
                    f"'{skeleton.names[stop]}' stand in the same place"
                )
    _check_human(skeleton, roles, lengths, positions, words)


def leg_length(skeleton: Skeleton, thighs: tuple[int, int], feet: tuple[int, int], lengths: Array) -> float:
    """Return the mean length of thigh and shin together."""
    return 0.5 * sum(_stretch(skeleton, thigh, foot, lengths) for thigh, foot in zip(thighs, feet, strict=True))


def _stretch(skeleton: Skeleton, near: int, far: int, lengths: Array) -> float:
    return float(lengths[path_down(skeleton, near, far)[1:]].sum())


def check_limbs(skeleton: Skeleton, limbs: Mapping[str, int]) -> None:
    """Raise a SkeletonError unless the joints of each limb hang one below the other."""
    joints = {role: (joint,) for role, joint in limbs.items()}
    for side in SIDES:
        for parts in ((*ARM, "finger"), LEG):
            _check_chain(skeleton, _limb(joints, side, parts))


def not_a_person(skeleton: Skeleton, missing: Sequence[str], placed: Iterable[int]) -> SkeletonError:
    """Return the error that names the roles without a joint and the joints without a role."""
    unplaced = [skeleton.names[j] for j in range(len(skeleton)) if j not in set(placed)]
    shown = ", ".join(f"'{name}'" for name in unplaced[:_SHOWN_NAMES])
    more = f" and {len(unplaced) - _SHOWN_NAMES} more" if len(unplaced) > _SHOWN_NAMES else ""
    return SkeletonError(
        f"this skeleton cannot be understood as one person: no joint was found for {', '.join(missing)}, "
        f"and {shown or 'no joint'}{more} could not be placed; {MAP_HINT}"
    )


def _check_order(skeleton: Skeleton, roles: _Joints) -> None:
    """Raise unless every role hangs below the one before it: pelvis, spine, neck, head, and along each limb."""
    chains = [
        [("pelvis", roles["pelvis"]), ("spine", roles["spine"]), ("neck", roles["neck"]), ("head", roles["head"])]
    ]
    for side in SIDES:
        chains.append([("chest", roles["spine"][-1:]), *_limb(roles, side, (*ARM, "finger"))])
        chains.append([("pelvis", roles["pelvis"]), *_limb(roles, side, LEG)])
    for chain in chains:
        _check_chain(skeleton, chain)
    for side in SIDES:
        thigh, chest = roles[f"{side}_thigh"][0], roles["spine"][-1]
        if descends(skeleton, thigh, chest):
            raise SkeletonError(
                f"joint '{skeleton.names[thigh]}' cannot be {side}_thigh: it hangs below the chest, "
                f"'{skeleton.names[chest]}'; {MAP_HINT}"
            )


def _check_chain(skeleton: Skeleton, chain: Sequence[tuple[str, tuple[int, ...]]]) -> None:
    flat = [(role, joint) for role, joints in chain for joint in joints]
    for (upper_role, upper), (role, joint) in pairwise(flat):
        if joint == upper or not descends(skeleton, joint, upper):
            raise SkeletonError(
                f"joint '{skeleton.names[joint]}' cannot be {role}: it does not hang below "
                f"'{skeleton.names[upper]}', which is {upper_role}; {MAP_HINT}"
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
    legs = leg_length(skeleton, thighs, feet, lengths)
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
