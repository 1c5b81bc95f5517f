"""Motion expressions as in figure 6 of [Rose1996]: operator trees, and time lines of the tracks of a motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import FigureBase
from matplotlib.patches import Patch

from segue.errors import ArgumentError
from segue.motion.functions import Blend, Function, Piece
from segue.motion.interval import Interval
from segue.motion.motion import Motion
from segue.motion.track_table import TrackSpan, gaps_of, timeline_rows
from segue.view.picture import Picture, blank, colour
from segue.view.strips import Fill

TINTS = ("blue", "vermilion", "sky blue", "yellow", "black", "orange")
"""Colours of sources in their order: the six of the palette that differ most, for any colour vision."""

_GAP: dict[str, Any] = {"fc": "white", "ec": "0.45", "hatch": "....", "lw": 0.8, "ls": "--"}
_CONFLICT: dict[str, Any] = {"fc": "0.85", "ec": "0.2", "hatch": "xxx", "lw": 0.8}
_BLEND_HATCH = "//"
_FILLED: dict[str, Any] = {"fc": colour("green"), "ec": "white", "hatch": "\\\\", "lw": 0.8}
_COLUMN, _ROW = 1.15, 0.85  # inches from leaf to leaf and from level to level
_LETTER = 0.085  # inches
_MOST_LEAVES = 60


def plot_timeline(motion: Motion) -> Picture:
    """Return a bar for each interval of each limb, joint or track, in the colour of its source.

    Gaps are dotted, conflicts crossed, blends hatched, and filled gaps are green and hatched the other way. Limbs whose
    tracks are all alike share a row.
    """
    canvas = blank(timeline_size(motion), constrained=True)
    draw_timeline(canvas, motion)
    return Picture(canvas)


def timeline_size(motion: Motion) -> tuple[float, float]:
    """Return the width and height of a time line in inches."""
    if not motion.tracks:
        raise ArgumentError("the motion defines nothing: there is no time line to draw")
    return 9.0, 1.3 + 0.38 * len(timeline_rows(motion.tracks))


def draw_timeline(canvas: FigureBase, motion: Motion) -> None:
    """Draw a time line on a figure or a part of one."""
    rows = timeline_rows(motion.tracks)
    axes = canvas.subplots()
    sources: dict[int, tuple[str, str]] = {}
    legend: dict[str, Patch] = {}
    for y, (_, track) in enumerate(rows):
        bars: list[tuple[Interval | TrackSpan, dict[str, Any], str]] = [
            (interval, *_look(interval, sources)) for interval in track
        ]
        bars += [(gap, _GAP, "gap") for gap in gaps_of({"row": track}, motion.start, motion.stop)]
        for stretch, look, label in bars:
            axes.broken_barh([(stretch.start, stretch.stop - stretch.start)], (y - 0.36, 0.72), **look)
            legend.setdefault(label, Patch(label=label, **look))
    axes.set_yticks(range(len(rows)), [label for label, _ in rows])
    axes.invert_yaxis()
    axes.set_xlim(motion.start, motion.stop)
    axes.set_xlabel("time (s)")
    for edge in ("top", "right", "left"):
        axes.spines[edge].set_visible(False)
    axes.tick_params(axis="y", length=0)
    canvas.legend(handles=list(legend.values()), loc="outside upper right", ncols=4, frameon=False)


def _look(interval: Interval, sources: dict[int, tuple[str, str]]) -> tuple[dict[str, Any], str]:
    """Return the look of an interval, and its name in the legend."""
    if interval.is_conflict:
        return dict(_CONFLICT), "conflict"
    function = interval.functions[0]
    if isinstance(function, Piece) and isinstance(getattr(function.source, "report", None), Fill):
        return dict(_FILLED), "filled"
    tint, name = _source_of(function, sources)
    look: dict[str, Any] = {"fc": colour(tint), "ec": "white", "lw": 0.8}
    if isinstance(function, Blend):
        return look | {"hatch": _BLEND_HATCH}, f"blend from {name}"
    return look, name


def _source_of(function: Function, sources: dict[int, tuple[str, str]]) -> tuple[str, str]:
    while isinstance(function, Blend):
        function = function.first
    assert isinstance(function, Piece), "a function is a piece of a source or a blend"
    key = id(function.source)
    if key not in sources:
        name = getattr(function.source, "name", "poses")
        taken = [known for _, known in sources.values()]
        sources[key] = (TINTS[len(sources) % len(TINTS)], name if name not in taken else f"{name} {len(sources) + 1}")
    return sources[key]


@dataclass(frozen=True)
class Operator:
    """A node of the tree: an operator or function with its operands, or a leaf, which is a motion or a number."""

    label: str
    operands: tuple[Operator, ...] = ()


def plot_operator_tree(root: Operator) -> Picture:
    """Return a picture of the tree: operators above their operands, motions at the bottom."""
    canvas = blank(tree_size(root))
    draw_tree(canvas, root)
    return Picture(canvas)


def plot_composition(root: Operator, motion: Motion) -> Picture:
    """Return the tree of an expression above the time line of its motion, as in figure 6."""
    (tree_width, tree_height), (width, height) = tree_size(root), timeline_size(motion)
    canvas = blank((max(tree_width, width), tree_height + height), constrained=True)
    above, below = canvas.subfigures(2, 1, height_ratios=[tree_height, height], squeeze=False)[:, 0]
    draw_tree(above, root)
    draw_timeline(below, motion)
    return Picture(canvas)


def tree_size(root: Operator) -> tuple[float, float]:
    """Return the width and height of a tree in inches."""
    leaves = _leaves(root)
    if leaves > _MOST_LEAVES:
        raise ArgumentError(f"the tree has {leaves} leaves: no more than {_MOST_LEAVES} can be drawn legibly")
    widest = max(len(node.label) for node, _ in _walk(root, 0))
    depth = max(level for _, level in _walk(root, 0))
    return max(_COLUMN, _LETTER * widest + 0.35) * max(leaves, 2) + 0.4, _ROW * (depth + 1) + 0.4


def draw_tree(canvas: FigureBase, root: Operator) -> None:
    """Draw a tree on a figure or a part of one."""
    leaves, depth = _leaves(root), max(level for _, level in _walk(root, 0))
    axes = canvas.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(-0.6, max(leaves, 2) - 0.4)
    axes.set_ylim(-depth - 0.7, 0.7)
    places: dict[int, float] = {}
    _place(root, iter(range(leaves)), places)
    for node, level in _walk(root, 0):
        x = places[id(node)]
        for operand in node.operands:
            axes.plot([x, places[id(operand)]], [-level, -level - 1], color="0.6", lw=1.3, zorder=1)
        tint = colour("blue") if node.operands else colour("vermilion")
        box: dict[str, Any] = {"boxstyle": "round,pad=0.4", "fc": "white", "ec": tint, "lw": 1.5}
        axes.text(x, -level, node.label, ha="center", va="center", fontsize=11, zorder=2, bbox=box)


def _leaves(root: Operator) -> int:
    return sum(1 for node, _ in _walk(root, 0) if not node.operands)


def _walk(node: Operator, level: int) -> Iterator[tuple[Operator, int]]:
    yield node, level
    for operand in node.operands:
        yield from _walk(operand, level + 1)


def _place(node: Operator, columns: Iterator[int], places: dict[int, float]) -> float:
    """Put leaves side by side and every operator above the middle of its operands, and return the node's column."""
    below = [_place(operand, columns, places) for operand in node.operands]
    places[id(node)] = (below[0] + below[-1]) / 2 if below else float(next(columns))
    return places[id(node)]
