"""Seconds: ours, measured as the gallery is made, beside those of the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

import segue as sg
from segue.body.joints import DOF_NAMES
from segue.gallery.exhibit import Timing
from segue.gallery.figure_8 import walk_to_run
from segue.gallery.figure_9 import walk_and_salute
from segue.transition.seams import dofs_of
from segue.view.palette import colour
from segue.view.picture import DPI, TEXT, Picture

__all__ = ["COLUMNS", "cells", "measured", "table"]

COLUMNS = (
    "transition",
    "degrees of freedom",
    "gap",
    "coefficients",
    "iterations",
    "Segue",
    "the paper",
    "times faster",
)
_RUNS = 9
_PAPER_BODY, _PAPER_ARM = 72.0, 20.0  # s on a 100 MHz Pentium [Rose1996, section 5]


def measured() -> list[Timing]:
    """Return the times to fill gaps, each the best of several runs: to prepare the gaps and to solve them."""
    return [
        _timing("whole body, figure 8", walk_to_run, _PAPER_BODY),
        _timing("one arm, figure 9, twice", walk_and_salute, _PAPER_ARM),
    ]


def _timing(what: str, make: Callable[[], sg.Motion], paper: float) -> Timing:
    runs = [sg.fills(make()) for _ in range(_RUNS)]
    # the best: others are using the machine as well
    spent = min(sum(sum(fill.seconds) for fill in fills) for fills in runs)
    fills = runs[-1]
    joints = sum(len(dofs_of(track)) for track in fills[0].tracks)
    return Timing(
        what,
        min(joints, len(DOF_NAMES)),
        fills[0].stop - fills[0].start,
        fills[0].coefficients,
        sum(fill.iterations for fill in fills),
        spent,
        paper,
    )


def cells(timings: Sequence[Timing]) -> list[tuple[str, ...]]:
    """Return the table's rows as text."""
    return [
        (
            timing.what,
            str(timing.joints),
            f"{timing.gap:.1f} s",
            str(timing.coefficients),
            str(timing.iterations),
            f"{1000 * timing.ours:.1f} ms",
            f"{timing.paper:g} s",
            f"{timing.paper / timing.ours:,.0f}",
        )
        for timing in timings
    ]


def table(timings: Sequence[Timing]) -> Picture:
    """Return the table as a picture."""
    canvas = Canvas(figsize=(10.4, 0.12 + 0.42 * (len(timings) + 1)), dpi=DPI)
    FigureCanvasAgg(canvas)
    axes = canvas.add_axes((0.01, 0.02, 0.98, 0.96))
    axes.set_axis_off()
    widths = [0.23, 0.175, 0.06, 0.115, 0.1, 0.1, 0.1, 0.12]
    drawn = axes.table(
        cells(timings),
        colLabels=COLUMNS,
        colWidths=widths,
        loc="center",
        cellLoc="left",
        colLoc="left",
        edges="horizontal",
    )
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(10)
    drawn.scale(1.0, 1.9)
    for (row, column), cell in drawn.get_celld().items():
        cell.set_edgecolor("0.8")
        cell.set_text_props(
            color=colour("blue") if row and column == 5 else TEXT, weight="bold" if row == 0 else "normal"
        )
    return Picture(canvas)
