"""Put spans of clips and transitions of a graph one after another, as one motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segue.body.figure import Poses
from segue.filling.features import RATE
from segue.graph.file import GraphContents
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
    poses = Poses.of_rows(np.concatenate(rows))
    return Route(Motion.from_poses(graph.figure, poses, RATE), tuple(steps), tuple(placements), tuple(seams))
