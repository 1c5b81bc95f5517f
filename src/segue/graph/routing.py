"""Ways through a graph: the best path between two clips, random walks, and the motion that a way gives."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from segue.body.figure import Poses
from segue.errors import ArgumentError
from segue.filling.features import RATE
from segue.graph.file import GraphContents
from segue.graph.selection import DWELL, next_nodes
from segue.graph.trial import placed_rows
from segue.motion.functions import IDENTITY, Placement
from segue.motion.motion import Motion
from segue.typing import Array


@dataclass(frozen=True)
class Step:
    """Frames `start` to `stop`, both included, of a clip by its number, and the edge after them; None at the end."""

    clip: int
    start: int
    stop: int
    edge: int | None = None


@dataclass(frozen=True)
class Seam:
    """A transition in a route: from start to stop in s, the number of its edge, and the names of both clips."""

    start: float
    stop: float
    edge: int
    first: str
    second: str


@dataclass(frozen=True, eq=False)
class Route:
    """A way through a graph: its motion, its steps, the placement of each, and where the transitions are."""

    motion: Motion
    steps: tuple[Step, ...]
    placements: tuple[Placement, ...]
    seams: tuple[Seam, ...]

    @property
    def clips(self) -> tuple[str, ...]:
        """The names of the clips in order, from the seams; empty for a route within one clip."""
        return (self.seams[0].first, *(seam.second for seam in self.seams)) if self.seams else ()


def assemble(graph: GraphContents, steps: Sequence[Step], at: Placement = IDENTITY) -> Route:
    """Return steps as a motion; at: where on the floor the first clip is."""
    rows: list[Array] = []
    seams, placements, count = [], [], 0
    for step in steps:
        placements.append(at)
        rows.append(placed_rows(graph.clip_rows[step.clip][step.start : step.stop + 1], at))
        count += step.stop + 1 - step.start
        if step.edge is not None:
            edge = graph.edges[step.edge]
            trial = edge.trial
            if trial.rows is not None and len(trial.rows):
                rows.append(placed_rows(trial.rows, at))
            start, count = count - 1, count + trial.frames - 1
            names = graph.clips[edge.first].name, graph.clips[edge.second].name
            seams.append(Seam(start / RATE, count / RATE, step.edge, *names))
            at = at.after(trial.placement)
    poses = Poses.from_rows(np.concatenate(rows))
    return Route(Motion.from_poses(graph.figure, poses, RATE), tuple(steps), tuple(placements), tuple(seams))


_TAKEN = 0.5  # what a transition costs in a path besides its own cost in legs
_SECOND = 0.05  # what a second costs in a path, in legs
_LINGER = round(6.0 * RATE)  # frames within which a walk leaves a clip, if it can
_SHARP = 0.25  # legs of cost by which a transition is taken e times less often
_ONWARDS = round(1.2 * RATE)  # frames after a transition with which a walk looks at it
_BACK = 4  # transitions that a walk takes back where none goes on well
_TRIES = 8  # transitions that a walk looks at before it takes the first
_BEGIN = round(2.0 * RATE)  # frames before its first transition that a walk begins with


class Network:
    """The edges of a graph as a network: which edges can follow which.

    nexts: see `next_nodes`. spans: the edges out of each section of each clip. endless: for each edge, whether a walk
    that takes it need never end.
    """

    def __init__(self, graph: GraphContents) -> None:
        self.graph = graph
        self.nexts = next_nodes(graph.edges)
        self.spans: dict[tuple[int, int], list[int]] = {}
        for k, edge in enumerate(graph.edges):
            self.spans.setdefault((edge.first, edge.leaving), []).append(k)
        self._leaves = {place: [graph.edges[k].trial.leave for k in numbers] for place, numbers in self.spans.items()}
        self.endless = self._endless()

    def after(self, clip: int, section: int, frame: int) -> list[int]:
        """Return the edges out of a section of a clip at a frame or after it, in order of time."""
        place = clip, section
        if place not in self.spans:
            return []
        return self.spans[place][bisect_left(self._leaves[place], frame) :]

    def _endless(self) -> list[bool]:
        """Return for each edge whether a walk over it need never end: prune dead ends until none is left."""
        alive = [True] * len(self.nexts)
        changed = True
        while changed:
            changed = False
            for k in range(len(alive) - 1, -1, -1):
                taken, _ = self.nexts[k]
                good = taken is not None and (alive[taken] or self._goes_on(taken, alive))
                if alive[k] and not good:
                    alive[k], changed = False, True
        return alive

    def _goes_on(self, k: int, alive: Sequence[bool]) -> bool:
        following = self.nexts[k][1]
        while following is not None and not alive[following]:
            following = self.nexts[following][1]
        return following is not None


def best_path(network: Network, start: tuple[int, int], goal: tuple[int, int | None]) -> list[Step]:
    """Return the steps from a frame of a clip to a clip, or to a frame of it.

    Without a frame the path ends where the section of the goal ends. Transitions cost what they have as edges and half
    a leg, and every second costs a twentieth of a leg. The path of least cost is Dijkstra's.
    """
    import rustworkx

    graph, edges = network.graph, network.graph.edges
    clip, frame = start
    section = _section(graph, clip, frame)
    if goal[0] == clip and goal[1] is not None and goal[1] >= frame and _section(graph, clip, goal[1]) == section:
        return [Step(clip, frame, goal[1])]
    first = network.after(clip, section, frame + 1)
    if not first:
        raise ArgumentError(f"no transition leaves '{graph.clips[clip].name}' after {frame / RATE:.2f} s")
    net = rustworkx.PyDiGraph()
    net.add_nodes_from(range(len(edges) + 1))
    aim = len(edges)
    for k, edge in enumerate(edges):
        taken, on = network.nexts[k]
        price = edge.score + _TAKEN + _SECOND * edge.trial.frames / RATE
        if taken is not None:
            net.add_edge(k, taken, price + _SECOND * (edges[taken].trial.leave - edge.trial.enter) / RATE)
        if on is not None:
            net.add_edge(k, on, _SECOND * (edges[on].trial.leave - edge.trial.leave) / RATE)
        if edge.second == goal[0] and (goal[1] is None or _leads(graph, edge.entering, edge.trial.enter, goal)):
            rest = 0 if goal[1] is None else goal[1] - edge.trial.enter
            net.add_edge(k, aim, price + _SECOND * rest / RATE)
    found = rustworkx.dijkstra_shortest_paths(net, first[0], target=aim, weight_fn=float)
    if aim not in found:
        raise ArgumentError(
            f"no path leads from '{graph.clips[clip].name}' to '{graph.clips[goal[0]].name}': build with --keep, or "
            "with a larger budget"
        )
    nodes = list(found[aim])
    # an edge may lead to the next one both ways: then the clip goes on
    taken_edges = [a for a, b in pairwise(nodes) if b != network.nexts[a][1]]
    steps, at = [], (clip, frame)
    for k in taken_edges:
        steps.append(Step(at[0], at[1], edges[k].trial.leave, k))
        at = edges[k].second, edges[k].trial.enter
    last = edges[taken_edges[-1]]
    end = graph.clips[goal[0]].sections[last.entering][1] - 1 if goal[1] is None else goal[1]
    return [*steps, Step(at[0], at[1], end)]


Accepts = Callable[[Sequence[Step], Placement], bool]
"""Whether the last seams of steps are good, given where on the floor the first clip is."""


def random_walk(network: Network, frames: int, seed: int, accepts: Accepts) -> list[Step]:
    """Return the steps of a walk of at least so many frames; a seed gives the same walk every time.

    At each entry the walk chooses among the transitions of the next six seconds. Cheap ones and clips that were shown
    less often are more likely. accepts: whether the seam before the last step is good, given the steps around it and
    their place, since contacts are found in boxes along the axes. If not, the walk chooses again, at last among later
    transitions. If none is accepted, it takes back up to four, unless there is no other choice.
    """
    graph, edges = network.graph, network.graph.edges
    good = [k for k in range(len(edges)) if network.endless[k]]
    if not good:
        raise ArgumentError("no part of the graph can be walked without end: build it with a larger budget")
    rng = np.random.default_rng(seed)
    shown = np.zeros(len(graph.clips))
    k = good[int(rng.integers(len(good)))]
    low = graph.clips[edges[k].first].sections[edges[k].leaving][0]
    at, count = max(edges[k].trial.leave - _BEGIN, low), 0
    steps, places, left = list[Step](), [IDENTITY], [iter(list[int]())]  # left: for each step the edges not yet tried

    def accepted(tries: Iterator[int]) -> int | None:
        before = steps[-2:]
        there = places[-1 - len(before)]
        return next((n for n in tries if accepts([*before, *_onwards(graph, n, at)], there)), None)

    while True:
        edge = edges[k]
        steps.append(Step(edge.first, at, edge.trial.leave, k))
        places.append(places[-1].after(edge.trial.placement))
        shown[edge.first] += (edge.trial.leave - at) / RATE
        count += edge.trial.leave - at + edge.trial.frames
        at = edge.trial.enter
        options = [n for n in network.after(edge.second, edge.entering, at + DWELL) if network.endless[n]]
        soon = [n for n in options if edges[n].trial.leave <= at + _LINGER] or options[:1]
        if count >= frames:
            stop = min(at + _BEGIN, graph.clips[edge.second].sections[edge.entering][1] - 1)
            return [*steps, Step(edge.second, at, stop)]
        weights = np.array([np.exp(-edges[n].score / _SHARP) / (1.0 + shown[edges[n].second]) for n in soon])
        order = rng.choice(len(soon), len(soon), replace=False, p=weights / weights.sum()).tolist()
        later = options[len(soon) : len(soon) + _TRIES]
        tries = iter([*(soon[n] for n in order[:_TRIES]), *later])
        found = accepted(tries)
        back: list[tuple[Step, Placement, Iterator[int]]] = []
        while found is None and steps and len(back) < _BACK:
            # nothing goes on well from here: take another transition in place of one of the last
            back.append((steps.pop(), places.pop(), left.pop()))
            at = back[-1][0].start
            found = accepted(back[-1][2])
        if found is not None and back:
            for step, _, _ in back:
                length = step.stop - step.start
                shown[step.clip] -= length / RATE
                count -= length + (0 if step.edge is None else edges[step.edge].trial.frames)
            tries = back[-1][2]
        elif found is None:
            for step, place, others in reversed(back):
                steps.append(step)
                places.append(place)
                left.append(others)
            found, at = soon[order[0]], edge.trial.enter
        k = found
        left.append(tries)


def _onwards(graph: GraphContents, k: int, at: int) -> list[Step]:
    """Return the step to an edge from a frame of its first clip, and as much after the edge as a check sees."""
    edge = graph.edges[k]
    stop = min(edge.trial.enter + _ONWARDS, graph.clips[edge.second].sections[edge.entering][1] - 1)
    return [Step(edge.first, at, edge.trial.leave, k), Step(edge.second, edge.trial.enter, stop)]


def _leads(graph: GraphContents, section: int, enter: int, goal: tuple[int, int | None]) -> bool:
    """Return whether a clip that is entered at a frame plays on to the frame of the goal."""
    return goal[1] is not None and enter + DWELL <= goal[1] and _section(graph, goal[0], goal[1]) == section


def _section(graph: GraphContents, clip: int, frame: int) -> int:
    entry = graph.clips[clip]
    for number, (start, stop) in enumerate(entry.sections):
        if start <= frame < stop:
            return number
    raise ArgumentError(
        f"'{entry.name}' has no sound frame at {frame / RATE:.2f} s: it lasts {entry.frames / RATE:.2f} s, and bad "
        "capture is left out"
    )
