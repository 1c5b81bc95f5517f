"""Arm reaches in rows: figures over time, and the angles of the limbs to their goals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from segue.body.human import HUMAN
from segue.body.layout import side_of
from segue.errors import ArgumentError
from segue.typing import Array
from segue.view.camera import Camera
from segue.view.charts import SIDE_LOOKS, tidy, without_side
from segue.view.dance_figures import FAINT, Sheet, fitting_view, in_one_scene, sided_tints, still
from segue.view.picture import TEXT, Picture, colour
from segue.view.render import Image, Look, render
from tests.support.thesis.reach import ArmReach

_CAMERA = Camera(24.0, 8.0, None)  # in front of the figure, a little to its left, so that both arms are seen
_SHARES = np.linspace(0.0, 1.0, 6)  # of the time, at which the figure is shown
_CELL = (116, 176)  # pixels a figure
_NAMES, _CHART, _SCALE, _SIDE = 138, 350, 58, 22  # pixels before the figures, of the chart and its scale, at the edges
_HEAD, _FOOT, _APART = 46, 40, 34  # pixels above the first row, below the last, and between rows
_LOOK = Look(floor=(1.0, 1.0, 1.0), grid=None, samples=3)
_STYLES = {"shoulder": "-", "elbow": "--", "wrist": ":"}


def arm_reaches(reaches: Sequence[ArmReach]) -> Picture:
    """Return a row for each reach: the figure at equal shares of its time, and the angles to the goals over time.

    Grey bands are the angles of the normal distribution's curve, 2 degrees wide to either side. The vertical line
    is the time at which every angle should be zero.
    """
    if not reaches:
        raise ArgumentError("there is no reach to draw: at least one is needed")
    width = 2 * _SIDE + _NAMES + len(_SHARES) * _CELL[0] + _CHART
    sheet = Sheet(width, _HEAD + len(reaches) * (_CELL[1] + _APART) - _APART + _FOOT)
    for share, column in zip(_SHARES, _columns(), strict=True):
        words = f"{share:.0%} of its time" if share else "at rest"
        sheet.text(column, 14, words, size=8.5, shade=FAINT, align="center")
    for row, reach in enumerate(reaches):
        top = _HEAD + row * (_CELL[1] + _APART)
        for column, image in zip(_columns(), _stills(reach), strict=True):
            sheet.image(column - _CELL[0] / 2, top, image)
        _describe(sheet, top, reach)
        right = width - _SIDE
        axes = sheet.axes(right - _CHART + _SCALE, top, right, top + _CELL[1] - 6)
        _chart(axes, reach, legend=row == 0, last=row == len(reaches) - 1)
    return sheet.picture


def _columns() -> Array:
    """Return the middles of the columns of figures, in pixels."""
    return _SIDE + _NAMES + _CELL[0] * np.arange(0.5, len(_SHARES), dtype=np.float64)


def _stills(reach: ArmReach) -> list[Image]:
    figure, poses = reach.record.figure, reach.motion.at(_SHARES * reach.seconds)
    scenes = [in_one_scene([(figure, still(poses, k))]) for k in range(len(poses))]
    view = fitting_view(scenes, _CAMERA, _CELL, (0.02, 0.02, 0.02))
    return [render(scene, _tints(), view, _LOOK) for scene in scenes]


def _tints() -> Array:
    """Return the colours of segments (segments, 3): arms by side, others silver."""
    arms = np.array([joint.name in HUMAN.groups["arms"] for joint in HUMAN.joints])
    return np.where(arms[:, None], sided_tints(), colour("silver"))


def _describe(sheet: Sheet, top: float, reach: ArmReach) -> None:
    """Write in front of a row the time and the errors of its reach."""
    report = reach.report()
    late = "never within 2°" if report["late_ms"] is None else f"{report['late_ms']:.0f} ms late"
    sheet.text(_SIDE, top + 34, f"{reach.seconds:g} s", size=17, weight="bold")
    lines = (
        f"{reach.control}, {reach.footing}",
        f"{report['left_deg']:.2f}° left in the end",
        late,
        f"body moved {report['drift_mm']:.1f} mm",
    )
    for k, line in enumerate(lines):
        sheet.text(_SIDE, top + 66 + 15 * k, line, size=8.5, shade=FAINT if k == 0 else TEXT)


def _chart(axes: Axes, reach: ArmReach, legend: bool, last: bool) -> None:
    """Draw the angles of the limbs that moved, on grey bands of the wanted angles."""
    times = reach.times
    for limb in reach.limbs:
        wanted = np.degrees(reach.desired(limb))
        axes.fill_between(times, wanted - 2.0, wanted + 2.0, color="#e4e8ee", linewidth=0, zorder=0)
        tint = colour(SIDE_LOOKS[side_of(limb)][0])
        style = _STYLES[without_side(limb)]
        axes.plot(times, np.degrees(reach.angles(limb)), style, color=tint, lw=1.5, label=limb.replace("_", " "))
    axes.axvline(reach.seconds, color=FAINT, lw=0.8)
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
