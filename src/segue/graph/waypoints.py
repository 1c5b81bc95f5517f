"""Walks that pass given places on the floor, found by a beam search over the edges of a graph."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segue.checks import number
from segue.errors import ArgumentError
from segue.filling.features import RATE
from segue.graph.routing import Network, Step
from segue.graph.selection import DWELL
from segue.motion.functions import Placement

Place = tuple[float, float]
"""x and z on the floor, m."""

_WIDTH = 400  # partial walks that are kept
_SAME = 4  # partial walks through one edge that are kept
_RADIUS = 0.5  # m: a walk that comes so near passes a place
_PACE = 1.0  # m/s at which the rest of the way is estimated
_COST = 1.0  # s that a leg of cost counts
_LONGEST = 90.0  # s for each place
_LOOK = 3  # frames between two looks at where the root is


@dataclass(frozen=True)
class _Partial:
    """A walk so far: about to leave by an edge, or to go on; reached: places passed; begin: frame of the last entry."""

    edge: int
    begin: int
    at: Placement
    looked: int
    reached: int
    frames: int
    cost: float
    before: _Partial | None


def read_places(text: str) -> list[Place]:
    """Return places from text such as "2,3 0,5": x and z in m."""
    places = []
    for part in text.split():
        x, comma, z = part.partition(",")
        if not comma:
            raise ArgumentError(f"the place '{part}' is not a pair of metres: write x,z pairs as in \"2,3 0,5\"")
        try:
            numbers = float(x), float(z)
        except ValueError:
            raise ArgumentError(f"the place '{part}' is not a pair of metres: write x,z as in \"2,3 0,5\"") from None
        places.append((number("x", numbers[0], least=-1e4, most=1e4), number("z", numbers[1], least=-1e4, most=1e4)))
    if not places:
        raise ArgumentError('no places are given: write x,z pairs as in "2,3 0,5"')
    return places


def walk_through(network: Network, places: Sequence[Place], seed: int) -> tuple[list[Step], Placement, float]:
    """Return steps that pass places in order, where the first clip lies, and how near in m the last place was passed.

    The walk begins at the origin, and faces the first place. Partial walks are ranked by their time, by the way that is
    left at 1 m/s, and by the cost of their transitions. The seed chooses where in the graph the walk begins.
    """
    graph, edges = network.graph, network.graph.edges
    good = [k for k in range(len(edges)) if network.endless[k]]
    if not good:
        raise ArgumentError("no part of the graph can be walked without end: build it with a larger budget")
    rng = np.random.default_rng(seed)
    beam = []
    for k in rng.choice(good, min(_WIDTH // 4, len(good)), replace=False).tolist():
        begin = max(edges[k].trial.leave - round(RATE), graph.clips[edges[k].first].sections[edges[k].leaving][0])
        beam.append(_Partial(k, begin, _facing(network, edges[k].first, begin, places[0]), begin, 0, 0, 0.0, None))
    best: tuple[float, _Partial] | None = None
    for _ in range(round(_LONGEST * len(places))):
        ranked: list[tuple[float, int, _Partial]] = []
        for each in beam:
            looked, near = _looked(network, each, places)
            if best is None or (looked.reached, -near) > (best[1].reached, -best[0]):
                best = near, looked
            if looked.reached == len(places):
                return _steps(network, looked), _start(looked), near
            ranked += [
                (_rank(network, new, places), n, new) for n, new in enumerate(_expanded(network, looked), len(ranked))
            ]
        ranked.sort(key=lambda entry: entry[:2])
        beam, counts = [], dict[tuple[int, int], int]()
        for _, _, new in ranked:
            same = new.edge, new.reached
            counts[same] = counts.get(same, 0) + 1
            if counts[same] <= _SAME and new.frames <= _LONGEST * RATE * len(places):
                beam.append(new)
            if len(beam) == _WIDTH:
                break
        if not beam:
            break
    if best is None:
        raise ArgumentError("the graph has no way to walk through these places")
    return _steps(network, best[1]), _start(best[1]), best[0]


def _looked(network: Network, each: _Partial, places: Sequence[Place]) -> tuple[_Partial, float]:
    """Return a partial walk that has been looked at up to its leave, and how near it came to its next place, in m."""
    edge = network.graph.edges[each.edge]
    rows = network.graph.clip_rows[edge.first][each.looked : edge.trial.leave + 1 : _LOOK, :3]
    walked = each.at.moved(np.array(rows, float))[:, [0, 2]]
    reached, nearest = each.reached, math.inf
    start = 0
    while reached < len(places) and start < len(walked):
        away = np.linalg.norm(walked[start:] - np.array(places[reached]), axis=1)
        nearest = float(away.min())
        inside = np.flatnonzero(away <= _RADIUS)
        if not len(inside):
            break
        start, reached = start + int(inside[0]), reached + 1
    frames = each.frames + edge.trial.leave - each.looked
    new = _Partial(each.edge, each.begin, each.at, edge.trial.leave, reached, frames, each.cost, each.before)
    return new, nearest


def _expanded(network: Network, each: _Partial) -> list[_Partial]:
    """Return the walks that take the edge, or stay in the clip."""
    edges, new = network.graph.edges, []
    edge = edges[each.edge]
    if network.endless[each.edge]:
        at, enter = each.at.after(edge.trial.placement), edge.trial.enter
        for k in network.after(edge.second, edge.entering, enter + DWELL)[:1]:
            frames, cost = each.frames + edge.trial.frames, each.cost + edge.score
            new.append(_Partial(k, enter, at, enter, each.reached, frames, cost, each))
    following = network.nexts[each.edge][1]
    if following is not None:
        new.append(
            _Partial(following, each.begin, each.at, each.looked, each.reached, each.frames, each.cost, each.before)
        )
    return new


def _rank(network: Network, each: _Partial, places: Sequence[Place]) -> float:
    """Return the time in s that a walk has taken, and is expected to take, with the cost of its transitions."""
    edge = network.graph.edges[each.edge]
    leaving = each.at.moved(np.array(network.graph.clip_rows[edge.first][edge.trial.leave, :3], float))
    way, here = 0.0, (float(leaving[0]), float(leaving[2]))
    for place in places[each.reached :]:
        way += math.dist(here, place)
        here = place
    return (each.frames + edge.trial.leave - each.looked) / RATE + way / _PACE + _COST * each.cost


def _steps(network: Network, last: _Partial) -> list[Step]:
    """Return the steps of a walk, which ends where it was about to leave."""
    edges = network.graph.edges
    steps = [Step(edges[last.edge].first, last.begin, edges[last.edge].trial.leave)]
    each = last.before
    while each is not None:
        steps.append(Step(edges[each.edge].first, each.begin, edges[each.edge].trial.leave, each.edge))
        each = each.before
    return steps[::-1]


def _start(last: _Partial) -> Placement:
    each = last
    while each.before is not None:
        each = each.before
    return each.at


def _facing(network: Network, clip: int, frame: int, place: Place) -> Placement:
    """Return the move that puts a frame of a clip at the origin, so that it goes towards a place."""
    rows = network.graph.clip_rows[clip]
    later = min(frame + round(RATE), len(rows) - 1)
    here, there = (np.array(rows[k, :3], float) for k in (frame, later))
    heading = math.atan2(there[0] - here[0], there[2] - here[2])
    turned = Placement(math.atan2(place[0], place[1]) - heading)
    moved = turned.moved(here)
    return turned._replace(x=-float(moved[0]), z=-float(moved[2]))
