"""Recognition by shape: the role of each joint from the tree and its lengths alone, whatever the names.

A person is two legs that meet in the pelvis, and higher up two arms and a head that meet in the chest. Every pair of
branches of equal reach is tried as legs and as arms, and the pairs whose proportions suit a human best are taken.
Proportions are those of joint centres in common anthropometric tables (Winter, de Leva), with wide margins. Left and
right follow from how a body is made: feet point forward, knees bend forward, elbows backward.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from segue.body.skeleton import Skeleton, descends, meeting_joint, path_down
from segue.curves import quaternion
from segue.typing import Array

_FRAMES = 100  # as many frames as are looked at; more tell nothing new
_BRANCHES = 8  # the longest of a joint, among which limbs are looked for: a skirt may have a hundred strands
_EQUAL_REACH = 0.15
_RIGID = 0.02
_UNKNOWN_JOINT_COST = 1.4
_STRAIGHT_JOINT_COST = 0.7
_WORST_COST = 15.0
_ARM_TO_LEG = (0.67, 0.3)  # upper arm + forearm over thigh + shin, spread of its logarithm
_LEG_SPREAD = 0.3  # of the logarithm of leg length, where something else is as long as legs
_TRUNK_TO_LEG = (0.4, 1.6)  # pelvis to crown over thigh + shin; a dog has 2.3
_HIGHEST_HEAD_JOINT = 0.88  # pelvis to head joint over thigh + shin; the crown is at 0.95
_LONGEST_NECK_BONE = 0.17  # likewise; from head joint to crown it is 0.2
_TINY = 1e-9
_SIDE_BRANCH = 0.5  # a branch of this reach or less beside the main one is a helper, not the fork of a face


@dataclass(frozen=True)
class Proportions:
    """Proportions of two bones of a limb and of the bones before and beyond them, as (mean, spread) and limits."""

    names: tuple[str, str, str]
    ratio: tuple[float, float]  # logarithm of first over second bone
    most_before: float  # from the trunk to the first bone, in lengths of both bones
    most_beyond: float  # from the second bone to the tip, likewise


_LEG = Proportions(("thigh", "shin", "foot"), (0.0, 0.2), most_before=0.6, most_beyond=0.6)
_ARM = Proportions(("upper_arm", "forearm", "hand"), (0.25, 0.35), most_before=0.8, most_beyond=0.6)


@dataclass(frozen=True)
class _Limb:
    """A branch read as a limb: its main path, where on it the three joints stand, the length of its two bones."""

    path: tuple[int, ...]
    places: tuple[int, int, int]
    length: float
    cost: float

    @property
    def joints(self) -> tuple[int, int, int]:
        first, second, third = self.places
        return self.path[first], self.path[second], self.path[third]


@dataclass(frozen=True)
class _Pair:
    """Two limbs that meet in one joint."""

    meeting: int
    first: _Limb
    second: _Limb

    @property
    def length(self) -> float:
        return 0.5 * (self.first.length + self.second.length)

    @property
    def cost(self) -> float:
        return self.first.cost + self.second.cost

    @property
    def starts(self) -> tuple[int, int]:
        return self.first.path[0], self.second.path[0]


@dataclass(frozen=True)
class _Body:
    """Two pairs of limbs and a head read as a person."""

    cost: float
    pelvis: int
    legs: _Pair
    arms: _Pair
    head: int


def bone_lengths(skeleton: Skeleton, positions: Array | None = None) -> Array:
    """Return the distance (J,) of each joint from its parent: from world positions (T, J, 3), or the rest offsets."""
    if positions is None:
        lengths: Array = np.linalg.norm(skeleton.offsets, axis=1)
    else:
        parents = np.maximum(skeleton.parents, 0)
        lengths = np.median(np.linalg.norm(positions - positions[:, parents], axis=2), axis=0)
    lengths[np.asarray(skeleton.parents) < 0] = 0.0
    return lengths


def reaches(skeleton: Skeleton, lengths: Array) -> Array:
    """Return the length (J,) of the longest path from each joint's parent through the joint to a tip."""
    beyond = np.array([np.linalg.norm(skeleton.ends[j]) if j in skeleton.ends else 0.0 for j in range(len(skeleton))])
    for j in range(len(skeleton) - 1, 0, -1):
        if (parent := skeleton.parents[j]) >= 0:
            beyond[parent] = max(beyond[parent], lengths[j] + beyond[j])
    reach: Array = lengths + beyond
    return reach


