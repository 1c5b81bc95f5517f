"""Arm reaches side by side: each as a row of figures over its time, and how the limbs came to their goals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from segue.body.joints import GROUPS, JOINTS, side_of
from segue.curves.quaternion import Array
from segue.dance.simulation.classic import ArmReach
from segue.errors import ArgumentError
from segue.view.camera import Camera, View
from segue.view.charts import SIDE_LOOKS, tidy, without_side
from segue.view.dance_figures import in_one_scene, sided_tints, still
from segue.view.palette import colour
from segue.view.picture import DPI, TEXT, Picture
from segue.view.render import Image, Look, render

__all__ = ["arm_reaches"]

_CAMERA = Camera(24.0, 8.0, None)  # from before the figure, a little to its left: both arms are seen
_SHARES = np.linspace(0.0, 1.0, 6)  # of the time, at which the figure is shown
_CELL = (116, 176)  # pixels a figure
_NAMES, _CHART, _SCALE, _SIDE = 138, 350, 58, 22  # pixels before the figures, of the chart and its scale, at the edges
_HEAD, _FOOT, _APART = 46, 40, 34  # pixels above the first row, below the last, and between rows
_LOOK = Look(floor=(1.0, 1.0, 1.0), grid=None, samples=3)
_FAINT = "#7d8590"
_STYLES = {"shoulder": "-", "elbow": "--", "wrist": ":"}


def arm_reaches(reaches: Sequence[ArmReach]) -> Picture:
    """Return reaches as rows: the figure at equal shares of each one's time, and its angles to the goals over time.

    The grey bands behind the angles are where the normal distribution's curve would have them, 2 degrees wide to either
    side; the line at the end of the time is where all are to be at their goals.
    """
    if not reaches:
        raise ArgumentError("there is no reach to draw: at least one is needed")
    width = 2 * _SIDE + _NAMES + len(_SHARES) * _CELL[0] + _CHART
    height = _HEAD + len(reaches) * (_CELL[1] + _APART) - _APART + _FOOT
    canvas = Canvas(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(canvas)
    size = np.array([width, height], float)
    for share, column in zip(_SHARES, _columns(), strict=True):
        _write(
            canvas,
            size,
            column,
            14,
            f"{share:.0%} of its time" if share else "at rest",
            align="center",
            shade=_FAINT,
            points=8.5,
        )
    for row, reach in enumerate(reaches):
        top = _HEAD + row * (_CELL[1] + _APART)
        for column, image in zip(_columns(), _stills(reach), strict=True):
            canvas.figimage(image, round(column - _CELL[0] / 2), height - top - _CELL[1], origin="upper")
        _tell(canvas, size, top, reach)
        left = width - _SIDE - _CHART + _SCALE
        place = (left / width, 1 - (top + _CELL[1] - 6) / height, (_CHART - _SCALE) / width, (_CELL[1] - 6) / height)
        _chart(canvas.add_axes(place), reach, legend=row == 0, last=row == len(reaches) - 1)
    return Picture(canvas)


def _columns() -> Array:
    """Return the middles of the figures' columns, in pixels."""
    return _SIDE + _NAMES + _CELL[0] * np.arange(0.5, len(_SHARES), dtype=np.float64)


def _stills(reach: ArmReach) -> list[Image]:
    figure, poses = reach.record.figure, reach.motion.at(_SHARES * reach.seconds)
    shown = [still(poses, k) for k in range(len(poses))]
    view = _view([in_one_scene([(figure, each)]).spheres() for each in shown])
    return [render(in_one_scene([(figure, each)]), _tints(), view, _LOOK) for each in shown]


def _view(spheres: Sequence[tuple[Array, Array]]) -> View:
    centres, radii = (np.concatenate(part) for part in zip(*spheres, strict=True))
    return _CAMERA.fitting(centres, radii, _CELL, (0.02, 0.02, 0.02))


def _tints() -> Array:
    """Return the segments' colours (segments, 3): arms by their side, all else silver."""
    arms = np.array([joint.name in GROUPS["arms"] for joint in JOINTS])
    return np.where(arms[:, None], sided_tints(), colour("silver"))


def _tell(canvas: Canvas, size: Array, top: float, reach: ArmReach) -> None:
    """Write before a row what it shows, and how well it went."""
    report = reach.report()
    late = "never within 2°" if report["late_ms"] is None else f"{report['late_ms']:.0f} ms late"
    _write(canvas, size, _SIDE, top + 34, f"{reach.seconds:g} s", points=17, weight="bold")
    lines = (
        f"{reach.control}, {reach.footing}",
        f"{report['left_deg']:.2f}° left in the end",
        late,
        f"body moved {report['drift_mm']:.1f} mm",
    )
    for k, line in enumerate(lines):
        _write(canvas, size, _SIDE, top + 66 + 15 * k, line, points=8.5, shade=_FAINT if k == 0 else TEXT)


def _write(
    canvas: Canvas,
    size: Array,
    column: float,
    row: float,
    text: str,
    *,
    points: float,
    align: str = "left",
    weight: str = "normal",
    shade: str = TEXT,
) -> None:
    x, y = column / size[0], 1 - row / size[1]
    canvas.text(x, y, text, ha=align, va="top", fontsize=points, fontweight=weight, color=shade)


def _chart(axes: Axes, reach: ArmReach, legend: bool, last: bool) -> None:
    """Draw the angles of the limbs that moved, on the bands where they should be."""
    times = reach.times
    for limb in reach.limbs:
        wanted = np.degrees(reach.desired(limb))
        axes.fill_between(times, wanted - 2.0, wanted + 2.0, color="#e4e8ee", linewidth=0, zorder=0)
        tint = colour(SIDE_LOOKS[side_of(limb)][0])
        style = _STYLES[without_side(limb)]
        axes.plot(times, np.degrees(reach.angles(limb)), style, color=tint, lw=1.5, label=limb.replace("_", " "))
    axes.axvline(reach.seconds, color=_FAINT, lw=0.8)
    axes.set_xlim(0.0, times[-1])
    axes.set_xticks(np.arange(0.0, times[-1] + 0.1, 0.5 if reach.seconds < 2.0 else 1.0))
    axes.set_ylim(-4.0, None)
    tidy(axes, "")
    axes.set_ylabel("to go (degrees)", fontsize=8.5)
    axes.tick_params(labelsize=8)
    if last:
        axes.set_xlabel("time (s)", fontsize=8.5)
    if legend:
        axes.legend(fontsize=7.5, frameon=False, loc="upper right", handlelength=2.4, labelspacing=0.25)
