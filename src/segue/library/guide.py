"""A guide proposes paths for gaps from a library of clips.

The plain path between two ends depends on their values and velocities alone. The departure of a match is its difference
from the plain path between its own ends. Added to the plain path between the ends of the gap, it meets both ends in
value and velocity. Departures of several matches add up with weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.filling.features import RATE
from segue.filling.prior import GapRequest, Proposal
from segue.library._search_kernels import local_linear
from segue.library._warp_kernels import Departure, Mirror, add_departures, plain_turns
from segue.library.frame_index import FrameIndex
from segue.library.search import Matches, Query, differences, find_matches, query_of
from segue.motion.fills import Match, UsedClip
from segue.typing import Array

CLOSE, FAIR, POOR = "close match", "fair match", "poor match"
NOTHING = "nothing similar: least effort instead"
LITTLE = "too few clips: least effort instead"
SHORT = "a short gap: least effort does best"
"""Confidence of a guide in words."""

_SHORTEST = 4.0
"""Frames of a gap below which a library does not improve the path."""

_MOST, _LEAST, _PART = 1000, 30, 0.06
"""Number of matches that are combined: at most, at least, and as a part of all frames."""

_RIDGES, _RIDGE = (0.5, 10.0), 10.0
"""Bounds of the ridge penalty, and its factor on the least squared cost: distant matches are averaged, not
extrapolated."""

_LENGTHS = (6.0, 16.0, 31.0)
_TRUSTED = (0.65, 0.85, 0.9)
_HALVED = (0.11, 0.3, 0.42)
"""Frames of a gap, the share of a perfect match, and the cost at which the share is half of that."""

_EVIDENCE = 15000.0
"""Frames of a library at which its share is half of that of a large library."""

_OWN = 70.0
"""Weight of a frame of the motion itself, which has the same person and style, in frames of other clips."""

_CLOSE, _FAIR = 0.7, 2.0
"""Costs up to which a match is close, and fair, as multiples of the cost that halves the share."""

_USED = 0.12
"""The least share that is used."""

_SETTLING = 3.0
"""Time constant in frames of the decay of joint velocities at the ends of a plain path; the root does not decay."""

_NAMED = 8
_SEARCHED = 400
_OTHER = 0.5
"""Number of clips in a report, number of matches among which variants are chosen, and seconds between two variants of
one clip."""


class Guide:
    """Proposes paths across gaps from the index of a library.

    own: index of the motion itself, in the same basis.
    """

    def __init__(self, library: FrameIndex | None = None, own: FrameIndex | None = None) -> None:
        self.indexes = [index for index in (library, own) if index is not None and len(index)]
        self._evidence = (len(library) if library else 0.0) + (_OWN * len(own) if own else 0.0)

    def propose(self, request: GapRequest) -> Proposal:
        """Return the path that the best matches propose for a gap, or one of them for a variant; see `Prior`."""
        query = query_of(request.motion, request.start, request.stop, request.ends, request.ground)
        if request.variant is not None:
            return self._single(query, request.variant)
        if query.frames < _SHORTEST:
            return _nothing(SHORT)
        found = self.search(query, int(np.clip(_PART * sum(map(len, self.indexes)), _LEAST, _MOST)))
        if len(found) == 0:
            return _nothing(NOTHING)
        apart = differences(self.indexes, query, found)
        weights, left = local_linear(apart, float(np.clip(_RIDGE * found.cost[0], *_RIDGES)))
        # distance of the weighted mean of matches from the gap, and the part of the gap outside the basis
        cost = float(np.sqrt(left + query.missed(self.indexes[0].basis)))
        return self.proposal(query, found, weights, cost, self._share(query, cost))

    def _share(self, query: Query, cost: float) -> float:
        """Return the share of a path of some cost; calibrated on clips of a person not in the library."""
        trusted, halved = (np.interp(query.frames, _LENGTHS, each) for each in (_TRUSTED, _HALVED))
        known = self._evidence**2 / (self._evidence**2 + _EVIDENCE**2)
        return float(trusted * known / (1.0 + (cost / halved) ** 4))

    def _single(self, query: Query, number: int) -> Proposal:
        """Return the path of a single match, which is livelier than a mean: number `number` of different matches."""
        found = self.search(query, _SEARCHED)
        different = _different(found, round(_OTHER * RATE))
        if number >= len(different):
            return _nothing(NOTHING)
        chosen = found[np.array([different[number]])]
        return self.proposal(query, chosen, np.ones(1), float(np.sqrt(chosen.cost[0])), 1.0)

    def search(self, query: Query, count: int) -> Matches:
        """Return up to `count` matches of a query, the best first."""
        return find_matches(self.indexes, query, count)

    def proposal(self, query: Query, matches: Matches, weights: Array, cost: float, share: float) -> Proposal:
        """Return the path of weighted matches; without poses if its share is too small."""
        halved = float(np.interp(query.frames, _LENGTHS, _HALVED))
        if share < _USED:
            return _nothing(NOTHING if cost > halved else LITTLE, cost)
        confidence = CLOSE if cost <= _CLOSE * halved else FAIR if cost <= _FAIR * halved else POOR
        match = Match(confidence, cost, share, *self._used_clips(matches, weights))
        return Proposal(*warped(self.indexes, query, matches, weights), match=match)

    def _used_clips(self, matches: Matches, weights: Array) -> tuple[tuple[UsedClip, ...], int]:
        """Return the matches of the largest weights, and how many more there are."""
        sizes = np.abs(weights) / np.abs(weights).sum()
        order = np.argsort(-sizes, kind="stable")[:_NAMED]
        used = []
        for k in order.tolist():
            entry, start = self.indexes[int(matches.index[k])].place_of(int(matches.start[k]))
            stop = start + int(matches.span[k]) / RATE
            used.append(UsedClip(entry.name, start, stop, bool(matches.mirrored[k]), float(sizes[k])))
        return tuple(used), len(matches) - len(order)


def _nothing(why: str, cost: float | None = None) -> Proposal:
    return Proposal(None, reason=why, match=Match(why, cost))


def _different(matches: Matches, apart: int) -> list[int]:
    """Return which matches, the best first, begin at least `apart` frames from each other."""
    kept: list[int] = []
    for k in range(len(matches)):
        near = (matches.index[kept] == matches.index[k]) & (np.abs(matches.start[kept] - matches.start[k]) < apart)
        if not near.any():
            kept.append(k)
    return kept


def warped(indexes: Sequence[FrameIndex], query: Query, matches: Matches, weights: Array) -> tuple[Poses, Array]:
    """Return the path across a gap with the weighted departures of matches, and how much feet rest on it.

    Both are at times spread evenly over the gap, ends included; the latter is (T, 4) as in `stances_of`.
    """
    count = max(2, round(query.frames))
    times = np.arange(1, count) / count
    joints, root = _shapes(count, query.frames / _SETTLING), _shapes(count, 0.0)
    departure = _departure(indexes, matches, weights, times, joints, root)
    duration = query.frames / RATE
    balls, hinges, place = query.ends.balls, query.ends.hinges, query.ends.root
    turning = quaternion.rotate(quaternion.conjugate(balls.value), duration * balls.velocity)
    turned = quaternion.multiply(plain_turns(joints, balls.value, turning), quaternion.exp(departure.balls))
    away = query.leg * departure.root
    cosine, sine = np.cos(query.heading), np.sin(query.heading)
    away = np.stack(
        [cosine * away[:, 0] + sine * away[:, 2], away[:, 1], cosine * away[:, 2] - sine * away[:, 0]], axis=1
    )
    path = Poses(
        _between(place.value, _plain_values(root, place.value, duration * place.velocity) + away),
        _between(balls.value, turned),
        _between(hinges.value, _plain_values(joints, hinges.value, duration * hinges.velocity) + departure.hinges),
    )
    rests = np.clip(departure.stances, 0.0, 1.0)
    return path, np.concatenate([rests[:1], rests, rests[-1:]])


def _departure(
    indexes: Sequence[FrameIndex], matches: Matches, weights: Array, times: Array, joints: Array, root: Array
) -> Departure:
    """Return the weighted sum of the departures of matches."""
    count = len(times)
    shapes = ((3,), (len(HUMAN.ball_names), 3), (len(HUMAN.hinge_names),), (4,))
    out = Departure(*(np.zeros((count, *shape)) for shape in shapes))
    for number, index in enumerate(indexes):
        own = matches.index == number
        add_departures(
            *index.poses,
            index.rows.headings,
            index.stances,
            matches.start[own],
            matches.span[own],
            matches.mirrored[own],
            weights[own],
            times,
            joints,
            root,
            Mirror(HUMAN.mirrored_balls, HUMAN.mirrored_hinges),
            out,
        )
    return out


def _between(ends: Array, inside: Array) -> Array:
    return np.concatenate([ends[:1], inside, ends[1:]])


def _plain_values(shapes: Array, ends: Array, rates: Array) -> Array:
    """Return the plain path (U, n) between values (2, n) with rates (2, n) in the time from 0 to 1."""
    values: Array = shapes @ np.stack([ends[0], rates[0], ends[1], rates[1]])
    return values


@lru_cache(maxsize=128)
def _shapes(count: int, stiffness: float) -> Array:
    """Return the plain path's mixture of ends, (count - 1, 4), at times that divide it evenly.

    It is the path of least squared velocity plus squared acceleration, these in units of the time in which velocities
    settle, of which the path lasts `stiffness`; the cubic Hermite where that is 0.
    """
    u = np.arange(1, count) / count
    if stiffness == 0.0:
        rise = u**2 * (3.0 - 2.0 * u)
        return np.stack([1.0 - rise, u * (1.0 - u) ** 2, rise, -(u**2) * (1.0 - u)], axis=1)
    k = stiffness

    def basis(at: Array) -> Array:
        return np.stack([np.ones_like(at), at, np.exp(-k * at), np.exp(k * (at - 1.0))], axis=1)

    def slope(at: Array) -> Array:
        return np.stack([np.zeros_like(at), np.ones_like(at), -k * np.exp(-k * at), k * np.exp(k * (at - 1.0))], axis=1)

    start, stop = np.zeros(1), np.ones(1)
    conditions = np.concatenate([basis(start), slope(start), basis(stop), slope(stop)])
    return np.asarray(basis(u) @ np.linalg.inv(conditions))
