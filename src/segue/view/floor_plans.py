"""Floor plan of a dance: prints of shoes with numbers and beats, the path of the body, the line of dance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Polygon
from matplotlib.patheffects import withStroke

from segue.body.figure import Figure
from segue.dance.planning.feet import FootShape, ahead, outward
from segue.dance.planning.model import Bearing, Footprint, Footstep, Plan
from segue.errors import ArgumentError
from segue.typing import Array
from segue.view.picture import TEXT, Picture, blank, colour

_MARGIN = 0.32  # m of floor around what is drawn
_WIDEST, _FINEST, _COARSEST = 13.0, 5.0, 1.7  # inches; and inches a metre, at most and at least
_BELOW = 0.72  # inches for line of dance and scale
_RATE = 60.0  # samples a second of the body's way
_ROUNDED = 0.3  # s over which it is rounded
_TURNED = math.radians(2.0)
_FEET = {"left": "blue", "right": "vermilion"}
_PARTNER_FEET = {"left": "sky blue", "right": "orange"}
FLOOR = "#faf8f4"
"""Colour of the floor."""

# The rim of a left shoe from its instep round the toes and back, as shares of half its width (outwards) and of its
# length (from the heel's back end); our own drawing.
_SOLE = ((-0.62, 0.36), (-0.86, 0.55), (-0.98, 0.72), (-0.78, 0.90), (-0.28, 1.0), (0.30, 0.965), (0.82, 0.82),
         (1.0, 0.66), (0.86, 0.50), (0.66, 0.36))  # fmt: skip
_HEEL = ((-0.64, 0.29), (-0.72, 0.16), (-0.52, 0.035), (0.0, 0.0), (0.52, 0.035), (0.72, 0.16), (0.66, 0.29))
_LIGHT = 0.22


@dataclass(frozen=True)
class _Dancer:
    """Look of a dancer: colours of the feet by side, grey of the body's path, and name in the legend."""

    plan: Plan
    tints: dict[str, str]
    way: str
    who: str


def plot_floor_plan(plans: Plan | Sequence[Plan], *, title: str | None = None, numbers: bool = True) -> Picture:
    """Return a dance from above: footprints of one dancer or of a couple, numbered, with beats and headings.

    plans: one, or a leader's and a follower's. The part of a foot that lands is dark; a foot without weight is dashed.
    The line of dance runs to the right, the centre of the floor is above.
    """
    dancers = _dancers([plans] if isinstance(plans, Plan) else list(plans))
    low, high = _extent(dancers)
    scale = min(max(_WIDEST / (high[0] - low[0]), _COARSEST), _FINEST)
    size = scale * (high - low)
    canvas = blank((max(size[0], 6.4) + 0.3, size[1] + _BELOW + 0.85))
    width, height = canvas.get_size_inches()
    axes = canvas.add_axes(
        ((width - size[0]) / 2 / width, _BELOW / height, size[0] / width, size[1] / height), facecolor=FLOOR
    )
    prepare_floor(axes, low, high)
    for dancer in dancers:
        _draw_path(axes, dancer)
    for dancer in dancers:
        _draw_feet(axes, dancer, scale, numbers)
    draw_line_of_dance(canvas, width, height, scale)
    _draw_title(canvas, dancers, title, height)
    return Picture(canvas)


def _dancers(plans: list[Plan]) -> list[_Dancer]:
    if not 1 <= len(plans) <= 2:
        raise ArgumentError(f"there are {len(plans)} plans to draw: one dancer's or a couple's two are needed")
    if not all(plan.steps for plan in plans):
        raise ArgumentError("a plan has no steps: there is nothing to draw")
    if len(plans) == 1:
        return [_Dancer(plans[0], _FEET, "0.5", "")]
    return [_Dancer(plans[0], _FEET, "0.45", "leader's "), _Dancer(plans[1], _PARTNER_FEET, "0.72", "follower's ")]


def _extent(dancers: Sequence[_Dancer]) -> tuple[Array, Array]:
    """Return the lower left and upper right corners of the drawing, on paper."""
    points = [
        on_paper(foot.x, foot.z)
        for dancer in dancers
        for foot in (
            dancer.plan.begins.left,
            dancer.plan.begins.right,
            *(step.end for step in dancer.plan.footsteps),
        )
    ]
    corners = np.array(points)
    return corners.min(axis=0) - _MARGIN, corners.max(axis=0) + _MARGIN


def _draw_path(axes: Axes, dancer: _Dancer) -> None:
    """Draw the path of the body, and its heading at the end of every step."""
    times, way = _body_path(dancer.plan)
    fine = np.linspace(times[0], times[-1], round(_RATE * times[-1]))
    # a body with mass rounds the corners of its path
    smooth = scipy.ndimage.gaussian_filter1d(
        scipy.interpolate.PchipInterpolator(times, way, axis=0)(fine), 0.5 * _ROUNDED * _RATE, axis=0, mode="nearest"
    )
    x, z, heading = smooth.T
    tint = dancer.way
    axes.plot(z, x, color=tint, lw=1.8, zorder=2, solid_capstyle="round")
    for planned in dancer.plan.steps:
        at = min(int(np.searchsorted(fine, planned.stop)), len(fine) - 1)
        sine, cosine = ahead(float(heading[at]))
        tail, head = on_paper(x[at], z[at]), on_paper(x[at] + 0.13 * sine, z[at] + 0.13 * cosine)
        axes.add_patch(
            FancyArrowPatch(tail, head, arrowstyle="-|>", mutation_scale=9, color=tint, lw=1.2, shrinkA=0, zorder=4.5)
        )