def head_below(
    skeleton: Skeleton, pelvis: int, chest: int, arm_starts: Sequence[int], leg_length: float, lengths: Array
) -> int | None:
    """Return the head: the top of the longest third branch of the chest, before it forks or passes the crown."""
    reach = reaches(skeleton, lengths)
    others = [j for j in skeleton.children(chest) if j not in arm_starts and reach[j] > 0.05 * leg_length]
    if not others:
        return None
    head = max(others, key=lambda j: reach[j])
    height = float(sum(lengths[j] for j in path_down(skeleton, pelvis, head)[1:]))
    while above := sorted(skeleton.children(head), key=lambda j: reach[j]):
        *others, onward = above
        if any(reach[j] > _SIDE_BRANCH * reach[onward] for j in others):
            break
        height += float(lengths[onward])
        is_crown = not skeleton.children(onward) and lengths[onward] > _LONGEST_NECK_BONE * leg_length
        if is_crown or height > _HIGHEST_HEAD_JOINT * leg_length:
            break
        head = onward
    return head


def limbs_by_shape(skeleton: Skeleton, positions: Array | None = None) -> list[dict[str, int]]:
    """Return each person in the tree as role -> joint, the sides called "a" and "b" ("a_thigh"), and "head".

    positions: (T, J, 3) world positions of some frames; they tell which joints bend.
    """
    if positions is not None:
        positions = positions[:: max(1, len(positions) // _FRAMES)]
    lengths = bone_lengths(skeleton, positions)
    pairs = list(_pairs(skeleton, lengths, positions))
    bodies = sorted(_bodies(skeleton, lengths, pairs), key=lambda body: body.cost)
    people: list[_Body] = []
    for body in bodies:
        others = [other.pelvis for other in people]
        if not any(descends(skeleton, body.pelvis, o) or descends(skeleton, o, body.pelvis) for o in others):
            people.append(body)
    return [_as_roles(body, lengths) for body in people]


def _pairs(skeleton: Skeleton, lengths: Array, positions: Array | None) -> Iterator[tuple[Proportions, _Pair]]:
    """Yield every two branches of one joint that reach equally far, read as legs and as arms where they can be."""
    reach = reaches(skeleton, lengths)
    for joint in range(len(skeleton)):
        longest = sorted(skeleton.children(joint), key=lambda j: -reach[j])[:_BRANCHES]
        for a, b in combinations(sorted(longest), 2):
            if min(reach[a], reach[b]) <= 0 or abs(np.log(reach[a] / reach[b])) > _EQUAL_REACH:
                continue
            for kind in (_LEG, _ARM):
                first, second = (_read_limb(skeleton, start, reach, lengths, positions, kind) for start in (a, b))
                if first is not None and second is not None:
                    yield kind, _Pair(joint, first, second)


def _read_limb(
    skeleton: Skeleton, start: int, reach: Array, lengths: Array, positions: Array | None, kind: Proportions
) -> _Limb | None:
    """Return the branch read as a limb of the given kind at the least cost; None where it has no two bones."""
    path = [start]
    while children := skeleton.children(path[-1]):
        path.append(max(children, key=lambda j: reach[j]))
    along = np.cumsum(lengths[path])
    tip = float(reach[start])
    best: _Limb | None = None
    for places in combinations(range(len(path)), 3):
        first, second, third = along[list(places)]
        if not first < second < third:
            continue
        both = third - first
        cost = ((np.log((second - first) / (third - second)) - kind.ratio[0]) / kind.ratio[1]) ** 2
        cost += (max(first / both - kind.most_before, 0.0) / 0.1) ** 2
        cost += (max((tip - third) / both - kind.most_beyond, 0.0) / 0.1) ** 2
        if cost >= _WORST_COST:
            continue
        for near, far in pairwise(places):
            cost += _cost_of_joints_inside(path[near : far + 1], along[far] - along[near], positions)
        if best is None or cost < best.cost:
            best = _Limb(tuple(path), places, float(both), float(cost))
    return best


def _cost_of_joints_inside(path: Sequence[int], length: float, positions: Array | None) -> float:
    """Return the cost of reading a stretch of joints as one bone: little if it is always straight, too much if not."""
    inside = len(path) - 2
    if inside == 0 or positions is None:
        return _UNKNOWN_JOINT_COST * inside
    distances = np.linalg.norm(positions[:, path[-1]] - positions[:, path[0]], axis=1)
    bends = bool(distances.min() < (1.0 - _RIGID) * length)
    return _WORST_COST if bends else _STRAIGHT_JOINT_COST * inside


def _bodies(skeleton: Skeleton, lengths: Array, pairs: Sequence[tuple[Proportions, _Pair]]) -> Iterator[_Body]:
    """Yield every way to make a person out of two pairs of limbs."""
    reach = reaches(skeleton, lengths)
    longest_legs = max((pair.length for kind, pair in pairs if kind is _LEG), default=0.0)
    for legs in (pair for kind, pair in pairs if kind is _LEG):
        for arms in (pair for kind, pair in pairs if kind is _ARM):
            if any(descends(skeleton, arms.meeting, start) for start in legs.starts):
                continue
            if any(descends(skeleton, legs.meeting, start) for start in arms.starts):
                continue
            pelvis = meeting_joint(skeleton, (legs.meeting, arms.meeting))
            if pelvis is None or pelvis == arms.meeting:
                continue
            head = head_below(skeleton, pelvis, arms.meeting, arms.starts, legs.length, lengths)
            if head is None:
                continue
            start = path_down(skeleton, arms.meeting, head)[1]
            trunk = float(lengths[path_down(skeleton, pelvis, arms.meeting)[1:]].sum() + reach[start]) / legs.length
            if not _TRUNK_TO_LEG[0] < trunk < _TRUNK_TO_LEG[1]:
                continue
            cost = legs.cost + arms.cost + (np.log(arms.length / legs.length / _ARM_TO_LEG[0]) / _ARM_TO_LEG[1]) ** 2
            cost += (np.log(longest_legs / legs.length) / _LEG_SPREAD) ** 2
            if cost < _WORST_COST:
                yield _Body(float(cost), pelvis, legs, arms, head)


def _as_roles(body: _Body, lengths: Array) -> dict[str, int]:
    roles = {"head": body.head}
    for side, leg, arm in (("a", body.legs.first, body.arms.first), ("b", body.legs.second, body.arms.second)):
        for limb, kind, next_role in ((leg, _LEG, "toe"), (arm, _ARM, "finger")):
            roles |= {f"{side}_{role}": j for role, j in zip(kind.names, limb.joints, strict=True)}
            further = list(limb.path[limb.places[-1] + 1 :])
            away = np.cumsum(lengths[further]) if further else np.zeros(0)
            beyond = [j for j, distance in zip(further, away, strict=True) if distance > 0.02 * limb.length]
            if beyond:
                roles[f"{side}_{next_role}"] = beyond[0]
        if arm.places[0] > 0:
            roles[f"{side}_clavicle"] = arm.path[0]
    return roles


def rest_positions(skeleton: Skeleton) -> Array:
    """Return the world positions (1, J, 3) of the joints when nothing is rotated, the roots at the origin."""
    positions = np.zeros((1, len(skeleton), 3))
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            positions[0, j] = positions[0, parent] + skeleton.offsets[j]
    return positions


def _forward_directions(
    positions: Array, limbs: Mapping[str, int], sides: tuple[str, str] = ("left", "right")
) -> Array:
    """Return the direction (T, 3) in which the body's make says it faces, longer where the signs are clearer.

    positions: (T, J, 3). limbs: role -> joint, such as "left_thigh"; toes and arms may be absent.
    """
    forward = np.zeros((len(positions), 3))
    for side in sides:
        thigh, shin, foot = (positions[:, limbs[f"{side}_{role}"]] for role in ("thigh", "shin", "foot"))
        forward += _bend(thigh, shin, foot)
        if f"{side}_toe" in limbs:
            forward += quaternion.directions(positions[:, limbs[f"{side}_toe"]] - foot)
        if f"{side}_hand" in limbs:
            arm = (positions[:, limbs[f"{side}_{role}"]] for role in ("upper_arm", "forearm", "hand"))
            forward -= 0.5 * _bend(*arm)
    return forward


def leftness(
    positions: Array, limbs: Mapping[str, int], chest: int, sides: tuple[str, str] = ("left", "right")
) -> float:
    """Return how clearly the first side is the left one in a right-handed world: 1 surely, 0 unknown, -1 the right one.

    positions: (T, J, 3), any axes. limbs: as for `_forward_directions`.
    """
    first, second = (positions[:, limbs[f"{side}_thigh"]] for side in sides)
    up = quaternion.directions(positions[:, chest] - 0.5 * (first + second))
    # with Y up and facing +Z, left is +X: up x forward
    left = np.cross(up, _forward_directions(positions, limbs, sides))
    signs = np.einsum("ti,ti->t", left, quaternion.directions(first - second))
    return float(np.clip(signs.mean(), -1.0, 1.0))


def _bend(near: Array, middle: Array, far: Array) -> Array:
    """Return how far the middle joint stands off the line from near to far, as a fraction of the limb, times four."""
    length = np.linalg.norm(middle - near, axis=1) + np.linalg.norm(far - middle, axis=1)
    line = quaternion.directions(far - near)
    along = np.einsum("ti,ti->t", middle - near, line)[:, None]
    offset: Array = 4.0 * (middle - near - along * line) / np.maximum(length, _TINY)[:, None]
    return offset
