"""Parts of the pictures of simulated dances: parts one above the other, and panels over the time of the dance.

All parts have one width, and all panels begin and end at the same columns, so that a time is at one column throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import SubFigure

from segue.dance.planning.model import Plan
from segue.dance.simulation import SimulatedDance
from segue.errors import ArgumentError
from segue.typing import Array
from segue.view.charts import tidy
from segue.view.dance_figures import FAINT
from segue.view.palette import colour
from segue.view.picture import TEXT, Picture, blank

WIDTH, LEFT, RIGHT = 12.0, 1.05, 0.3
"""Inches: of a picture, and to the left and the right of its panels."""

LEGEND: dict[str, Any] = {
    "fontsize": 8.5,
    "labelcolor": TEXT,
    "borderaxespad": 0.0,
    "handlelength": 1.8,
    "edgecolor": "none",
    "framealpha": 0.85,
}
"""Look of legends."""

_GAP = 0.16  # inches between panels
_HEAD, _FOOT = 0.62, 0.5  # inches above the first panel, for its title and the beats, and below the last one
_ROOM = 0.16  # inches for the number of a beat
_BAR_ROOM = 0.3  # inches for the number of a bar


class Part(NamedTuple):
    """A part of a picture: its height in inches, and the function that draws it on a subfigure of that size."""

    height: float
    draw: Callable[[SubFigure], None]


def stacked(parts: Sequence[Part]) -> Picture:
    """Return a picture of parts one above the other."""
    heights = [part.height for part in parts]
    canvas = blank((WIDTH, sum(heights)))
    places = canvas.subfigures(len(parts), 1, squeeze=False, height_ratios=heights, hspace=0.0)[:, 0]
    for place, part in zip(places, parts, strict=True):
        part.draw(place)
    return Picture(canvas)


def check_danced(dance: SimulatedDance) -> None:
    """Raise ArgumentError if a dance is too short to draw."""
    if len(dance.positions) < 2:
        raise ArgumentError(f"the dance has {len(dance.positions)} frames: a picture needs at least 2")


def panels(dance: SimulatedDance, title: str, heights: Sequence[float], fill: Callable[[Sequence[Axes]], None]) -> Part:
    """Return a part of panels over time with the beats above them. heights: in inches. fill: draws the panels."""
    whole = _HEAD + sum(heights) + _GAP * (len(heights) - 1) + _FOOT

    def draw(place: SubFigure) -> None:
        bottom, axes = whole - _HEAD, []
        for height in heights:
            bottom -= height
            box = (LEFT / WIDTH, bottom / whole, 1 - (LEFT + RIGHT) / WIDTH, height / whole)
            axes.append(place.add_axes(box))
            bottom -= _GAP
        fill(axes)
        head(place, whole, title, axes[0].get_legend_handles_labels()[0])
        for panel in axes:
            panel.set_xlim(0.0, float(dance.times[-1]))
            panel.tick_params(labelbottom=panel is axes[-1])
            panel.tick_params(labelsize=8.5)
            panel.yaxis.set_label_coords(-0.55 / (WIDTH - LEFT - RIGHT), 0.5)
            _draw_beats(panel, dance)
        _number_beats(axes[0], dance.plan)
        axes[-1].set_xlabel("time (s)", fontsize=9)

    return Part(whole, draw)


def head(place: SubFigure, height: float, title: str, looks: Sequence[Artist] = ()) -> None:
    """Write the title of a part, and a legend on its right. height: of the part, in inches."""
    place.text(0.16 / WIDTH, 1 - 0.22 / height, title, fontsize=11.5, fontweight="bold", color=TEXT, va="center")
    if looks:
        corner = (1 - RIGHT / WIDTH, 1 - 0.08 / height)
        place.legend(handles=looks, loc="upper right", bbox_to_anchor=corner, ncols=len(looks), **LEGEND)


def ink(name: str) -> str:
    """Return a colour by name as #rrggbb."""
    return to_hex(tuple(colour(name).tolist()))


def _draw_beats(axes: Axes, dance: SimulatedDance) -> None:
    """Draw lines at the beats, darker at the first of a bar, and a red line at a fall."""
    tidy(axes, axes.get_ylabel())
    axes.yaxis.label.set_fontsize(9)
    # the beats are the grid of time, and images need no grid of values
    axes.grid(visible=False, axis="both" if axes.images else "x")
    beats = _danced(dance)
    for k, time in enumerate(beats):
        first = k % dance.plan.tempo.beats_per_bar == 0
        axes.axvline(time, color="0.62" if first else "0.86", lw=0.9 if first else 0.7, zorder=0.5)
    if dance.fall is not None:
        axes.axvline(dance.fall.time, color=colour("red"), lw=1.4, zorder=4)


def _danced(dance: SimulatedDance) -> Array:
    beats: Array = dance.plan.beats
    danced: Array = beats[beats <= dance.times[-1]]
    return danced


def _number_beats(axes: Axes, plan: Plan) -> None:
    """Write the numbers of the beats above a panel, or of the bars if the beats are too close."""
    start, stop = axes.get_xlim()
    for time, text in beat_numbers(plan, (WIDTH - LEFT - RIGHT) / (stop - start)):
        if time <= stop:
            axes.annotate(
                text,
                (time, 1.0),
                (0, 4),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="center",
                fontsize=8,
                color=FAINT,
            )


def beat_numbers(plan: Plan, inches: float) -> list[tuple[float, str]]:
    """Return times in s and the numbers to write at them. inches: of a second on paper.

    The numbers are those of the beats in their bars, such as 1 2 3, or of bars if there is little space.
    """
    count, beat = plan.tempo.beats_per_bar, plan.tempo.beat
    beats = plan.beats
    if beat * inches >= _ROOM:
        return [(float(time), str(k % count + 1)) for k, time in enumerate(beats)]
    every = 2 ** max(0, int(np.ceil(np.log2(_BAR_ROOM / (count * beat * inches)))))
    return [
        (float(time), f"bar {k // count + 1}" if k == 0 else str(k // count + 1))
        for k, time in enumerate(beats[:-1])
        if k % (count * every) == 0
    ]
