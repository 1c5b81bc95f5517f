"""Motion graphs of the clips at hand: growth of the search, time, faults at seams, workers, kills, and added clips.

`python -m benchmarks graph` measures everything, which takes about two hours of two cores. `python -m benchmarks.graph
PART... [CLIPS]` measures some of growth, trials, build, kept, walks, workers, kills and added, on fewer clips if a
number is given. `--folder DIR` keeps libraries and graphs there for other parts. `--json` writes the rows into those
of the last run, and `--pages` writes the pages.
"""

from __future__ import annotations

import hashlib
import math
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.mocap import MOCAP

import segue as sg
from benchmarks import Row, _figures
from benchmarks._cluster import free_port, scheduler, scheduler_and_workers, worker_processes
from segue.errors import ArgumentError
from segue.graph.build import BuildReport, build_graph, try_cuts
from segue.graph.container import pack
from segue.graph.trial import Trial, judge_seam
from segue.graph.workers import Cluster, InProcess, Task
from segue.library import Builder
from segue.motion.operators import trim

ALL = 47
GROWTH = (6, 12, 24, ALL)
SEEDS, MINUTES = 20, 5.0
SAMPLE = 500  # kept transitions that are checked against their clips, about
SMALL = 6  # clips of builds that are repeated
SEEN = 1.2  # s beside a seam that are checked with it
KILL_EVERY = 20.0  # s


def main() -> list[Row]:
    """Measure all parts."""
    return measure(list(PARTS), ALL)


def measure(parts: list[str], clips: int, folder: Path | None = None) -> list[Row]:
    """Return the rows of some parts. folder: where to keep libraries and graphs; nowhere if None."""
    if not MOCAP.is_dir():
        return [Row("no clips", "there is no folder ../shared/mocap")]
    with tempfile.TemporaryDirectory() as name:
        return [row for part in parts for row in PARTS[part](folder or Path(name), clips)]


def library(folder: Path, count: int) -> Path:
    """Return a library of clips that are spread evenly over all clips by name."""
    path = folder / f"{count}.lib"
    if not path.exists():
        found = sorted(MOCAP.glob("*/*.bvh"))
        chosen = [found[round(k * (len(found) - 1) / (count - 1))] for k in range(count)]
        Builder(path, chosen).run()
    return path


class _Searched(BaseException):
    """Ends a build after its search."""


def growth(folder: Path, clips: int) -> list[Row]:
    """Count the pairs of frames that a search looks at, and its processor time."""
    rows, points = [], []
    for count in (number for number in GROWTH if number <= clips):
        seconds: list[float] = []

        def watch(step: str, done: int, total: int, seconds: list[float] = seconds) -> None:
            if step == "search" and done < total:
                seconds.append(-time.process_time())
            elif step == "search":
                seconds.append(time.process_time())
            elif step == "transitions":
                raise _Searched

        report = BuildReport()
        with suppress(_Searched):
            build_graph(library(folder, count), folder / f"growth{count}.graph", InProcess(), None, watch, report)
        points.append((count, report.frames, report.pairs))
        what = f"{report.frames} described frames, {report.pairs} pairs, {sum(seconds):.1f} s of search, "
        rows.append(Row(f"search, {count} clips", what + f"{report.tried} transitions to try"))
    first, last = points[0], points[-1]
    for number, name in ((0, "clips"), (1, "frames")):
        power = math.log(last[2] / first[2]) / math.log(last[number] / first[number])
        rows.append(Row(f"pairs looked at grow with the number of {name}", f"n^{power:.2f}", 1.3 / power, 1.0))
    return rows


def build(folder: Path, clips: int) -> list[Row]:
    """Build the graph of all clips on two processes, by the clock and by the time of the processors."""
    _forget(folder, "all")
    chosen = library(folder, clips)
    start, before = time.perf_counter(), _spent()
    with Cluster(2) as cluster:
        report = build_graph(chosen, folder / "all.graph", cluster)
        load = os.getloadavg()[1]
    minutes, spent = (time.perf_counter() - start) / 60.0, _spent() - before
    graph = sg.Graph(folder / "all.graph")
    each = spent / 120.0
    reasons = ", ".join(f"{count} times {reason}" for reason, count in sorted(report.reasons.items()))
    return [
        Row(
            f"graph of {clips} clips, 2 processes", f"{minutes:.1f} minutes at a load of {load:.1f}", 15 / minutes, 1.0
        ),
        Row("  processor time", f"{2 * each:.1f} minutes, {each:.1f} minutes for each process", 15 / each, 1.0),
        Row("  trials", f"{report.fresh}, {1e3 * spent / max(report.fresh, 1):.0f} ms each, {report.passed} pass"),
        Row("  no transition", reasons or "never"),
        Row("  kept", f"{graph.describe()}; dead ends: {len(report.left_out)}"),
    ]


