"""Libraries on disk: how much faster than real time they are built, their size, and how soon they are open."""

from __future__ import annotations

import hashlib
import tempfile
import time
from pathlib import Path

import numpy as np
from tests.mocap import MOCAP

from benchmarks import Row, medians
from benchmarks._one_thread import on_one_thread
from segue import clips, files
from segue.body.figure import Figure
from segue.library import Builder, Library, inspect_library
from segue.library.library_clip import pack_poses
from segue.library.record import ClipRecord, Source
from segue.library.store import Change, Store

REAL_TIME = 100.0
MEGABYTES_AN_HOUR = 250.0
ENTRIES = 1000
FRAMES = 108  # of an entry: an hour in all
EVERY = 4  # of the long clips of LAFAN1, so many minutes are enough


def main() -> list[Row]:
    """Build libraries of the clips at hand, by the time of one core, with everything compiled already."""
    return on_one_thread(_measure)


def _measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _warm_up(folder)
        rows = []
        for kind, every in (("lafan1", EVERY), ("cmu", 1)):
            found = sorted((MOCAP / kind).glob("*.bvh"))[::every]
            if found:
                rows += _build(kind, found, folder / kind)
        return [*rows, *_open(folder)]


def _warm_up(folder: Path) -> None:
    files.save(clips.motion("stand"), folder / "stand.bvh")
    Library.build(folder / "stand.bvh", folder / "warm")


def _build(kind: str, found: list[Path], library: Path) -> list[Row]:
    """Measure the first build, and one after which nothing has changed."""
    start, began = time.process_time(), time.perf_counter()
    report = Builder(library, found).run()
    spent, passed = time.process_time() - start, time.perf_counter() - began
    again = time.process_time()
    Builder(library, found).run()
    idle = time.process_time() - again
    hours = report.seconds / 3600
    size = inspect_library(library).size / 1e6 / hours
    return [
        Row(
            f"{kind}: {len(found)} clips, {report.seconds / 60:.1f} minutes, times real time",
            f"{spent:.2f} s of one core, {passed:.2f} s passed, {1e3 * spent / len(found):.0f} ms a clip",
            report.seconds / spent,
            REAL_TIME,
        ),
        Row("  the index, under 250 MB an hour", f"{size:.1f} MB an hour", MEGABYTES_AN_HOUR / size, 1.0),
        Row("  built again, nothing changed", f"{1e3 * idle:.1f} ms", spent / idle),
    ]


def _open(folder: Path) -> list[Row]:
    """Open a library of many short clips, beside reading the same poses from a file each."""
    rng = np.random.default_rng(4)
    store, change = Store(folder / "many"), Change()
    store.create()
    (folder / "each").mkdir()
    figure = Figure.standard()
    for k in range(ENTRIES):
        balls = rng.normal(size=(FRAMES, 7, 4)).astype(np.float32)
        balls /= np.linalg.norm(balls, axis=2, keepdims=True)
        parts = (rng.normal(size=(FRAMES, 3)).astype(np.float32), balls, np.zeros((FRAMES, 20), dtype=np.float32))
        block = pack_poses(*parts)
        checksum = hashlib.sha256(block).hexdigest()
        source = Source("made", f"{k:04}.bvh", 1, 1, checksum)
        clip = ClipRecord(source.file, source, "made", "one", figure, FRAMES, ((0, FRAMES),), checksum)
        change.records[source.key], change.blocks[checksum] = clip, block
        np.savez(folder / "each" / f"{k:04}.npz", root=parts[0], balls=parts[1], hinges=parts[2])
    store.commit(change)
    seconds = medians(
        {
            "library": lambda: Library(folder / "many"),
            "read": lambda: sum(float(entry.hinges.sum()) for entry in Library(folder / "many")),
            "files": lambda: [_read(path) for path in sorted((folder / "each").iterdir())],
        },
        clock=time.process_time,
    )
    return [
        Row(f"{ENTRIES} entries, an hour: opened", f"{1e3 * seconds['library']:.1f} ms"),
        Row("  opened, and all hinges looked at", f"{1e3 * seconds['read']:.1f} ms"),
        Row(
            "  opened, against a .npz file each",
            f"{1e3 * seconds['files']:.0f} ms",
            seconds["files"] / seconds["library"],
        ),
    ]


def _read(path: Path) -> list[np.ndarray]:
    with np.load(path) as file:
        return [file[name] for name in file.files]
