"""The operator tree of a motion expression, as in figure 6 of [Rose1996]."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.figure import FigureBase

from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.view.palette import colour
from segue.view.picture import DPI, Picture
from segue.view.timeline import draw_timeline, timeline_size

__all__ = ["Operator", "composition", "operator_tree"]

_COLUMN, _ROW = 1.15, 0.85  # inches from leaf to leaf and from level to level
_LETTER = 0.085  # inches
_MOST_LEAVES = 60


@dataclass(frozen=True)
class Operator:
    """A node of the tree: an operator or function with what it is applied to, or a leaf: a motion or a number."""

    label: str
    operands: tuple[Operator, ...] = ()


def operator_tree(root: Operator) -> Picture:
    """Return a picture of the tree: operators above what they are applied to, motions at the bottom."""
    canvas = Canvas(figsize=tree_size(root), dpi=DPI)
    FigureCanvasAgg(canvas)
    draw_tree(canvas, root)
    return Picture(canvas)


def composition(root: Operator, motion: Motion) -> Picture:
    """Return the tree of an expression above the time line of what it gives, as in figure 6."""
    (tree_width, tree_height), (width, height) = tree_size(root), timeline_size(motion)
    canvas = Canvas(figsize=(max(tree_width, width), tree_height + height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(canvas)
    above, below = canvas.subfigures(2, 1, height_ratios=[tree_height, height], squeeze=False)[:, 0]
    draw_tree(above, root)
    draw_timeline(below, motion)
    return Picture(canvas)


def tree_size(root: Operator) -> tuple[float, float]:
    """Return the width and height in inches that a tree wants."""
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
    """Put leaves side by side and every operator above the middle of its operands; return the node's column."""
    below = [_place(operand, columns, places) for operand in node.operands]
    places[id(node)] = (below[0] + below[-1]) / 2 if below else float(next(columns))
    return places[id(node)]
