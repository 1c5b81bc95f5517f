"""A guide: a library of clips as something that proposes paths for gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.curves.quaternion import Array
from segue.library._weight_kernels import local_linear
from segue.library.entry import RATE
from segue.library.moments import Moments
from segue.library.search import Query, Stretches, differences, find_stretches, query_of
from segue.library.warp import warped
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.transition.prior import Drawn, Match, Proposal

__all__ = ["CLOSE", "FAIR", "LITTLE", "NOTHING", "POOR", "SHORT", "Alone", "Guide"]

CLOSE, FAIR, POOR = "close match", "fair match", "poor match"
NOTHING = "nothing similar: least effort instead"
LITTLE = "too little to draw on: least effort instead"
SHORT = "a short gap: least effort does best"
"""How sure a guide is, in words."""

_SHORTEST = 4.0
"""Frames of a gap below which there is nothing to be gained."""

_MOST, _LEAST, _PART = 1000, 30, 0.06
"""How many stretches are combined: a part of all there are, within bounds; the nearest few where there are not many."""

_RIDGES, _RIDGE = (0.5, 10.0), 10.0
"""The penalty on single stretches, times the squared cost of the likest: what is far off is averaged, not continued."""

_LENGTHS = (6.0, 16.0, 31.0)
_TRUSTED = (0.65, 0.85, 0.9)
_HALVED = (0.11, 0.3, 0.42)
"""Frames of a gap, the share of a path that matches, and the cost at which half of that is left."""

_EVIDENCE = 15000.0
"""Frames of a library at which its paths count half of what those of a large one do."""

_OWN = 70.0
"""How many frames of other takes one of the same take is worth: the same person, in the same mood."""

_CLOSE, _FAIR = 0.7, 2.0
"""The costs, of the one that halves the share, up to which a match is close, and fair."""

_USED = 0.12
"""The least share that is of use."""

_NAMED = 8
_LOOKED_AT = 400
_OTHER = 0.5
"""Seconds by which stretches of one clip must be apart to be different takes; how many are looked at."""


class Guide:
    """Moments of a library that propose how to get across gaps.

    own: those of the motion itself, in the same basis.
    """

    def __init__(self, library: Moments | None = None, own: Moments | None = None) -> None:
        self.shelves = [moments for moments in (library, own) if moments is not None and len(moments)]
        self._evidence = (len(library) if library else 0.0) + (_OWN * len(own) if own else 0.0)

    def propose(self, motion: Motion, start: float, stop: float, ends: State) -> Proposal:
        """Return what the likest stretches of the library make of a gap; see `Prior`."""
        if (stop - start) * RATE < _SHORTEST:
            return Proposal(None, None, Match(SHORT))
        query = query_of(motion, start, stop, ends)
        found = self.search(query, int(np.clip(_PART * sum(map(len, self.shelves)), _LEAST, _MOST)))
        if len(found) == 0:
            return Proposal(None, None, Match(NOTHING))
        apart = differences(self.shelves, query, found)
        weights, left = local_linear(apart, float(np.clip(_RIDGE * found.cost[0], *_RIDGES)))
        # how unlike the gap the mean of what was found is, and what of the gap the features' basis does not show
        cost = float(np.sqrt(left + query.missed(self.shelves[0].basis)))
        return self.proposal(query, found, weights, cost, self._share(query, cost))

    def _share(self, query: Query, cost: float) -> float:
        """Return how much of the way to a path of some cost to go; measured on clips of a person not in the library."""
        trusted, halved = (np.interp(query.frames, _LENGTHS, each) for each in (_TRUSTED, _HALVED))
        known = self._evidence**2 / (self._evidence**2 + _EVIDENCE**2)
        return float(trusted * known / (1.0 + (cost / halved) ** 4))

    def alone(self, number: int) -> Alone:
        """Return what proposes single stretches: the likest for number 0, for others the next that is different."""
        return Alone(self, number)

    def search(self, query: Query, count: int) -> Stretches:
        """Return up to so many stretches that are likest to a query."""
        return find_stretches(self.shelves, query, count)

    def proposal(self, query: Query, stretches: Stretches, weights: Array, cost: float, share: float) -> Proposal:
        """Return the path that weighted stretches propose; nothing where its share would be too small to be of use."""
        halved = float(np.interp(query.frames, _LENGTHS, _HALVED))
        if share < _USED:
            return Proposal(None, None, Match(NOTHING if cost > halved else LITTLE, cost))
        confidence = CLOSE if cost <= _CLOSE * halved else FAIR if cost <= _FAIR * halved else POOR
        match = Match(confidence, cost, share, *self._drawn(stretches, weights))
        return Proposal(*warped(self.shelves, query, stretches, weights), match)

    def _drawn(self, stretches: Stretches, weights: Array) -> tuple[tuple[Drawn, ...], int]:
        """Return the weightiest stretches that were drawn on, and how many more there are."""
        sizes = np.abs(weights) / np.abs(weights).sum()
        order = np.argsort(-sizes, kind="stable")[:_NAMED]
        drawn = []
        for k in order.tolist():
            entry, start = self.shelves[int(stretches.shelf[k])].place_of(int(stretches.start[k]))
            stop = start + int(stretches.span[k]) / RATE
            drawn.append(Drawn(entry.name, start, stop, bool(stretches.mirrored[k]), float(sizes[k])))
        return tuple(drawn), len(stretches) - len(order)


@dataclass(frozen=True, eq=False)
class Alone:
    """A guide that proposes single stretches, the livelier for it: that of some number among those that differ."""

    guide: Guide
    number: int

    def propose(self, motion: Motion, start: float, stop: float, ends: State) -> Proposal:
        """Return what one stretch makes of a gap; see `Prior`."""
        query = query_of(motion, start, stop, ends)
        found = self.guide.search(query, _LOOKED_AT)
        different = _different(found, round(_OTHER * RATE))
        if self.number >= len(different):
            return Proposal(None, None, Match(NOTHING))
        chosen = found[np.array([different[self.number]])]
        return self.guide.proposal(query, chosen, np.ones(1), float(np.sqrt(chosen.cost[0])), 1.0)


def _different(stretches: Stretches, apart: int) -> list[int]:
    """Return which stretches, the likest first, begin so many frames from each other."""
    kept: list[int] = []
    for k in range(len(stretches)):
        near = (stretches.shelf[kept] == stretches.shelf[k]) & (
            np.abs(stretches.start[kept] - stretches.start[k]) < apart
        )
        if not near.any():
            kept.append(k)
    return kept
