"""A motion graph: clips of one figure and the transitions between them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from segue.body.figure import Figure, Poses
from segue.checks import did_you_mean, integer, number, positive
from segue.errors import ArgumentError, SegueWarning
from segue.filling.features import RATE
from segue.graph.build import BuildOptions, BuildReport, Progress, build_graph
from segue.graph.file import ClipEntry, GraphContents, read_graph
from segue.graph.routing import Network, Route, Step, assemble, best_path, random_walk
from segue.graph.selection import Edge
from segue.graph.trial import judge_seam
from segue.graph.waypoints import Place, read_places, walk_through
from segue.graph.workers import Cluster, InProcess
from segue.motion.functions import Placement
from segue.motion.motion import Motion
from segue.motion.operators import trim

_AROUND = round(RATE)  # frames of both clips beside a transition that is shown by itself
_NEAR = 0.5  # m
_SEEN = 1.2  # s beside a seam of a walk that are checked with it
_PLANTED = 0.01  # m that planted feet may slide at a seam
_LONGEST = 24 * 60.0  # minutes


class Graph:
    """A motion graph in a file; `Graph(path)` opens one. Its poses are read from the disk when they are used."""

    def __init__(self, path: str | Path) -> None:
        self.file = Path(path)
        self.contents: GraphContents = read_graph(path)

    @classmethod
    def build(
        cls,
        library: str | Path,
        path: str | Path,
        *,
        workers: int = 0,
        scheduler: str | None = None,
        options: BuildOptions | None = None,
        progress: Progress | None = None,
    ) -> Graph:
        """Build a graph of the clips of a library's file, or bring one up to date, and open it.

        workers: processes of this machine; 0 builds in this process, without Dask. scheduler: the address of a Dask
        scheduler, whose workers are used instead.
        """
        cls.report_of_build(library, path, workers=workers, scheduler=scheduler, options=options, progress=progress)
        return cls(path)

    @staticmethod
    def report_of_build(
        library: str | Path,
        path: str | Path,
        *,
        workers: int = 0,
        scheduler: str | None = None,
        options: BuildOptions | None = None,
        progress: Progress | None = None,
    ) -> BuildReport:
        """Build a graph as `build` does, and return what was done."""
        if scheduler is None and integer("the number of workers", workers, least=0) == 0:
            return build_graph(library, path, InProcess(), options, progress)
        with Cluster(workers, scheduler) as cluster:
            return build_graph(library, path, cluster, options, progress)

    def __len__(self) -> int:
        return len(self.contents.edges)

    def __repr__(self) -> str:
        return f"Graph({self.describe()})"

    @property
    def figure(self) -> Figure:
        """The figure of all clips."""
        return self.contents.figure

    @property
    def clips(self) -> tuple[ClipEntry, ...]:
        """The clips, in the order of their names."""
        return self.contents.clips

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clips."""
        return tuple(clip.name for clip in self.clips)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The transitions, sorted by the first clip and the time at which they leave it."""
        return self.contents.edges

    @cached_property
    def network(self) -> Network:
        """Which edges can follow which."""
        return Network(self.contents)

    @property
    def minutes(self) -> float:
        """The minutes of all clips."""
        return sum(clip.frames for clip in self.clips) / RATE / 60.0

    def describe(self) -> str:
        """Return the contents in a few words."""
        count = "1 clip" if len(self.clips) == 1 else f"{len(self.clips)} clips"
        return f"{count}, {self.minutes:.1f} minutes, {len(self)} transitions"

    def clip(self, name: str) -> Motion:
        """Return a clip as a motion of the graph's figure."""
        return Motion.from_poses(
            self.figure, Poses.from_rows(self.contents.clip_rows[self.number_of(name)].astype(float)), RATE
        )

    def number_of(self, name: str) -> int:
        """Return the number of a clip by its name, or by the beginning of its file's name if only one has it."""
        if name in self.names:
            return self.names.index(name)
        fitting = [k for k, known in enumerate(self.names) if Path(known).name.startswith(name) and name]
        if len(fitting) == 1:
            return fitting[0]
        several = f"{len(fitting)} clips begin so, as {self.names[fitting[0]]}" if fitting else ""
        known = several or did_you_mean(name, self.names) or f"there are {', '.join(self.names[:5])}"
        raise ArgumentError(f"the graph has no clip '{name}': {known}")

    def transition(self, number: int) -> Route:
        """Return a transition by its number, with up to a second of both clips."""
        k = integer("the number of a transition", number, least=0, most=len(self) - 1)
        edge = self.edges[k]
        start = max(edge.trial.leave - _AROUND, self.clips[edge.first].sections[edge.leaving][0])
        stop = min(edge.trial.enter + _AROUND, self.clips[edge.second].sections[edge.entering][1] - 1)
        steps = [Step(edge.first, start, edge.trial.leave, k), Step(edge.second, edge.trial.enter, stop)]
        return assemble(self.contents, steps)

    def path(self, start: str, goal: str) -> Route:
        """Return the best way from one clip or pose to another; a pose is a clip and a time in s, as "walk@1.5"."""
        begin, end = self._pose(start), self._pose(goal)
        frame = self.clips[begin[0]].sections[0][0] if begin[1] is None else begin[1]
        return assemble(self.contents, best_path(self.network, (begin[0], frame), end))

    def walk(self, minutes: float = 1.0, *, seed: int = 0, through: str | list[Place] | None = None) -> Route:
        """Return a random walk through the graph that lasts at least so long, or one that passes places on the floor.

        seed: another number gives another walk. through: places x,z in m, as "2,3 0,5"; the walk begins at the origin
        and ends at the last place, whatever `minutes` is. Segue warns if a place is missed by more than 0.5 m.
        """
        integer("seed", seed, least=0)
        if through is None:
            frames = round(60.0 * RATE * number("minutes", positive("minutes", minutes), most=_LONGEST))
            return assemble(self.contents, random_walk(self.network, frames, seed, self._accepts))
        places = read_places(through) if isinstance(through, str) else list(through)
        steps, at, away = walk_through(self.network, places, seed)
        if away > _NEAR:
            warnings.warn(
                f"the walk misses a place by {away:.1f} m: no other way was found", SegueWarning, stacklevel=2
            )
        return assemble(self.contents, steps, at)

    def _accepts(self, steps: Sequence[Step], at: Placement) -> bool:
        """Return whether the check finds no fault at the seams of a few steps, and planted feet stay in place."""
        route = assemble(self.contents, steps, at)
        for seam in route.seams[-2:]:
            low, high = max(seam.start - _SEEN, 0.0), min(seam.stop + _SEEN, route.motion.stop)
            report, slide = judge_seam(trim(route.motion, low, high, keep_time=True), seam.start, seam.stop)
            if report.faults or slide > _PLANTED:
                return False
        return True

    def _pose(self, text: str) -> tuple[int, int | None]:
        """Return a clip's number and a frame of it, None if no time is given."""
        name, mark, time = text.rpartition("@")
        if not mark or text in self.names:
            return self.number_of(text), None
        try:
            seconds = float(time)
        except ValueError:
            raise ArgumentError(f"'{text}' is not a clip with a time: write the time in seconds, as walk@1.5") from None
        clip = self.number_of(name)
        last = (self.clips[clip].frames - 1) / RATE
        return clip, round(RATE * number(f"the time in '{name}'", seconds, least=0.0, most=last, unit="seconds"))
