"""Recognition by name: words give the roles that a joint may have, and its place in the tree decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from segue.body.families import ARM, LEG, VOCABULARY
from segue.body.skeleton import Skeleton, descends, leaf_paths, path_down
from segue.body.spelling import JointName, spelled_all
from segue.errors import SkeletonError
from segue.typing import Array

_OPTIONAL = frozenset({"clavicle", "toe"})
_OPTIONAL_WORTH = 0.5
_AMBIGUOUS_WORTH = 0.95  # a word with two meanings yields to a word with one
_SKIPPED_JOINT_COST = 0.06
_NUMBER_COST = 0.1  # "thigh.001" is a subdivision of "thigh": more than a skipped joint, so that the first one wins
_FORCED_WORTH = 100.0

# words for pelvis that also name the joint above it
_ABOVE_THE_BODY = frozenset({"root", "cog"})
_FINGERS = ("middle", "mid", "中指", "index", "人指", "ring", "pinky", "little")
_WHOLE_HAND = frozenset({"hand", "finger", "fingers", "fingerbase"})
_INSIDE_THE_PALM = ("metacarpal", "carpal", "inhand", "palm")


class Names:
    """The names of a skeleton's joints, understood as far as words go."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.parsed: list[JointName] = spelled_all(skeleton.names, VOCABULARY.keys())

    def may_be(self, joint: int, role: str) -> bool:
        """Return whether the joint's name allows a role."""
        return role in VOCABULARY.get(self.parsed[joint].key, ())

    def is_surely(self, joint: int, role: str) -> bool:
        """Return whether the joint's name says a role of the trunk and nothing else."""
        name = self.parsed[joint]
        return name.side is None and VOCABULARY.get(name.key) == frozenset({role}) and name.key not in _ABOVE_THE_BODY

    def limbs(self, forced: Mapping[str, int]) -> dict[str, int]:
        """Return role -> joint ("left_thigh": 3) of every limb whose needed joints all have telling names in order.

        forced: roles that are given, which the rest must fit.
        """
        paths = leaf_paths(self.skeleton)
        found: dict[str, int] = {}
        for side in ("left", "right"):
            for roles in (ARM, LEG):
                weights = self._weights(side, roles, forced)
                found |= {f"{side}_{role}": j for role, j in self._best_limb(paths, weights, roles, side).items()}
        return found

    def heads(self) -> list[int]:
        """Return the joints named head, those nearest the root first."""
        named = [j for j in range(len(self.skeleton)) if self.is_surely(j, "head")]
        return sorted(named, key=lambda j: len(self.skeleton.ancestors(j)))

    def finger(self, hand: int, distances: Array) -> int | None:
        """Return the joint that best gives a hand its direction: the base of the middle finger, or the next best.

        distances: (J,) length of each joint's bone from its parent; joints that coincide with the hand do not count.
        """
        candidates = []
        for joint in range(hand + 1, len(self.skeleton)):
            rank = self._finger_rank(joint)
            if rank is None or not descends(self.skeleton, joint, hand):
                continue
            path = path_down(self.skeleton, hand, joint)[1:]
            if sum(distances[j] for j in path) > 0.02 * distances[hand]:
                in_palm = any(word in self.parsed[joint].key for word in _INSIDE_THE_PALM)
                candidates.append((rank, in_palm, len(path), joint))
        return min(candidates)[-1] if candidates else None

    def _finger_rank(self, joint: int) -> int | None:
        name = self.parsed[joint]
        if "thumb" in name.key:
            return None
        for rank, finger in enumerate(_FINGERS):
            if finger in name.key:
                return rank
        if name.key in _WHOLE_HAND:
            # 3ds Max counts fingers from the thumb, 0: the middle one is 2
            return 0 if name.numbers == (2,) else len(_FINGERS) + (name.numbers == (0,))
        return None

    def _weights(self, side: str, roles: Sequence[str], forced: Mapping[str, int]) -> dict[int, dict[str, float]]:
        """Return how well each joint's name suits each role of a limb."""
        weights: dict[int, dict[str, float]] = {}
        for joint, name in enumerate(self.parsed):
            meanings = VOCABULARY.get(name.key, frozenset())
            if name.side != side or joint in forced.values():
                continue
            worth = (1.0 if len(meanings) == 1 else _AMBIGUOUS_WORTH) - _NUMBER_COST * sum(name.numbers)
            weights[joint] = {
                role: worth for role in roles if role in meanings and f"{side}_{role}" not in forced and worth > 0
            }
        for role in roles:
            if f"{side}_{role}" in forced:
                weights[forced[f"{side}_{role}"]] = {role: _FORCED_WORTH}
        return weights

    def _best_limb(
        self,
        paths: Sequence[Sequence[int]],
        weights: Mapping[int, Mapping[str, float]],
        roles: Sequence[str],
        side: str,
    ) -> dict[str, int]:
        """Return the best assignment of a limb's roles along any path from root to leaf, empty if none is whole."""
        needed = [role for role in roles if role not in _OPTIONAL]
        chains = [_best_chain(path, weights, roles) for path in paths]
        whole = [(score, limb) for score, limb in chains if limb.keys() >= set(needed)]
        if not whole:
            return {}
        best = max(whole, key=lambda scored: scored[0])[1]
        for _, limb in whole:
            if not set(limb.values()) & set(best.values()):
                names = self.skeleton.names
                raise SkeletonError(
                    f"two joints could be the {side} {needed[0].replace('_', ' ')}, '{names[best[needed[0]]]}' and "
                    f"'{names[limb[needed[0]]]}': give a skeleton of one person, or name that joint in a map file "
                    f"(--map map.toml)"
                )
        return best


def _best_chain(
    path: Sequence[int], weights: Mapping[int, Mapping[str, float]], roles: Sequence[str]
) -> tuple[float, dict[str, int]]:
    """Return the best score and assignment of roles, in their order, to joints of a path, in theirs."""
    # (how many roles are behind, where the last of them stands) -> best so far
    states: dict[tuple[int, int], tuple[float, dict[str, int]]] = {(0, -1): (0.0, {})}
    for place, joint in enumerate(path):
        for (behind, last), (score, chain) in list(states.items()):
            for r in range(behind, len(roles)):
                if (worth := weights.get(joint, {}).get(roles[r])) is None:
                    continue
                gain = worth * (_OPTIONAL_WORTH if roles[r] in _OPTIONAL else 1.0)
                gap = _SKIPPED_JOINT_COST * (place - last - 1) if chain else 0.0
                candidate = (score + gain - gap, {**chain, roles[r]: joint})
                key = (r + 1, place)
                if key not in states or candidate[0] > states[key][0]:
                    states[key] = candidate
    return max(states.values(), key=lambda state: (len(set(state[1]) - _OPTIONAL), state[0]))
