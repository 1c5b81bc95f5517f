"""Spelling of joint names: what remains of `ns:mixamorig1:LeftUp_Leg.001` when prefix, case and side are taken off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

_SIDES = {"left": "left", "l": "left", "lft": "left", "right": "right", "r": "right", "rgt": "right"}
_JOINED_SIDES = (("left", "left"), ("right", "right"), ("左", "left"), ("右", "right"), ("l", "left"), ("r", "right"))
_MIDDLE = frozenset({"c", "x", "center", "centre"})
_NAMESPACE = re.compile(r"[:|/]")
# acronym before a capitalised word, word, capitals, number, letters without case
_TOKENS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")

# a prefix need not stand on every joint (hair and cloth have their own), a suffix such as "_jnt" stands on nearly all
_SHARED_PREFIX = 0.25
_SHARED_SUFFIX = 0.6
_FEWEST_SHARING = 4

_MOST_DIGITS = 9  # of a number that are read: Python refuses thousands of them, and no joint is counted so far


class JointName(NamedTuple):
    """A joint name taken apart: the side it names, its words in one ("upleg"), its numbers in order."""

    side: str | None
    key: str
    numbers: tuple[int, ...] = ()


def spelled(name: str) -> JointName:
    """Return a name that carries no prefix taken apart."""
    return _assemble(_tokens(name), frozenset())


def spelled_all(names: Sequence[str], known: Collection[str]) -> list[JointName]:
    """Return all names of a skeleton taken apart, without the prefixes and suffixes that many of them share.

    known: the words that mean something, which are never taken for a prefix, and before which a side is recognised
    without any separator ("lfemur").
    """
    tokens = [_tokens(name) for name in names]
    prefixes = _shared(tokens, _SHARED_PREFIX, _beginnings(known))
    suffixes = _shared([list(reversed(t)) for t in tokens], _SHARED_SUFFIX, _endings(known))
    return [_assemble(_without(_without(t, prefixes)[::-1], suffixes)[::-1], known) for t in tokens]


def _tokens(name: str) -> list[str]:
    return [token.lower() for token in _TOKENS.findall(_NAMESPACE.split(name)[-1])]


def _assemble(tokens: Iterable[str], known: Collection[str]) -> JointName:
    side: str | None = None
    words: list[str] = []
    numbers: list[int] = []
    for token in tokens:
        if token.isdecimal():
            if words:  # a number before any word belongs to a prefix: "Bip001", "Character1"
                numbers.append(int(token[:_MOST_DIGITS]))
        elif side is None and token in _SIDES:
            side = _SIDES[token]
        elif token not in _MIDDLE:
            words.append(token)
    key = "".join(words)
    if side is None and key not in known:
        side, key = _split_side(key, known)
    return JointName(side, key, tuple(numbers))


def _split_side(key: str, known: Collection[str]) -> tuple[str | None, str]:
    """Split a side off a word that is known only without it."""
    for letters, side in _JOINED_SIDES:
        if key.startswith(letters) and key[len(letters) :] in known:
            return side, key[len(letters) :]
        if len(letters) > 1 and key.endswith(letters) and key[: -len(letters)] in known:
            return side, key[: -len(letters)]
    return None, key


def _beginnings(known: Collection[str]) -> frozenset[str]:
    return frozenset(word[:end] for word in known for end in range(1, len(word) + 1))


def _endings(known: Collection[str]) -> frozenset[str]:
    return frozenset(word[start:] for word in known for start in range(len(word)))


def _shared(names: Sequence[Sequence[str]], share: float, telling: Collection[str]) -> frozenset[str]:
    """Return the tokens that stand first, up to a telling one, in at least this share of the names."""
    counts: Counter[str] = Counter()
    for tokens in names:
        seen: set[str] = set()
        for token in tokens:
            if token.isdecimal():
                continue
            if token in _SIDES or token in _MIDDLE or (len(token) > 1 and token in telling):
                break
            seen.add(token)
        counts.update(seen)
    fewest = max(_FEWEST_SHARING, share * len(names))
    return frozenset(token for token, count in counts.items() if count >= fewest)


def _without(tokens: Sequence[str], shared: Collection[str]) -> list[str]:
    """Return the tokens without the shared ones that stand first; sides among those are kept."""
    kept = list(tokens)
    first = 0
    while first < len(kept):
        if kept[first] in shared:
            del kept[first]
        elif kept[first] in _SIDES or kept[first] in _MIDDLE or kept[first].isdecimal():
            first += 1
        else:
            break
    return kept
