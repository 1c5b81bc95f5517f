"""The file of a motion graph: a figure, its clips, and the transitions between them.

One file holds all poses, 30 frames a second in single precision. They are read from the disk when they are used.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from segue.body.build import Build
from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.errors import FileFormatError
from segue.graph.container import Parts, read_container, write_container
from segue.graph.selection import Edge
from segue.graph.trial import Trial
from segue.motion.functions import Placement
from segue.plausibility.findings import Severity
from segue.typing import Single

_VERSION = 1
_WHOLE = ("first", "second", "leaving", "entering", "leave", "enter", "frames", "severity", "suspicious")
_REAL = ("cost", "distance", "slide", "turn", "x", "z")


@dataclass(frozen=True)
class ClipEntry:
    """A clip of a graph: name, hash of its content, frames, sections of sound capture, and the file it came from."""

    name: str
    key: str
    frames: int
    sections: tuple[tuple[int, int], ...]
    source: str


@dataclass(frozen=True, eq=False)
class GraphContents:
    """The contents of a graph's file.

    host: the clip whose person is the figure. clip_rows: rows (T, 51) of poses of each clip. edges: sorted by first
    clip and leave.
    """

    figure: Figure
    host: str
    clips: tuple[ClipEntry, ...]
    clip_rows: tuple[Single, ...]
    edges: tuple[Edge, ...]


def figure_values(figure: Figure) -> dict[str, Any]:
    """Return the lengths, mass and sex of a figure as plain values."""
    lengths = {
        each.name: np.asarray(getattr(figure.build, each.name), float).tolist()
        for each in dataclasses.fields(figure.build)
    }
    return {"build": lengths, "mass": figure.mass, "sex": figure.sex}


def figure_of(values: dict[str, Any]) -> Figure:
    """Return a figure from plain values."""
    lengths: Any = {
        name: np.array(length, float) if isinstance(length, list) else float(length)
        for name, length in values["build"].items()
    }
    return Figure(Build(**lengths), float(values["mass"]), values["sex"])


def write_graph(
    path: str | Path,
    figure: Figure,
    host: str,
    clips: Sequence[ClipEntry],
    edges: Sequence[Edge],
    clip_rows: Iterable[Single],
) -> None:
    """Write a graph; clip_rows: the poses of the clips one after another. The same graph gives the same bytes."""
    values = {
        "version": _VERSION,
        "rate": 30,
        "figure": figure_values(figure),
        "host": host,
        "clips": [dataclasses.asdict(clip) for clip in clips],
    }
    whole = np.array([_whole(edge) for edge in edges], "<i4").reshape(-1, len(_WHOLE))
    real = np.array([_real(edge) for edge in edges], "<f8").reshape(-1, len(_REAL))
    width = HUMAN.column_count
    made = [edge.trial.rows for edge in edges if edge.trial.rows is not None]
    shapes = {
        "edges": ("<i4", whole.shape),
        "measures": ("<f8", real.shape),
        "transitions": ("<f4", (sum(map(len, made)), width)),
        "clips": ("<f4", (sum(clip.frames for clip in clips), width)),
    }
    parts: Parts = {"edges": whole, "measures": real, "transitions": iter(made), "clips": iter(clip_rows)}
    write_container(path, values, shapes, parts)


def read_graph(path: str | Path) -> GraphContents:
    """Return the contents of a graph's file, all numbers checked."""
    values, arrays = read_container(path)
    try:
        if values["version"] != _VERSION:
            raise ValueError(f"version {values['version']}, not {_VERSION}")
        clips = tuple(
            ClipEntry(
                str(each["name"]),
                str(each["key"]),
                int(each["frames"]),
                tuple((int(start), int(stop)) for start, stop in each["sections"]),
                str(each["source"]),
            )
            for each in values["clips"]
        )
        ends = np.cumsum([0, *(clip.frames for clip in clips)])
        rows = arrays["clips"]
        if rows.shape != (ends[-1], HUMAN.column_count) or not all(clip.frames > 0 for clip in clips):
            raise ValueError("its clips have other lengths")
        if not np.isfinite(arrays["transitions"]).all() or not np.isfinite(arrays["measures"]).all():
            raise ValueError("some numbers are not finite")
        edges = _edges(arrays["edges"].tolist(), arrays["measures"].tolist(), arrays["transitions"], clips)
        figure = figure_of(values["figure"])
        split = tuple(rows[a:b] for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))
        return GraphContents(figure, str(values["host"]), clips, split, edges)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise FileFormatError(f"is not a motion graph, or is damaged ({error}): build it again", path) from None


def _whole(edge: Edge) -> list[int]:
    trial = edge.trial
    times = [trial.leave, trial.enter, trial.frames]
    return [edge.first, edge.second, edge.leaving, edge.entering, *times, int(trial.severity), len(trial.findings)]


def _real(edge: Edge) -> list[float]:
    trial = edge.trial
    return [trial.cost, trial.distance, trial.slide, trial.placement.turn, trial.placement.x, trial.placement.z]


def _edges(
    whole: list[list[int]], real: list[list[float]], rows: Single, clips: Sequence[ClipEntry]
) -> tuple[Edge, ...]:
    edges, start = [], 0
    for row, (cost, distance, slide, turn, x, z) in zip(whole, real, strict=True):
        first, second, leaving, entering, leave, enter, frames, severity, suspicious = row
        for clip, section, frame in ((first, leaving, leave), (second, entering, enter)):
            low, high = clips[clip].sections[section] if min(clip, section) >= 0 else (0, 0)
            if not 0 <= low <= frame < high <= clips[clip].frames:
                raise ValueError("a transition lies outside its clips")
        stop = start + frames - 1
        if frames < 1 or stop > len(rows):
            raise ValueError("a transition is cut off")
        found = (("", 0.0),) * suspicious
        moved = Placement(turn, x, z)
        trial = Trial(leave, enter, frames, cost, distance, slide, Severity(severity), found, rows[start:stop], moved)
        edges.append(Edge(first, second, leaving, entering, trial))
        start = stop
    return tuple(edges)
