"""The trunk: pelvis, spine, neck and head are where the limbs meet, and what lies between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from segue.body.naming import Names
from segue.body.rolecheck import MAP_HINT, SIDES, check_limbs, leg_length, not_a_person
from segue.body.shape import head_below
from segue.body.skeleton import Skeleton
from segue.body.tree import descends, meeting_joint, path_down
from segue.curves.quaternion import Array
from segue.errors import SkeletonError

__all__ = ["with_trunk"]


def with_trunk(
    skeleton: Skeleton,
    names: Names,
    limbs: Mapping[str, int],
    lengths: Array,
    forced: Mapping[str, tuple[int, ...]],
) -> dict[str, tuple[int, ...]]:
    """Return role -> joints with those of the trunk added to those of the limbs.

    limbs: role -> joint, none of the needed ones missing. lengths: (J,) of the bone from each joint's parent. forced:
    roles that are given.
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
    """Return where arms and head meet, or below a neck that carries the arms too, as in 3ds Max Biped."""
    chest = meeting_joint(skeleton, (shoulders, head))
    if chest is None or not descends(skeleton, chest, hips) or chest == hips:
        return shoulders
    while names.is_surely(chest, "neck") and skeleton.parents[chest] != hips:
        chest = skeleton.parents[chest]
    return chest


def _pelvis(skeleton: Skeleton, names: Names, hips: int) -> int:
    """Return where legs and trunk meet, or the pelvis above a spine joint that carries the legs (3ds Max Biped)."""
    for joint in (hips, *skeleton.ancestors(hips)):
        if names.is_surely(joint, "pelvis"):
            return joint
        if not names.may_be(joint, "spine"):
            break
    return hips
