"""A dance floor on paper: the floor with its scale and line of dance, prints of shoes, and numbers on discs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Polygon
from scipy.interpolate import CubicSpline

from segue.body.figure import Figure
from segue.dance.planning.feet import FootShape, ahead, outward
from segue.dance.planning.model import Bearing, Footprint
from segue.typing import Array
from segue.view.picture import TEXT

FLOOR = "#faf8f4"
"""Colour of the floor."""

# The rim of a left shoe from its instep round the toes and back, as shares of half its width (outwards) and of its
# length (from the heel's back end); our own drawing.
_SOLE = ((-0.62, 0.36), (-0.86, 0.55), (-0.98, 0.72), (-0.78, 0.90), (-0.28, 1.0), (0.30, 0.965), (0.82, 0.82),
         (1.0, 0.66), (0.86, 0.50), (0.66, 0.36))  # fmt: skip
_HEEL = ((-0.64, 0.29), (-0.72, 0.16), (-0.52, 0.035), (0.0, 0.0), (0.52, 0.035), (0.72, 0.16), (0.66, 0.29))
_LIGHT = 0.22


class Shoe(NamedTuple):
    """The outlines of sole and heel, (N, 2) in m, to the left and forward of the ankle."""

    sole: Array
    heel: Array

    @classmethod
    def of(cls, figure: Figure, side: str) -> Shoe:
        """Return the shoe of a figure's left or right foot."""
        shape = FootShape.of(figure)
        parts = (_rim(rim, shape) * (outward(side), 1.0) for rim in (_SOLE, _HEEL))
        return cls(*parts)


def _rim(points: tuple[tuple[float, float], ...], shape: FootShape) -> Array:
    rim = np.array(points)
    course = CubicSpline(np.arange(len(rim)), rim, bc_type="natural")(np.linspace(0, len(rim) - 1, 60))
    return course * (shape.half_width, shape.length) - (0.0, shape.heel)


def draw_shoe(
    axes: Axes,
    foot: Footprint,
    shoe: Shoe,
    tint: npt.ArrayLike | str,
    landing: Bearing,
    *,
    fill: float,
    z: float,
    line: float = 1.1,
) -> None:
    """Draw a print, forward to the right and left upwards.

    landing: the dark part, flat for both. fill: opacity; 0 draws a dashed outline only. z: drawing order.
    """
    sine, cosine = np.sin(foot.heading), np.cos(foot.heading)
    for part, outline in ((Bearing.TOE, shoe.sole), (Bearing.HEEL, shoe.heel)):
        left, forward = outline.T
        x, depth = foot.x + left * cosine + forward * sine, foot.z - left * sine + forward * cosine
        lands = landing in (part, Bearing.FLAT)
        alpha = fill if lands else min(_LIGHT, fill)
        look: dict[str, Any] = {"ls": "-" if fill else (0, (3, 2)), "lw": line, "ec": tint, "fill": False, "zorder": z}
        if fill:
            # white below, so that overlapping prints can be distinguished
            axes.add_patch(Polygon(np.column_stack([depth, x]), closed=True, fc="white", ec="none", zorder=z - 0.002))
            axes.add_patch(
                Polygon(np.column_stack([depth, x]), closed=True, fc=tint, alpha=alpha, ec="none", zorder=z - 0.001)
            )
        axes.add_patch(Polygon(np.column_stack([depth, x]), closed=True, **look))


def on_paper(x: float, z: float) -> tuple[float, float]:
    """Return the position on paper of a point of the floor. Forward is right, left is up."""
    return z, x


def prepare_floor(axes: Axes, low: Array, high: Array) -> None:
    """Set the extent of the floor on paper, and draw lines half a metre apart."""
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")
    axes.set_xticks(np.arange(math.ceil(2 * low[0]) / 2, high[0], 0.5))
    axes.set_yticks(np.arange(math.ceil(2 * low[1]) / 2, high[1], 0.5))
    axes.tick_params(length=0, labelbottom=False, labelleft=False)
    axes.grid(color="#e9e4da", lw=0.8)
    axes.set_axisbelow(True)
    for edge in axes.spines.values():
        edge.set_color("#d8d2c6")


def draw_badge(axes: Axes, place: tuple[float, float], text: str, tint: Array, size: float) -> None:
    """Write a number on a disc. size: in points."""
    axes.text(
        *place,
        text,
        ha="center",
        va="center",
        fontsize=size,
        fontweight="bold",
        color="white",
        zorder=5,
        bbox={"boxstyle": "circle,pad=0.22", "fc": tint, "ec": "white", "lw": 0.8},
    )


def point_on_paper(foot: Footprint, left: float, forward: float) -> tuple[float, float]:
    """Return the position on paper of a point beside a footprint. left, forward: in m from its middle."""
    sine, cosine = ahead(foot.heading)
    return on_paper(foot.x + left * cosine + forward * sine, foot.z - left * sine + forward * cosine)


def draw_line_of_dance(canvas: Canvas | SubFigure, width: float, height: float, scale: float) -> None:
    """Draw the line of dance and a scale below a floor. scale: inches a metre."""
    y = 0.3 / height
    canvas.add_artist(
        FancyArrowPatch(
            (0.3 / width, y),
            (1.5 / width, y),
            transform=canvas.transSubfigure,
            arrowstyle="-|>",
            mutation_scale=13,
            color=TEXT,
            lw=1.4,
        )
    )
    canvas.text(0.3 / width, y + 0.12 / height, "line of dance", fontsize=8, color=TEXT)
    right, bar = width - 0.35, 0.5 * scale
    canvas.add_artist(Line2D([(right - bar) / width, right / width], [y, y], color=TEXT, lw=2.2))
    canvas.text((right - bar / 2) / width, y + 0.12 / height, "0.5 m", ha="center", fontsize=8, color=TEXT)
