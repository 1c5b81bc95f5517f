"""A guide: a library of clips as something that proposes paths for gaps."""

from __future__ import annotations

from collections.abc import Sequence
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

__all__ = ["CLOSE", "FAIR", "NOTHING", "Guide"]

CLOSE, FAIR, NOTHING = "close match", "fair match", "nothing similar: least effort instead"
"""How sure a guide is, in words."""

_MOST, _LEAST, _PART = 1000, 30, 0.06
"""How many stretches are combined: a part of all there are, within bounds; the nearest few where there are not many."""

_RIDGES, _RIDGE = (0.5, 10.0), 10.0
"""The penalty on single stretches, times the squared cost of the likest: what is far off is averaged, not continued."""

_LENGTHS = (6.0, 16.0, 31.0)
_TRUSTED = (0.65, 0.85, 0.9)
_HALVED = (0.11, 0.3, 0.42)
"""Frames of a gap, the share of a path that matches, and the cost at which half of that is left."""

_EVIDENCE = 3000.0
"""Frames of a library at which its paths count half of what those of a large one do."""

_CLOSE, _USED = 0.7, 0.12
"""The cost, of the one that halves the share, up to which a match is close; and the least share that is of use."""

_NAMED = 8
_LOOKED_AT = 400
_OTHER = 0.5
"""Seconds by which stretches of one clip must be apart to be different takes; how many are looked at."""


class Guide:
    """Moments of a library, or of several, that propose how to get across gaps.

    shelves: all in the basis of the first that has any frames.
    """

    def __init__(self, shelves: Sequence[Moments]) -> None:
        self.shelves = [moments for moments in shelves if len(moments)]

    def propose(self, motion: Motion, start: float, stop: float, ends: State) -> Proposal:
        """Return what the likest stretches of the library make of a gap; see `Prior`."""
        query = query_of(motion, start, stop, ends)
        found = self.search(query, int(np.clip(_PART * self.frames, _LEAST, _MOST)))
        if len(found) == 0:
            return Proposal(None, None, Match(NOTHING))
        apart = differences(self.shelves, query, found)
        weights = local_linear(apart, float(np.clip(_RIDGE * found.cost[0], *_RIDGES)))
        cost = self._cost(query, weights @ apart)
        share = self._share(query, cost)
        return self.proposal(query, found, weights, cost, share)

    @property
    def frames(self) -> int:
        """How many frames there are to draw on."""
        return sum(map(len, self.shelves))

    def _cost(self, query: Query, apart: Array) -> float:
        """Return how unlike a query what was found for it is: its differences (F,), and what features do not show."""
        return float(np.sqrt(apart @ apart + query.missed(self.shelves[0].basis)))

    def _share(self, query: Query, cost: float) -> float:
        """Return how much of the way to a path of some cost to go; measured on clips of a person not in the library."""
        trusted, halved = (np.interp(query.frames, _LENGTHS, each) for each in (_TRUSTED, _HALVED))
        known = self.frames / (self.frames + _EVIDENCE)
        return float(trusted * known / (1.0 + (cost / halved) ** 4))

    def alone(self, number: int) -> Alone:
        """Return what proposes single stretches: the likest for number 0, for others the next that is different."""
        return Alone(self, number)

    def search(self, query: Query, count: int) -> Stretches:
        """Return up to so many stretches that are likest to a query."""
        return find_stretches(self.shelves, query, count)

    def proposal(self, query: Query, stretches: Stretches, weights: Array, cost: float, share: float) -> Proposal:
        """Return the path that weighted stretches propose; nothing where its share would be too small to be of use."""
        if share < _USED:
            return Proposal(None, None, Match(NOTHING, cost))
        close = cost <= _CLOSE * np.interp(query.frames, _LENGTHS, _HALVED)
        match = Match(CLOSE if close else FAIR, cost, share, *self._drawn(stretches, weights))
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
