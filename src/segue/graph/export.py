"""Write a graph for other programs: tables of its clips and transitions, and the motions themselves.

`docs/graph.md` describes every column, for importers of game engines.
"""

from __future__ import annotations

import csv
import io as text_io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from segue import io
from segue.body.figure import Poses
from segue.checks import choice
from segue.errors import ArgumentError
from segue.filesystem import atomic_write
from segue.filling.features import RATE
from segue.graph.graph import Graph
from segue.graph.person import carried
from segue.graph.routing import Step, assemble
from segue.graph.selection import Edge
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion

FORMATS = ("glb", "bvh")
COLUMNS = (
    "number", "animation", "from_clip", "to_clip", "leave_s", "enter_s", "duration_s", "turn_rad", "x_m", "z_m",
    "cost", "slide_m", "severity",
)  # fmt: skip
"""The columns of the table of transitions."""

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
Progress = Callable[[int, int], None]


def export_graph(
    graph: Graph,
    folder: str | Path,
    *,
    format: str = "glb",
    skeleton: str | Path | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write graph.json, graph.graphml, transitions.csv, all motions as files, and all.glb; return the paths.

    format: of the files of single motions. skeleton: a clip of the user on whose skeleton motions are written; the
    figure's own skeleton where None.
    """
    choice("the format", format, FORMATS)
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise ArgumentError(f"'{folder}' is a file: a folder is needed")
    written = [target / "graph.json", target / "graph.graphml", target / "transitions.csv"]
    for below in (target, target / "clips", target / "transitions"):
        below.mkdir(parents=True, exist_ok=True)
    _write_text(written[0], json.dumps(graph_values(graph), indent=1) + "\n")
    _write_text(written[1], graphml(graph))
    _write_text(written[2], transition_table(graph))
    writer = _Writer(graph, skeleton)
    takes: dict[str, Clip] = {}
    total = len(graph.clips) + len(graph)
    for number, (name, motion) in enumerate(_motions(graph)):
        frames = writer.frames(motion)
        takes[name] = frames
        path = target / f"{name}.{format}"
        writer.write(frames, path)
        written.append(path)
        if progress is not None:
            progress(number + 1, total)
    writer.write(takes, target / "all.glb")
    return [*written, target / "all.glb"]


def animation_names(graph: Graph) -> tuple[list[str], list[str]]:
    """Return the names of the animations of all clips, and of all transitions: paths below the export without suffix.

    A clip's name is that of its file; a number tells clips of the same name apart.
    """
    taken: dict[str, int] = {}
    clips = []
    for clip in graph.clips:
        plain = "".join(c if c.isalnum() or c in "-_" else "_" for c in Path(clip.name).stem) or "clip"
        taken[plain] = taken.get(plain, 0) + 1
        clips.append(f"clips/{plain}" if taken[plain] == 1 else f"clips/{plain}_{taken[plain]}")
    return clips, [f"transitions/{k:06d}" for k in range(len(graph))]


def graph_values(graph: Graph) -> dict[str, Any]:
    """Return clips and transitions as plain values for JSON."""
    clips, _ = animation_names(graph)
    return {
        "format": "segue motion graph",
        "version": 1,
        "frames_per_second": RATE,
        "clips": [
            {
                "name": clip.name,
                "animation": name,
                "duration_s": (clip.frames - 1) / RATE,
                "sections_s": [[start / RATE, (stop - 1) / RATE] for start, stop in clip.sections],
            }
            for clip, name in zip(graph.clips, clips, strict=True)
        ],
        "transitions": list(_rows(graph)),
    }


def transition_table(graph: Graph) -> str:
    """Return the transitions as a table of comma-separated values."""
    text = text_io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_rows(graph))
    return text.getvalue()


def graphml(graph: Graph) -> str:
    """Return the graph as GraphML: a node for each clip, an edge for each transition, with the table's columns."""
    ElementTree.register_namespace("", _GRAPHML)
    root = ElementTree.Element(f"{{{_GRAPHML}}}graphml")
    kinds = {"name": "string", "duration_s": "double"}
    for name, kind in kinds.items():
        _add(root, "key", id=f"clip_{name}", **{"for": "node", "attr.name": name, "attr.type": kind})
    for name in COLUMNS:
        kind = "string" if name in ("animation", "from_clip", "to_clip", "severity") else "double"
        _add(
            root, "key", id=name, **{"for": "edge", "attr.name": name, "attr.type": "int" if name == "number" else kind}
        )
    body = _add(root, "graph", id="graph", edgedefault="directed")
    for k, clip in enumerate(graph.clips):
        node = _add(body, "node", id=f"n{k}")
        _add(node, "data", key="clip_name").text = clip.name
        _add(node, "data", key="clip_duration_s").text = repr((clip.frames - 1) / RATE)
    for k, (row, edge) in enumerate(zip(_rows(graph), graph.edges, strict=True)):
        line = _add(body, "edge", id=f"e{k}", source=f"n{edge.first}", target=f"n{edge.second}")
        for name in COLUMNS:
            _add(line, "data", key=name).text = str(row[name])
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add(parent: ElementTree.Element, tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, f"{{{_GRAPHML}}}{tag}", attributes)


def _rows(graph: Graph) -> Iterator[dict[str, Any]]:
    _, names = animation_names(graph)
    for k, edge in enumerate(graph.edges):
        yield _row(graph, k, names[k], edge)


def _row(graph: Graph, number: int, animation: str, edge: Edge) -> dict[str, Any]:
    trial = edge.trial
    values = (
        number,
        animation,
        graph.clips[edge.first].name,
        graph.clips[edge.second].name,
        round(trial.leave / RATE, 6),
        round(trial.enter / RATE, 6),
        round(trial.frames / RATE, 6),
        round(trial.placement.turn, 6),
        round(trial.placement.x, 6),
        round(trial.placement.z, 6),
        round(edge.score, 4),
        round(trial.slide, 6),
        str(trial.severity),
    )
    return dict(zip(COLUMNS, values, strict=True))


def _motions(graph: Graph) -> Iterator[tuple[str, Motion]]:
    """Yield all clips, then all transitions: from the frame that is left to the frame that is entered."""
    clips, transitions = animation_names(graph)
    for name, clip in zip(clips, graph.clips, strict=True):
        yield name, graph.clip(clip.name)
    for k, (name, edge) in enumerate(zip(transitions, graph.edges, strict=True)):
        leave, enter = edge.trial.leave, edge.trial.enter
        route = assemble(graph.contents, [Step(edge.first, leave, leave, k), Step(edge.second, enter, enter)])
        yield name, route.motion


class _Writer:
    """Writes motions of the graph's figure on its own skeleton, or on that of a user's clip."""

    def __init__(self, graph: Graph, skeleton: str | Path | None) -> None:
        self._figure = graph.figure
        self._source = None if skeleton is None else ClipSource.from_clip(io.read(skeleton))

    def frames(self, motion: Motion) -> Clip:
        return on_skeleton(motion, self._source).to_clip(RATE)

    def write(self, clips: Clip | Mapping[str, Clip], path: Path) -> None:
        scale, up = (1.0, "Y") if self._source is None else (self._source.space.scale, self._source.space.up)
        io.write(clips, path, scale=scale, up=up)


def on_skeleton(motion: Motion, source: ClipSource | None) -> Motion:
    """Return a motion of poses on the skeleton of a clip, carried onto the person of the clip."""
    if source is None:
        return motion
    poses: Poses = carried(motion.poses, motion.figure, source.figure)
    return Motion(Motion.from_poses(source.figure, poses, motion.fps).tracks, source)


def _write_text(path: Path, text: str) -> None:
    with atomic_write(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
