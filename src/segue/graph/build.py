"""Build a motion graph from a library: carry all clips onto one figure, search, try transitions, keep the best.

Each step consists of tasks that depend on their input alone. Their results are kept by the hash of that input, so a
build goes on where it was interrupted, and costs what is new when clips were added. The order in which results come,
and the number of workers, do not change a byte of the graph.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from segue.body.figure import Figure, Poses
from segue.checks import integer, number, positive
from segue.errors import ArgumentError
from segue.filesystem import writable_target
from segue.filling.options import Options
from segue.graph.container import pack, unpack
from segue.graph.file import ClipEntry, figure_values, write_graph
from segue.graph.person import carried
from segue.graph.search import Described, Pairs, Wanted, describe_frames, nearest_of, search_block, shortlist
from segue.graph.selection import Budget, Edge, connected, within_budget
from segue.graph.trial import AFTER, BEFORE, KEPT, Candidate, Trial, Window, try_cut
from segue.graph.workers import Task, Work, Workers, key_of
from segue.library.library import matching
from segue.library.library_clip import unpack_poses
from segue.library.record import ClipRecord
from segue.library.store import Store

_VERSION = 4  # of what tasks compute: a change makes all earlier results unknown
_EDGE = KEPT  # frames at the ends of a section at which no transition is looked for
_BLOCK_ROWS = 30_000  # described frames in a block of clips, about
_CHUNK = 24  # transitions in a task
_CACHED = 24  # clips in memory

Progress = Callable[[str, int, int], None]
"""Called with the step of a build, the tasks done, and all tasks of the step."""


@dataclass(frozen=True)
class BuildOptions:
    """How a graph is built.

    person: the clip of the library whose person all clips are carried onto; the person with most minutes where None.
    keep: names or patterns of clips that stay even if they are dead ends. budget: see `Budget`. slide: m that planted
    feet may slide. farthest: distance of cut points in legs up to which a transition is tried. tries: pairs that are
    tried for each second of a clip.
    """

    person: str | None = None
    keep: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    slide: float = 0.008
    farthest: float = 0.6
    tries: int = 1

    def __post_init__(self) -> None:
        positive("slide", self.slide, "metres")
        positive("farthest", self.farthest, "legs")
        integer("tries", self.tries, least=1, most=8)
        for name in ("per_pair", "per_clip"):
            if (value := getattr(self.budget, name)) is not None:
                integer(name, value, least=1)
        if self.budget.megabytes is not None:
            number("megabytes", self.budget.megabytes, above=0.0)


@dataclass
class BuildReport:
    """Counts of a build: clips and those left out, frames described, pairs looked at, transitions tried, passed, kept.

    fresh: transitions that were tried now and not remembered. reasons: why transitions were not made, and how often.
    """

    clips: int = 0
    left_out: list[str] = field(default_factory=list)
    frames: int = 0
    pairs: int = 0
    tried: int = 0
    fresh: int = 0
    passed: int = 0
    kept: int = 0
    reasons: dict[str, int] = field(default_factory=dict)


def build_graph(
    library: str | Path,
    path: str | Path,
    workers: Workers,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
    report: BuildReport | None = None,
) -> BuildReport:
    """Build a graph of the clips in a library's file; `path.work` beside it keeps what was done.

    report: where to count, so that the counts are there after an interruption, too.
    """
    writable_target(path)
    counts = report or BuildReport()
    with Work(Path(f"{path}.work")) as work:
        _Build(Store(Path(library)), Path(path), work, workers, options or BuildOptions(), progress, counts).run()
    return counts


class _Build:
    def __init__(
        self,
        store: Store,
        path: Path,
        work: Work,
        workers: Workers,
        options: BuildOptions,
        progress: Progress | None,
        report: BuildReport,
    ) -> None:
        self._store, self._path, self._work, self._workers = store, path, work, workers
        self._options, self._progress = options, progress
        self._records = store.catalogue().sorted_clips
        if not self._records:
            raise ArgumentError("the library has no clips: 'segue library build FOLDER -o LIB' adds some")
        names = [record.name for record in self._records]
        kept = matching(names, options.keep) if options.keep else set()
        self._keep = {k for k, name in enumerate(names) if name in kept}
        self._host = _host_of(self._records, options.person)
        self._figure = self._host.figure
        person = figure_values(self._figure)
        self._keys = [
            key_of("clip", _VERSION, _EDGE, record.poses, record.sections, figure_values(record.figure), person)
            for record in self._records
        ]
        self._clip = lru_cache(_CACHED)(self._read_clip)
        self.report = report
        report.clips = len(self._records)

    def run(self) -> None:
        """Do all steps."""
        self._do("clips", self._keys, self._prepare)
        self.report.frames = sum(len(self._described(k).frames) for k in range(len(self._keys)))
        wanted = self._search()
        edges = self._try(wanted)
        chosen = within_budget(edges, self._options.budget)
        kept, clips = connected(chosen, self._keep)
        clips |= self._keep
        self.report.kept = len(kept)
        self.report.left_out = [record.name for k, record in enumerate(self._records) if k not in clips]
        self._write(kept, sorted(clips))

    def _do(self, step: str, keys: Sequence[str], task: Callable[[str], Task | None]) -> None:
        """Run the tasks whose results are missing, and keep their results as they come."""
        missing = self._work.missing(keys)
        total = len(set(keys))
        done = total - len(missing)
        self._say(step, done, total)
        for key, block in self._workers.run(made for key in missing if (made := task(key)) is not None):
            self._work.put([(key, block)])
            done += 1
            self._say(step, done, total)

    def _say(self, step: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(step, done, total)

    def _prepare(self, key: str) -> Task | None:
        record = self._records[self._keys.index(key)]
        block = self._store.block(record)
        return Task(key, prepare_clip, (block, record.sections, record.figure, self._figure))

    def _read_clip(self, number: int) -> dict[str, Any]:
        return dict(unpack(self._work.get(self._keys[number]))[1])

    def _described(self, number: int) -> Described:
        clip = self._clip(number)
        return Described(number, clip["frames"].astype(np.int64), clip["described"])

    def _search(self) -> list[Wanted]:
        """Return the transitions to try, from the nearest frames of every frame."""
        blocks = _blocks(self._keys, self.report.frames)
        names = {
            (a, b): key_of("search", _VERSION, [self._keys[k] for k in blocks[a]], [self._keys[k] for k in blocks[b]])
            for a in range(len(blocks))
            for b in range(len(blocks))
        }
        places = {name: place for place, name in names.items()}

        def task(key: str) -> Task:
            clips = [[self._described(k) for k in blocks[side]] for side in places[key]]
            local = {k: n for n, k in enumerate(sorted({k for side in places[key] for k in blocks[side]}))}
            return Task(key, search_clips, tuple([each._replace(clip=local[each.clip]) for each in c] for c in clips))

        self._do("search", list(names.values()), task)
        wanted: set[Wanted] = set()
        for a in range(len(blocks)):
            parts = []
            for b in range(len(blocks)):
                order = np.array(sorted({*blocks[a], *blocks[b]}))
                found = unpack(self._work.get(names[a, b]))[1]
                columns = [found[name].astype(np.int64) for name in ("clip", "frame", "other", "at")]
                parts.append(Pairs(order[columns[0]], columns[1], order[columns[2]], columns[3], found["distance"]))
            near = nearest_of(Pairs.joined(parts))
            self.report.pairs += near.number
            for clip in blocks[a]:
                wanted.update(shortlist(near.only(near.clip == clip), self._options.tries))
        return sorted(wanted)

    def _try(self, wanted: Sequence[Wanted]) -> list[Edge]:
        """Return the transitions that pass, after trying those that were not tried before."""
        solving = [_VERSION, self._options.farthest, self._options.slide]
        keys = [
            key_of("trial", solving, self._keys[each.first], self._keys[each.second], each.left, each.entered)
            for each in wanted
        ]
        known = dict(zip(keys, wanted, strict=True))
        missing = self._work.missing(keys)
        self.report.tried, self.report.fresh = len(wanted), len(missing)
        done = len(wanted) - len(missing)
        self._say("transitions", done, len(wanted))

        def tasks() -> Iterator[Task]:
            for start in range(0, len(missing), _CHUNK):
                chunk = missing[start : start + _CHUNK]
                candidates = [self._candidate(known[key]) for key in chunk]
                given = self._figure, chunk, candidates, self._options.farthest, self._options.slide
                yield Task(key_of("chunk", chunk), try_cuts, given)

        for _, results in self._workers.run(tasks()):
            self._work.put(results)
            done += len(results)
            self._say("transitions", done, len(wanted))
        edges = []
        for key, each in known.items():
            trial = Trial.of_values(*unpack(self._work.get(key)))
            if trial.reason:
                self.report.reasons[trial.reason] = self.report.reasons.get(trial.reason, 0) + 1
            elif trial.passes(self._options.slide):
                sections = self._section(each.first, trial.leave), self._section(each.second, trial.enter)
                edges.append(Edge(each.first, each.second, *sections, trial))
        self.report.passed = len(edges)
        return edges

    def _candidate(self, wanted: Wanted) -> Candidate:
        first, left, second, entered = wanted
        return Candidate(
            self._window(first, left, BEFORE, AFTER), self._window(second, entered, AFTER, BEFORE), left, entered
        )

    def _window(self, number: int, frame: int, before: int, after: int) -> Window:
        clip = self._clip(number)
        start, stop = self._records[number].sections[self._section(number, frame)]
        low, high = max(frame - before, start), min(frame + after + 1, stop)
        return Window(low, np.array(clip["rows"][low:high]), clip["on_floor"][low:high].astype(bool))

    def _section(self, number: int, frame: int) -> int:
        spans = self._records[number].sections
        return next(s for s, (start, stop) in enumerate(spans) if start <= frame < stop)

    def _write(self, edges: Sequence[Edge], clips: Sequence[int]) -> None:
        entries = [
            ClipEntry(record.name, self._keys[k], record.frames, record.sections, str(record.source.path))
            for k, record in ((k, self._records[k]) for k in clips)
        ]
        place = {k: n for n, k in enumerate(clips)}
        moved = [dataclasses.replace(edge, first=place[edge.first], second=place[edge.second]) for edge in edges]
        rows = (self._read_clip(k)["rows"] for k in clips)
        write_graph(self._path, self._figure, self._host.name, entries, moved, rows)


def prepare_clip(block: bytes, sections: Sequence[tuple[int, int]], person: Figure, figure: Figure) -> bytes:
    """Return a clip carried onto a figure: all rows of poses, and the frames that are described. A task."""
    poses = carried(Poses(*(part.astype(float) for part in unpack_poses(block))), person, figure)
    found = describe_frames(figure, poses, tuple(sections), _EDGE)
    return pack(
        {},
        {
            "rows": poses.rows.astype("<f4"),
            "frames": found.frames.astype("<i4"),
            "described": found.rows.astype("<f4"),
            "on_floor": found.on_floor.astype("|u1"),
        },
    )


def search_clips(asking: Sequence[Described], asked: Sequence[Described]) -> bytes:
    """Return the pairs of frames that are alike in two blocks of clips. A task."""
    found = nearest_of(search_block(asking, asked))
    whole = {name: column.astype("<i4") for name, column in zip(("clip", "frame", "other", "at"), found, strict=False)}
    return pack({}, whole | {"distance": found.distance.astype("<f8")})


def try_cuts(
    figure: Figure, keys: Sequence[str], candidates: Sequence[Candidate], farthest: float, slide: float
) -> list[tuple[str, bytes]]:
    """Return the trials of candidates by their keys. A task."""
    options = Options(ground=0.0)
    return [
        (key, pack(*try_cut(figure, candidate, options, farthest, slide).to_values()))
        for key, candidate in zip(keys, candidates, strict=True)
    ]


def _host_of(records: Sequence[ClipRecord], name: str | None) -> ClipRecord:
    """Return the clip whose person all clips are carried onto."""
    if name is not None:
        (chosen, *_) = sorted(matching([record.name for record in records], [name]))
        return next(record for record in records if record.name == chosen)
    frames: dict[str, int] = {}
    for record in records:
        frames[record.person] = frames.get(record.person, 0) + record.frames
    most = max(frames, key=lambda person: (frames[person], person))
    return max((record for record in records if record.person == most), key=lambda record: (record.frames, record.name))


def _blocks(keys: Sequence[str], rows: int) -> list[list[int]]:
    """Return the clips of each block, by the first bits of their keys: a new clip changes one block alone."""
    bits = max(rows // _BLOCK_ROWS, 0).bit_length()
    blocks: dict[int, list[int]] = {}
    for k, key in enumerate(keys):
        blocks.setdefault(int(key[:8], 16) >> (32 - bits), []).append(k)
    return [sorted(blocks[name], key=lambda k: keys[k]) for name in sorted(blocks)]