def _built(folder: Path, clips: int) -> sg.Graph:
    """Return the graph of all clips, which is built if it is not there."""
    path = folder / "all.graph"
    if not path.exists():
        with Cluster(2) as cluster:
            build_graph(library(folder, clips), path, cluster)
    return sg.Graph(path)


def kept(folder: Path, clips: int) -> list[Row]:
    """Check kept transitions, spread evenly over all, against both clips."""
    graph, passed = _built(folder, clips), 0
    chosen = range(0, len(graph), max(len(graph) // SAMPLE, 1))
    for k in chosen:
        route, edge = graph.transition(k), graph.edges[k]
        (seam,) = route.seams
        sources = [graph.clip(graph.names[number]) for number in (edge.first, edge.second)]
        spans = [
            (edge.trial.leave / 30 - 2, edge.trial.leave / 30 + 1),
            (edge.trial.enter / 30 - 1, edge.trial.enter / 30 + 2),
        ]
        cut = [
            trim(source, max(low, 0.0), min(high, source.stop))
            for source, (low, high) in zip(sources, spans, strict=True)
        ]
        found = sg.check(route.motion, baseline=cut, start=seam.start - 0.2, stop=seam.stop + 0.2)
        passed += not found.faults
    share = passed / max(len(chosen), 1)
    what = f"{100 * share:.1f} %, {passed} of {len(chosen)}"
    return [Row("kept that pass `segue check` against both clips", what, share / 0.95, 1.0)]


def walks(folder: Path, clips: int) -> list[Row]:
    """Check every seam of long walks from many seeds."""
    graph, faults, slides = _built(folder, clips), 0, list[float]()
    for seed in range(SEEDS):
        route = graph.walk(MINUTES, seed=seed)
        for seam in route.seams:
            low, high = max(seam.start - SEEN, 0.0), min(seam.stop + SEEN, route.motion.stop)
            report, slide = judge_seam(trim(route.motion, low, high, keep_time=True), seam.start, seam.stop)
            faults += bool(report.faults)
            slides.append(slide)
    worst = 100 * max(slides)
    return [
        Row(
            f"walks of {MINUTES:g} minutes, {SEEDS} seeds",
            f"{faults} faults at {len(slides)} seams",
            1.0 - faults / len(slides),
            1.0,
        ),
        Row(
            "  planted feet slide",
            f"{worst:.2f} cm at most, {sum(s > 0.01 for s in slides)} seams above 1 cm",
            1 / worst,
            1.0,
        ),
    ]


def workers(folder: Path, clips: int) -> list[Row]:
    """Build the same graph on 1, 2 and 4 processes."""
    made, seconds = {}, {}
    for count in (1, 2, 4):
        path = folder / f"workers{count}.graph"
        with Cluster(count) as cluster:
            list(cluster.run([Task(f"warm{k}", _warm, (k,)) for k in range(8 * count)]))
            start = time.perf_counter()
            build_graph(library(folder, min(clips, SMALL)), path, cluster)
            seconds[count] = time.perf_counter() - start
        made[count] = hashlib.sha256(path.read_bytes()).hexdigest()
    same = len(set(made.values())) == 1
    quick = seconds[1] / seconds[2]
    return [
        Row("1, 2 and 4 processes", "same bytes" if same else "different bytes", float(same), 1.0),
        Row("2 processes against 1", f"{quick:.2f} times, {seconds[1]:.0f} s and {seconds[2]:.0f} s", quick, 1.8),
    ]


def _warm(number: int) -> int:
    import segue.graph.build  # noqa: F401

    time.sleep(0.05)
    return number


def kills(folder: Path, clips: int) -> list[Row]:
    """Kill a worker every 20 s and the scheduler once, and compare the bytes with those of an undisturbed build."""
    chosen = library(folder, min(clips, SMALL))
    calm = folder / "calm.graph"
    build_graph(chosen, calm, InProcess())
    port, killed = free_port(), [0, 0]
    address = f"tcp://127.0.0.1:{port}"
    disturbed = folder / "disturbed.graph"
    with scheduler_and_workers(address) as processes:
        stop = threading.Event()

        def disturb() -> None:
            began = time.monotonic()
            while not stop.wait(KILL_EVERY):
                victims = worker_processes(processes[1:])
                if victims:
                    os.kill(victims[killed[0] % len(victims)], signal.SIGKILL)
                    killed[0] += 1
                if not killed[1] and time.monotonic() - began > 1.5 * KILL_EVERY:
                    processes[0].kill()
                    processes[0].wait()
                    killed[1] = 1
                    processes[0] = scheduler(address)

        thread = threading.Thread(target=disturb, daemon=True)
        thread.start()
        with Cluster(scheduler=address) as cluster:
            build_graph(chosen, disturbed, cluster)
        stop.set()
        thread.join()
    same = disturbed.read_bytes() == calm.read_bytes()
    what = f"{killed[0]} kills of a worker, {killed[1]} of the scheduler: {'same' if same else 'different'} bytes"
    return [Row("kill -9", what, float(same), 1.0)]


def added(folder: Path, clips: int) -> list[Row]:
    """Add five clips to a graph, by the processor time of one process, against a build of all clips at once."""
    grown, whole, new = _with_and_without(folder, clips)
    _forget(folder, "grown", "whole")
    build_graph(grown, folder / "grown.graph", InProcess())
    Builder(grown, new).run()
    start = time.process_time()
    report = build_graph(grown, folder / "grown.graph", InProcess())
    more = time.process_time() - start
    start = time.process_time()
    full = build_graph(whole, folder / "whole.graph", InProcess())
    spent = time.process_time() - start
    share = more / spent
    what = f"{100 * share:.1f} % of the time, {report.fresh} of {full.fresh} trials"
    return [Row(f"add {len(new)} clips to {clips - len(new)}", what, 0.25 / share, 1.0)]


def trials(folder: Path, clips: int) -> list[Row]:
    """Count the trials that five added clips cost, without making transitions."""
    grown, whole, new = _with_and_without(folder, clips)
    _forget(folder, "few", "many")
    reports = []
    for add, chosen, name in (([], grown, "few"), (new, grown, "few"), ([], whole, "many")):
        if add:
            Builder(chosen, add).run()
        report = BuildReport()
        with suppress(ArgumentError):  # there is no graph without transitions
            build_graph(chosen, folder / f"{name}.graph", _Counting(), None, None, report)
        reports.append(report)
    share = reports[1].fresh / reports[2].fresh
    what = f"{100 * share:.1f} %, {reports[1].fresh} of {reports[2].fresh}"
    return [Row(f"trials of {len(new)} clips added to {clips - len(new)}", what, 0.25 / share, 1.0)]


class _Counting(InProcess):
    """Does all tasks of a build but its trials."""

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[str, Any]]:
        """Yield keys and results in the order of the tasks; no trial finds a transition."""
        none = pack(*Trial(reason="not tried").to_values())
        for task in tasks:
            if task.function is try_cuts:
                yield task.key, [(key, none) for key in task.arguments[1]]
            else:
                yield task.key, task.function(*task.arguments)


def _forget(folder: Path, *names: str) -> None:
    """Delete the records of builds, so that nothing is remembered."""
    for name in names:
        (folder / f"{name}.graph.work").unlink(missing_ok=True)


def _with_and_without(folder: Path, clips: int) -> tuple[Path, Path, list[Path]]:
    """Return a library of all clips but five, one of all clips, and the five clips."""
    found = sorted(MOCAP.glob("*/*.bvh"))
    chosen = [found[round(k * (len(found) - 1) / (clips - 1))] for k in range(clips)]
    new = sorted(chosen[:: max(clips // 5, 1)][:5])
    grown = folder / "grown.lib"
    grown.unlink(missing_ok=True)
    Builder(grown, [clip for clip in chosen if clip not in new]).run()
    return grown, library(folder, clips), new


PARTS = {
    "growth": growth,
    "trials": trials,
    "build": build,
    "kept": kept,
    "walks": walks,
    "workers": workers,
    "kills": kills,
    "added": added,
}


def _spent() -> float:
    """Return the processor time in s of processes that have ended and of this one."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _run(words: list[str]) -> None:
    """Measure the parts that a command line names."""
    folder = None
    if "--folder" in words:
        place = words.index("--folder")
        folder = Path(words[place + 1])
        folder.mkdir(parents=True, exist_ok=True)
        del words[place : place + 2]
    numbers = [int(word) for word in words if word.isdigit()]
    for part in [word for word in words if word in PARTS] or list(PARTS):
        rows = measure([part], numbers[0] if numbers else ALL, folder)
        for row in rows:
            print(f"{row.subject}: {row.figure} {row.verdict}", flush=True)
        if "--json" in words:
            _figures.update("graph", (__doc__ or "").partition("\n")[0], rows)
    if "--pages" in words:
        _figures.write_pages(print)


if __name__ == "__main__":
    _run(sys.argv[1:])
