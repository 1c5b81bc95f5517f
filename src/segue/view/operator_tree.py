"""The operator tree of a motion expression, as in figure 6 of [Rose1996]."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from segue.errors import ArgumentError
from segue.view.palette import colour
from segue.view.picture import DPI, Picture

__all__ = ["Operator", "operator_tree"]

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
    leaves = sum(1 for node, _ in _walk(root, 0) if not node.operands)
    if leaves > _MOST_LEAVES:
        raise ArgumentError(f"the tree has {leaves} leaves: no more than {_MOST_LEAVES} can be drawn legibly")
    widest = max(len(node.label) for node, _ in _walk(root, 0))
    column = max(_COLUMN, _LETTER * widest + 0.35)
    depth = max(level for _, level in _walk(root, 0))
    canvas = Canvas(figsize=(column * max(leaves, 2) + 0.4, _ROW * (depth + 1) + 0.4), dpi=DPI)
    FigureCanvasAgg(canvas)
    axes = canvas.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(-0.5 - 0.2 / column, max(leaves, 2) - 0.5 + 0.2 / column)
    axes.set_ylim(-depth - 0.5 - 0.2 / _ROW, 0.5 + 0.2 / _ROW)
    places: dict[int, float] = {}
    _place(root, iter(range(leaves)), places)
    for node, level in _walk(root, 0):
        x = places[id(node)]
        for operand in node.operands:
            axes.plot([x, places[id(operand)]], [-level, -level - 1], color="0.6", lw=1.3, zorder=1)
        tint = colour("blue") if node.operands else colour("vermilion")
        axes.text(
            x,
            -level,
            node.label,
            ha="center",
            va="center",
            fontsize=11,
            zorder=2,
            bbox={"boxstyle": "round,pad=0.4", "fc": "white", "ec": tint, "lw": 1.5},
        )
    return Picture(canvas)


def _walk(node: Operator, level: int) -> Iterator[tuple[Operator, int]]:
    yield node, level
    for operand in node.operands:
        yield from _walk(operand, level + 1)


def _place(node: Operator, columns: Iterator[int], places: dict[int, float]) -> float:
    """Put leaves side by side and every operator above the middle of its operands; return the node's column."""
    below = [_place(operand, columns, places) for operand in node.operands]
    places[id(node)] = (below[0] + below[-1]) / 2 if below else float(next(columns))
    return places[id(node)]
