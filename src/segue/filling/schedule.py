"""Schedules: when each foot stands in a gap, and when it swings.

A prior predicts contacts as probabilities, and a path whose feet may glide. A schedule is the sequence of stances and
swings that agrees best with both. Every swing takes the time that its way needs. A stance beside a seam is where the
foot stands there already, so a foot that stands on both sides in different places takes a step. While the prior does
not expect a flight, one foot stands. The sequence of each foot is found by dynamic programming over segments, in turn
with the other foot's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.compiled import compiled
from segue.typing import Array, Flags, Ints

START, FROM_START, SWING, STANCE, STOP, THROUGHOUT = range(6)
"""Segments: stance of the start, swing from there, other swings, stances between, stance of the stop, and stance from
start to stop."""


@compiled(seconds=1)
def cheapest_segments(costs: Array) -> tuple[float, Ints]:
    """Return the least cost, and its segments (K, 3): kind, first sample, sample after the last.

    costs: (6, T + 1, T + 1) of each kind, by first sample and sample after the last; infinity where none is allowed.
    """
    kinds, count = costs.shape[0], costs.shape[1] - 1
    ends = np.full((kinds, count + 1), np.inf)  # least cost up to a sample, by the kind that stops there
    entered = np.full((kinds, count + 1), np.inf)
    firsts = np.zeros((kinds, count + 1), np.int64)
    before = np.zeros((kinds, count + 1), np.int64)  # the kind before one that begins at a sample
    entered[START, 0] = entered[SWING, 0] = entered[THROUGHOUT, 0] = 0.0
    for stop in range(1, count + 1):
        for kind in range(kinds):
            for first in range(stop):
                total = entered[kind, first] + costs[kind, first, stop]
                if total < ends[kind, stop]:
                    ends[kind, stop], firsts[kind, stop] = total, first
        swing = FROM_START if ends[FROM_START, stop] <= ends[SWING, stop] else SWING
        before[FROM_START, stop], before[SWING, stop] = START, STANCE
        before[STANCE, stop] = before[STOP, stop] = swing
        for kind in (FROM_START, SWING, STANCE, STOP):
            entered[kind, stop] = ends[before[kind, stop], stop]
    kind = FROM_START
    for other in (SWING, STOP, THROUGHOUT):
        if ends[other, count] < ends[kind, count]:
            kind = other
    least, stop, at = ends[kind, count], count, count
    found = np.empty((count, 3), np.int64)
    if np.isfinite(least):
        while stop > 0:
            at -= 1
            first = firsts[kind, stop]
            found[at, 0], found[at, 1], found[at, 2] = kind, first, stop
            kind, stop = before[kind, first], first
    return least, found[at:].copy()


_RATE = 30.0  # samples a second whose costs count 1
_DOUBT = 0.03  # a probability is never nearer to 0 or 1
_AWAY = 0.12  # m that a path may be from the place of its stance, at a cost of 1 a sample
_CHANGE = 1.0  # cost of each stance
_ALOFT = 3.0  # cost of a sample without a standing foot if a flight is not expected
_FLIES = 0.1  # probability of contact below which a flight is expected more and more
_PACE = 2.5  # m/s, mean speed over the ground of a foot that steps
_LEAST_SWING, _LEAST_STANCE = 0.12, 0.16  # s, of swings and stances that do not reach a seam
_ROUNDS = 3

_SWINGS = (FROM_START, SWING)


class FootPath(NamedTuple):
    """Facts about one foot at T even times of a gap.

    likely: (T,) probability that it stands. path: (T, 3) m of its middle, on the proposed path; its height is that of
    its lowest point above the ground. places: (2, 3) m of its middle at both seams, the height likewise. rests, may:
    (2,) whether it surely stands at a seam, and whether it may stand there.
    """

    likely: Array
    path: Array
    places: Array
    rests: Flags
    may: Flags


class Stance(NamedTuple):
    """A stance from the first sample up to the last one before `stop`. seams: at which the foot stands in its place."""

    first: int
    stop: int
    seams: tuple[int, ...]


def scheduled(
    feet: tuple[FootPath, FootPath], step: float, same: float, upright: Flags | None = None
) -> tuple[list[Stance], list[Stance]]:
    """Return the stances of both feet.

    step: s between samples. same: m that a foot may creep between the seams without a step. upright: (T,) whether the
    feet carry the body; everywhere where None.
    """
    likely = np.stack([foot.likely for foot in feet])
    air = _ALOFT * np.minimum(likely.max(axis=0) / _FLIES, 1.0) ** 2
    air = air if upright is None else air * upright
    costs = [_segment_costs(foot, step, same) for foot in feet]
    weight = step * _RATE
    best: tuple[float, list[list[_Segment]]] = (np.inf, [])
    for first in (0, 1):
        found: list[list[_Segment]] = [[], []]
        aloft: list[Flags] = [np.zeros(likely.shape[1], bool)] * 2
        before: list[list[_Segment]] | None = None
        for _ in range(_ROUNDS):
            for k in (first, 1 - first):
                cost, found[k] = _sequence(_dearer(costs[k], weight * air * aloft[1 - k]))
                aloft[k] = _swinging(found[k], likely.shape[1])
            if found == before:
                break
            before = list(found)
        # the cost of the foot found last counts the samples without a standing foot, the other one's does not
        total = cost + float(sum(costs[first][each.kind, each.first, each.stop] for each in found[first]))
        if total < best[0]:
            best = (total, found)
    left, right = ([_stance(each) for each in one if each.kind not in _SWINGS] for one in best[1])
    return left, right


class _Segment(NamedTuple):
    kind: int
    first: int
    stop: int


def _stance(segment: _Segment) -> Stance:
    seams = {START: (0,), STOP: (1,), THROUGHOUT: (0, 1)}
    return Stance(segment.first, segment.stop, seams.get(segment.kind, ()))


def _swinging(segments: list[_Segment], count: int) -> Flags:
    aloft = np.zeros(count, bool)
    for each in segments:
        if each.kind in _SWINGS:
            aloft[each.first : each.stop] = True
    return aloft


def _sequence(costs: Array) -> tuple[float, list[_Segment]]:
    """Return the least cost and its segments."""
    cost, found = cheapest_segments(costs)
    return cost, [_Segment(*each) for each in found.tolist()]


def _dearer(costs: Array, more: Array) -> Array:
    """Return the costs of segments where each sample (T,) of a swing costs more."""
    out = costs.copy()
    out[list(_SWINGS)] += _between(more)
    return out


def _segment_costs(foot: FootPath, step: float, same: float) -> Array:
    """Return the cost (6, T + 1, T + 1) of each kind of segment, by its first sample and the one after its last."""
    count = len(foot.likely)
    weight = step * _RATE
    likely = np.clip(foot.likely, _DOUBT, 1.0 - _DOUBT)
    first, stop = np.arange(count + 1)[:, None], np.arange(count + 1)[None]
    lasting = (stop - first) * step
    inside = (stop < count) & (first > 0)
    stands = -np.log(likely)
    off = [np.square(foot.path - place).sum(axis=1) / _AWAY**2 for place in foot.places]
    swing = _between(-weight * np.log1p(-likely))
    spread = _spread(foot.path) * weight / _AWAY**2
    costs = np.full((6, count + 1, count + 1), np.inf)
    costs[START] = np.where(first == 0, _between(weight * (stands + off[0])), np.inf)
    costs[STOP] = np.where(stop == count, _between(weight * (stands + off[1])) + _CHANGE, np.inf)
    costs[STANCE] = _between(weight * stands) + spread + _CHANGE
    costs[STANCE][(lasting < _LEAST_STANCE) & inside] = np.inf
    costs[FROM_START] = costs[SWING] = swing
    costs[SWING][(lasting < _LEAST_SWING) & inside] = np.inf
    way = float(np.hypot(*(foot.places[1] - foot.places[0])[[0, 2]]))
    costs[FROM_START][lasting < _LEAST_SWING] = np.inf
    costs[FROM_START][(stop == count) & (first > 0)] = swing[(stop == count) & (first > 0)]
    # a swing from the one seam's place to the other's needs time, as far as there is any
    need = min(max(way / _PACE, _LEAST_SWING), max((count - 4) * step, _LEAST_SWING))
    costs[FROM_START] = np.where((foot.may[1] & (stop < count)) & (lasting < need), np.inf, costs[FROM_START])
    if foot.may.all() and way <= same:
        costs[THROUGHOUT, 0, count] = costs[START, 0, count]
    for seam, kind in ((0, START), (1, STOP)):
        if not foot.may[seam]:
            costs[kind] = np.inf
        elif foot.rests[seam]:
            others = [other for other in range(len(costs)) if other not in (kind, THROUGHOUT)]
            costs[others, 0 if seam == 0 else slice(None), slice(None) if seam == 0 else count] = np.inf
    costs[:, stop[0] <= first] = np.inf
    return costs


def _between(values: Array) -> Array:
    """Return the sums (T + 1, T + 1) of values (T,) from each sample to each."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray(sums[None] - sums[:, None])


def _spread(path: Array) -> Array:
    """Return sums (T + 1, T + 1) of squared distances (x, z) from the mean of each part of a path, and heights."""
    number = np.maximum(np.arange(len(path) + 1)[None] - np.arange(len(path) + 1)[:, None], 1)
    level = sum(_between(np.square(path[:, k])) - np.square(_between(path[:, k])) / number for k in (0, 2))
    return np.asarray(level + _between(np.square(path[:, 1])))


def flags_of(stances: list[Stance], count: int) -> Flags:
    """Return (T,) whether a foot stands."""
    flags = np.zeros(count, bool)
    for each in stances:
        flags[each.first : each.stop] = True
    return flags
