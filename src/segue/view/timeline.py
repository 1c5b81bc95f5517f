"""The time line of a motion: which tracks are defined when and by what, as in figure 6 of [Rose1996]."""

from __future__ import annotations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

from segue.errors import ArgumentError
from segue.motion.coverage import gaps_of
from segue.motion.functions import Blend, Curve, Function
from segue.motion.interval import Interval
from segue.motion.motion import Motion
from segue.motion.rows import track_rows
from segue.view.palette import colour
from segue.view.picture import DPI, Picture

__all__ = ["timeline"]

_TINTS = ("blue", "vermilion", "green", "purple", "orange", "sky blue")
_GAP = {"fc": "white", "ec": "0.45", "hatch": "....", "lw": 0.8, "ls": "--"}
_CONFLICT = {"fc": "0.85", "ec": "0.2", "hatch": "xxx", "lw": 0.8}
_BLEND_HATCH = "//"


def timeline(motion: Motion) -> Picture:
    """Return a bar for each stretch of each limb, joint or track, in the colour of the source that defines it.

    Gaps are dotted, conflicts crossed, blends hatched; limbs whose tracks are all alike share a row.
    """
    if not motion.tracks:
        raise ArgumentError("the motion defines nothing: there is no time line to draw")
    rows = track_rows(motion)
    canvas = Canvas(figsize=(9.0, 1.3 + 0.38 * len(rows)), dpi=DPI, layout="constrained")
    FigureCanvasAgg(canvas)
    axes = canvas.subplots()
    sources: dict[int, tuple[str, str]] = {}
    legend: dict[str, Patch] = {}
    for y, (_, track) in enumerate(rows):
        for interval in track:
            look, label = _look(interval, sources)
            axes.broken_barh([(interval.start, interval.stop - interval.start)], (y - 0.36, 0.72), **look)
            legend.setdefault(label, Patch(label=label, **look))
        for gap in gaps_of({"row": track}, motion.start, motion.stop):
            axes.broken_barh([(gap.start, gap.stop - gap.start)], (y - 0.36, 0.72), **_GAP)
            legend.setdefault("gap", Patch(label="gap", **_GAP))
    axes.set_yticks(range(len(rows)), [label for label, _ in rows])
    axes.invert_yaxis()
    axes.set_xlim(motion.start, motion.stop)
    axes.set_xlabel("time (s)")
    for edge in ("top", "right", "left"):
        axes.spines[edge].set_visible(False)
    axes.tick_params(axis="y", length=0)
    canvas.legend(handles=list(legend.values()), loc="outside upper right", ncols=4, frameon=False)
    return Picture(canvas)


def _look(interval: Interval, sources: dict[int, tuple[str, str]]) -> tuple[dict[str, object], str]:
    """Return how to draw an interval, and what to call it in the legend."""
    if interval.is_conflict:
        return dict(_CONFLICT), "conflict"
    function = interval.functions[0]
    tint, name = _source_of(function, sources)
    look: dict[str, object] = {"fc": colour(tint), "ec": "white", "lw": 0.8}
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
        sources[key] = (_TINTS[len(sources) % len(_TINTS)], name if name not in taken else f"{name} {len(sources) + 1}")
    return sources[key]
