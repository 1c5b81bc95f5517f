"""Reading and writing BVH, against the package `bvh` from PyPI."""

from __future__ import annotations

import tempfile
import time
import tracemalloc
from pathlib import Path

import bvh
import numpy as np
from tests.mocap import MOCAP

from benchmarks import Row, medians
from segue.io.bvh import read_bvh, write_bvh
from segue.io.bvh.read import parse_bvh

TARGET = 5.0
LARGE = 100_000_000


def main() -> list[Row]:
    """Read the largest real clip, or one made here, with both; then a file of 100 MB with ours."""
    with tempfile.TemporaryDirectory() as folder:
        clips = sorted(MOCAP.glob("*/*.bvh"), key=lambda path: path.stat().st_size)
        path = clips[-1] if clips else _made_file(Path(folder) / "made.bvh", 4_000_000)
        return [*_against_peer(path, Path(folder)), *_large_file(Path(folder))]


def _against_peer(path: Path, folder: Path) -> list[Row]:
    clip = read_bvh(path)
    seconds = medians(
        {
            "peer": lambda: np.array(bvh.Bvh(path.read_text()).frames, dtype=float),
            "values": lambda: parse_bvh(path),
            "clip": lambda: read_bvh(path),
            "write": lambda: write_bvh(clip, folder / "written.bvh"),
        }
    )
    size = path.stat().st_size

    def figure(name: str) -> str:
        return f"{1e3 * seconds[name]:.1f} ms, {size / 1e6 / seconds[name]:.3g} MB/s"

    return [
        Row(f"{path.name}, {size / 1e6:.2f} MB: all values, bvh 0.3", figure("peer")),
        Row("all values, segue", figure("values"), seconds["peer"] / seconds["values"], TARGET),
        Row("the whole clip with rotations, segue", figure("clip"), seconds["peer"] / seconds["clip"], TARGET),
        Row("written back, segue", figure("write")),
    ]


def _large_file(folder: Path) -> list[Row]:
    """Measure time, then memory in a second run: watching the memory takes time."""
    path = _made_file(folder / "large.bvh", LARGE)
    size = path.stat().st_size
    start = time.perf_counter()
    clip = read_bvh(path)
    read = time.perf_counter()
    write_bvh(clip, folder / "written.bvh")
    written = time.perf_counter()
    numbers = clip.origin.rows.size if clip.origin is not None and clip.origin.rows is not None else 0
    del clip
    tracemalloc.start()
    read_bvh(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return [
        Row(
            f"a file of {size / 1e6:.0f} MB: the whole clip",
            f"{read - start:.2f} s, {size / 1e6 / (read - start):.3g} MB/s",
        ),
        Row(f"its {numbers / 1e6:.1f} million numbers written back", f"{written - read:.2f} s"),
        Row("most memory held while it is read", f"{peak / 1e6:.0f} MB, {peak / size:.2g} times the file"),
    ]


def _made_file(path: Path, size: int) -> Path:
    """Write a file of about a size: a chain of 22 joints that turn at random, six decimals a number."""
    joints = 22
    rng = np.random.default_rng(22)
    lines = ["HIERARCHY", "ROOT joint0", "{", "OFFSET 0 0 0"]
    lines.append("CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation")
    for joint in range(1, joints):
        lines += [f"JOINT joint{joint}", "{", "OFFSET 0 10.5 0", "CHANNELS 3 Zrotation Yrotation Xrotation"]
    lines += ["End Site", "{", "OFFSET 0 5 0", "}", *("}" * joints)]
    rows = [" ".join(f"{value:.6f}" for value in row) for row in rng.normal(scale=60.0, size=(1000, 3 * joints + 3))]
    block = "\n".join(rows) + "\n"
    repeats = max(1, size // len(block))
    lines += ["MOTION", f"Frames: {len(rows) * repeats}", "Frame Time: 0.033333"]
    with path.open("w") as file:
        file.write("\n".join(lines) + "\n")
        file.writelines(block for _ in range(repeats))
    return path
