"""Keep the best transitions under budgets, and remove dead ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from segue.errors import ArgumentError
from segue.graph.trial import Trial

DWELL = 10
"""Frames of a clip that are shown at least between two transitions."""

_SUSPICIOUS = 0.1  # legs that each suspicious finding of the check costs
_FRAME_BYTES = 204
_NEAR = 8  # frames: a transition whose cut points are both nearer to those of a better one is left out


@dataclass(frozen=True)
class Budget:
    """How many transitions to keep: from a clip to another, from a clip to all, and megabytes of all. None: any."""

    per_pair: int | None = 6
    per_clip: int | None = None
    megabytes: float | None = None


@dataclass(frozen=True, eq=False)
class Edge:
    """A transition between clips, numbers in the library, and their sections; `score` ranks it, lower is better."""

    first: int
    second: int
    leaving: int
    entering: int
    trial: Trial

    @property
    def score(self) -> float:
        """The cost of the cut points, and what the check found suspicious, in legs."""
        return self.trial.cost + _SUSPICIOUS * len(self.trial.findings)

    @property
    def order(self) -> tuple[float, int, int, int, int]:
        """A total order, best first."""
        return self.score, self.first, self.second, self.trial.leave, self.trial.enter


def within_budget(edges: Sequence[Edge], budget: Budget) -> list[Edge]:
    """Return the best transitions under a budget; the best way out of a clip and into it come first."""
    ordered = sorted(edges, key=lambda edge: edge.order)
    best: dict[int, Edge] = {}
    for number, side in ((edge, (edge.first, ~edge.second)) for edge in ordered if edge.first != edge.second):
        for clip in side:
            best.setdefault(clip, number)
    chosen = {id(edge) for edge in best.values()}
    kept: list[Edge] = []
    pairs: dict[tuple[int, int], list[Edge]] = {}
    leaving: dict[int, int] = {}
    size = 0
    for edge in sorted(ordered, key=lambda edge: id(edge) not in chosen):
        pair = pairs.setdefault((edge.first, edge.second), [])
        if any(_alike(edge.trial, other.trial) for other in pair):
            continue
        bytes_ = (edge.trial.frames - 1) * _FRAME_BYTES
        if (
            (budget.per_pair is not None and len(pair) >= budget.per_pair)
            or (budget.per_clip is not None and leaving.get(edge.first, 0) >= budget.per_clip)
            or (budget.megabytes is not None and size + bytes_ > 1e6 * budget.megabytes)
        ):
            continue
        pair.append(edge)
        leaving[edge.first] = leaving.get(edge.first, 0) + 1
        size += bytes_
        kept.append(edge)
    return sorted(kept, key=lambda edge: (edge.first, edge.trial.leave, edge.second, edge.trial.enter))


def _alike(one: Trial, other: Trial) -> bool:
    return abs(one.leave - other.leave) < _NEAR and abs(one.enter - other.enter) < _NEAR


def next_nodes(edges: Sequence[Edge]) -> list[tuple[int | None, int | None]]:
    """Return for each edge the edge that comes next if it is taken, and if the clip goes on; None at a dead end.

    edges: sorted by clip and leave. A node of this network is "about to leave by this edge". After an edge, at least
    `DWELL` frames of its second clip are shown.
    """
    spans: dict[tuple[int, int], list[int]] = {}
    for k, edge in enumerate(edges):
        spans.setdefault((edge.first, edge.leaving), []).append(k)
    following = {a: b for span in spans.values() for a, b in pairwise(span)}
    found: list[tuple[int | None, int | None]] = []
    for k, edge in enumerate(edges):
        there = spans.get((edge.second, edge.entering), [])
        after = next((n for n in there if edges[n].trial.leave >= edge.trial.enter + DWELL), None)
        found.append((after, following.get(k)))
    return found


def connected(edges: Sequence[Edge], keep: Collection[int] = ()) -> tuple[list[Edge], set[int]]:
    """Return the edges of the largest strongly connected part, and the clips in it.

    From each of these edges there is a way to every other. keep: clips whose edges into the part, out of it and among
    each other stay, even if the clips are dead ends; their edges come with it.
    """
    import rustworkx  # only builds need it

    network = rustworkx.PyDiGraph()
    network.add_nodes_from(range(len(edges)))
    nexts = next_nodes(edges)
    network.add_edges_from_no_data([(k, n) for k, pair in enumerate(nexts) for n in pair if n is not None])
    parts: list[list[int]] = [list(part) for part in rustworkx.strongly_connected_components(network)]
    # a single node without a way back to itself is no part
    parts = [part for part in parts if len(part) > 1 or part[0] in nexts[part[0]]]
    if not parts:
        raise ArgumentError(
            "no part of the graph can be walked without end: add clips that are more alike, or raise --farthest"
        )
    size, smallest = max((len(part), -min(part)) for part in parts)
    largest = next(set(part) for part in parts if (len(part), -min(part)) == (size, smallest))
    # a walk may pass an edge that leads out of the part, but must not take it
    inside = {k for k in largest if nexts[k][0] in largest}
    clips = {clip for k in inside for clip in (edges[k].first, edges[k].second)}
    kept = [
        edge
        for k, edge in enumerate(edges)
        if k in inside or ({edge.first, edge.second} & set(keep) and {edge.first, edge.second} <= clips | set(keep))
    ]
    return kept, clips
