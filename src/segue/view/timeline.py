"""The time line of a motion: which tracks are defined when and by what, as in figure 6 of [Rose1996]."""

from __future__ import annotations

from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.figure import FigureBase
from matplotlib.patches import Patch

from segue.errors import ArgumentError
from segue.motion.coverage import Stretch, gaps_of
from segue.motion.functions import Blend, Curve, Function
from segue.motion.interval import Interval
from segue.motion.motion import Motion
from segue.motion.rows import track_rows
from segue.view.filled import Fill
from segue.view.palette import colour
from segue.view.picture import DPI, Picture

__all__ = ["TINTS", "draw_timeline", "timeline", "timeline_size"]

TINTS = ("blue", "vermilion", "sky blue", "yellow", "black", "orange")
"""Colours of sources, in the order of their appearance: of those in the palette the six that differ most for all."""

_GAP: dict[str, Any] = {"fc": "white", "ec": "0.45", "hatch": "....", "lw": 0.8, "ls": "--"}
_CONFLICT: dict[str, Any] = {"fc": "0.85", "ec": "0.2", "hatch": "xxx", "lw": 0.8}
_BLEND_HATCH = "//"
_FILLED: dict[str, Any] = {"fc": colour("green"), "ec": "white", "hatch": "\\\\", "lw": 0.8}


def timeline(motion: Motion) -> Picture:
    """Return a bar for each stretch of each limb, joint or track, in the colour of the source that defines it.

    Gaps are dotted, conflicts crossed, blends hatched, and what was filled is green and hatched the other way; limbs
    whose tracks are all alike share a row.
    """
    canvas = Canvas(figsize=timeline_size(motion), dpi=DPI, layout="constrained")
    FigureCanvasAgg(canvas)
    draw_timeline(canvas, motion)
    return Picture(canvas)


def timeline_size(motion: Motion) -> tuple[float, float]:
    """Return the width and height in inches that a time line wants."""
    if not motion.tracks:
        raise ArgumentError("the motion defines nothing: there is no time line to draw")
    return 9.0, 1.3 + 0.38 * len(track_rows(motion))


def draw_timeline(canvas: FigureBase, motion: Motion) -> None:
    """Draw a time line on a figure or a part of one."""
    rows = track_rows(motion)
    axes = canvas.subplots()
    sources: dict[int, tuple[str, str]] = {}
    legend: dict[str, Patch] = {}
    for y, (_, track) in enumerate(rows):
        bars: list[tuple[Interval | Stretch, dict[str, Any], str]] = [
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
    """Return how to draw an interval, and what to call it in the legend."""
    if interval.is_conflict:
        return dict(_CONFLICT), "conflict"
    function = interval.functions[0]
    if isinstance(function, Curve) and isinstance(getattr(function.source, "report", None), Fill):
        return dict(_FILLED), "filled"
    tint, name = _source_of(function, sources)
    look: dict[str, Any] = {"fc": colour(tint), "ec": "white", "lw": 0.8}
    if isinstance(function, Blend):
        return look | {"hatch": _BLEND_HATCH}, f"blend from {name}"
    return look, name


def _source_of(function: Function, sources: dict[int, tuple[str, str]]) -> tuple[str, str]:
    while isinstance(function, Blend):
        function = function.first
    assert isinstance(function, Curve), "a function is a curve of a source, or a blend of such"
    key = id(function.source)
    if key not in sources:
        name = getattr(function.source, "name", "poses")
        taken = [known for _, known in sources.values()]
        sources[key] = (TINTS[len(sources) % len(TINTS)], name if name not in taken else f"{name} {len(sources) + 1}")
    return sources[key]