def _body_path(plan: Plan) -> tuple[Array, Array]:
    """Return times (N,) of a plan's body goals, and x, z (m) and heading (rad) of the body then, (N, 3)."""
    feet = {"left": plan.begins.left, "right": plan.begins.right}
    waiting = sorted(plan.footsteps, key=lambda step: step.land)
    rows = []
    for goal in plan.body:
        while waiting and waiting[0].land <= goal.time + 1e-9:
            step = waiting.pop(0)
            feet[step.foot] = step.end
        x, z = (
            left + goal.weight * (right - left) for left, right in zip(feet["left"][:2], feet["right"][:2], strict=True)
        )
        rows.append((goal.time, x, z, goal.heading))
    table = np.array(rows)
    return table[:, 0], table[:, 1:]


def _draw_feet(axes: Axes, dancer: _Dancer, scale: float, numbers: bool) -> None:
    plan = dancer.plan
    for side, foot in (("left", plan.begins.left), ("right", plan.begins.right)):
        draw_shoe(axes, foot, Shoe.of(plan.figure, side), "0.6", Bearing.FLAT, fill=0.0, z=2.5)
    for number, step in enumerate(plan.footsteps):
        tint = colour(dancer.tints[step.foot])
        shoe = Shoe.of(plan.figure, step.foot)
        z = 3.0 + 0.01 * number
        if step.land > step.lift:
            _draw_flight(axes, step, tint, z - 0.5)
            draw_shoe(axes, step.end, shoe, tint, step.landing, fill=0.9 if step.weight else 0.0, z=z)
        elif abs(step.end.heading - step.start.heading) > _TURNED:
            draw_shoe(axes, step.end, shoe, tint, Bearing.TOE, fill=0.0, z=z - 0.3, line=0.8)
    if numbers:
        for step in plan.footsteps:
            if step.land > step.lift or step.weight:
                _draw_number(axes, plan, step, dancer.tints[step.foot], scale)


def _draw_flight(axes: Axes, step: Footstep, tint: Array, z: float) -> None:
    places = np.array([step.start[:2], *step.via, step.end[:2]])
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    if gone[-1] < 1e-6:
        return
    kept = np.append(np.diff(gone) > 1e-9, True)
    fine = scipy.interpolate.PchipInterpolator(gone[kept], places[kept], axis=0)(np.linspace(0.0, gone[-1], 40))
    axes.plot(fine[:, 1], fine[:, 0], ":", color=tint, lw=1.1, alpha=0.75, zorder=z)


def _draw_number(axes: Axes, plan: Plan, step: Footstep, tint: str, scale: float) -> None:
    """Write the step's number on its sole, and its beats beside the foot's outer edge."""
    planned = plan.steps[step.step]
    pivots = step.land == step.lift
    if pivots and any(
        each.step == step.step and each.foot == step.foot and each is not step for each in plan.footsteps
    ):
        return
    build = plan.figure.build
    place = point_on_paper(step.end, 0.0, 0.72 * float(build.toe[2]))
    size = min(max(2.6 * scale, 6.5), 11.0)
    draw_badge(axes, place, str(step.step + 1), colour(tint), size)
    first = round((planned.start - plan.lead_in) / plan.tempo.beat) % plan.tempo.beats_per_bar + 1
    beats = "-".join(str((first - 1 + i) % plan.tempo.beats_per_bar + 1) for i in range(planned.step.beats))
    label = f"{beats}  {planned.step.turn}" if planned.step.turn is not None else beats
    away = outward(step.foot) * 0.085
    axes.text(
        *point_on_paper(step.end, away, 0.3 * float(build.toe[2])),
        label,
        ha="center",
        va="center",
        fontsize=0.8 * size,
        color=TEXT,
        zorder=5,
        path_effects=[withStroke(linewidth=2.2, foreground=FLOOR)],
    )


def _draw_title(canvas: Canvas, dancers: Sequence[_Dancer], title: str | None, height: float) -> None:
    plan = dancers[0].plan
    titles = list(dict.fromkeys(planned.pattern.title for planned in plan.steps))
    words = title or ", ".join(titles)
    canvas.text(0.02, 1 - 0.28 / height, words, fontsize=13, fontweight="bold", color=TEXT, va="center")
    about = f"{plan.tempo.bars:g} bars a minute, {plan.tempo.beats_per_bar} beats a bar, facing centre is up"
    canvas.text(0.02, 1 - 0.55 / height, about, fontsize=8.5, color="0.45", va="center")
    handles: list[Artist] = [
        Patch(fc=colour(tint), ec="none", label=f"{dancer.who}{side} foot")
        for dancer in dancers
        for side, tint in dancer.tints.items()
    ]
    handles += [
        Line2D([], [], color=dancers[0].way, lw=1.8, label="the body's way, where it faces"),
        Patch(fc="0.35", ec="0.35", label="part that lands"),
        Patch(fc="white", ec="0.35", ls="--", label="no weight, or pivots"),
    ]
    canvas.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=len(handles) if len(dancers) == 1 else math.ceil(len(handles) / 2),
        frameon=False,
        fontsize=8,
        handlelength=1.2,
        columnspacing=1.4,
    )


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
    course = scipy.interpolate.CubicSpline(np.arange(len(rim)), rim, bc_type="natural")(
        np.linspace(0, len(rim) - 1, 60)
    )
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
