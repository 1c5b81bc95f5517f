"""A composite of 300 clips: evaluating ten minutes of it, against real time."""

from __future__ import annotations

import numpy as np

import segue as sg
from benchmarks import Row, medians
from segue import clips

TARGET = 50.0
SECONDS, FPS, COUNT = 600.0, 120.0, 300


def main() -> list[Row]:
    """Build one composite from pieces of the built-in clips, placed, stretched and mirrored, and sample it all."""
    sources = [sg.Motion.from_clip(clips.clip(name)) for name in clips.NAMES]
    for source in sources:
        source.fit()
    composite = _composite(sources)
    times = np.arange(int(SECONDS * FPS)) / FPS
    times = times[times <= composite.stop]
    seconds = medians({"build": lambda: _composite(sources), "sample": lambda: composite.at(times)}, repeats=3)
    return [
        Row(f"{COUNT} clips put together", f"{1e3 * seconds['build']:.0f} ms"),
        Row(
            f"{times[-1]:.0f} s at {FPS:g} Hz, whole body",
            f"{seconds['sample']:.2f} s",
            times[-1] / seconds["sample"],
            TARGET,
        ),
    ]


def _composite(sources: list[sg.Motion]) -> sg.Motion:
    whole = None
    for k in range(COUNT):
        piece = sg.retime(sources[k % len(sources)], 0.0, duration=SECONDS / COUNT)
        piece = sg.move_to(piece, at=(0.01 * k, 0.0), heading=0.1 * k)
        piece = sg.mirror(piece) if k % 2 else piece
        whole = piece if whole is None else sg.concatenate(whole, piece)
    assert whole is not None
    return whole
