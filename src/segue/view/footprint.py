"""Prints of shoes on the floor: sole and heel, with the landing part dark."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from scipy.interpolate import CubicSpline

from segue.body.figure import Figure
from segue.curves.quaternion import Array
from segue.dance.planning.feet import FootShape, outward
from segue.dance.planning.model import Bearing, Footprint

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
