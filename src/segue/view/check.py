"""A check's report over time: feet, floor, torque and jerk, with findings marked."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from segue.body.layout import side_of
from segue.curves.sampled import runs
from segue.plausibility import Finding, Observed, Report, Severity, Thresholds
from segue.plausibility.jumps import jerks
from segue.plausibility.slide import sole_slips
from segue.plausibility.torque import strength_of
from segue.typing import Array, Flags
from segue.view.charts import SIDE_LOOKS, tidy
from segue.view.palette import colour
from segue.view.picture import Picture, blank

_FASTEST = 100.0  # cm/s: faster soles belong to steps and are not drawn
_HIGHEST = 25.0  # cm
_BAR = 0.05  # of a panel's height, for the bars of a planted point


def checked(seen: Observed, report: Report) -> Picture:
    """Return a motion's report over time: speed of the soles, their height, torque and jerk.

    seen, report: of the same motion. Faults are red, suspicious findings orange. Bars are times when heels and balls
    bear the body, grey is flight.
    """
    most = report.thresholds
    canvas = blank((9.0, 8.0), constrained=True)
    panels = canvas.subplots(4, 1, sharex=True)
    _draw_speeds(panels[0], seen)
    _draw_heights(panels[1], seen, most)
    efforts = [seen.torques[joint] / limit for joint in seen.torques if (limit := strength_of(joint)) is not None]
    known = np.where(np.isfinite(efforts), efforts, 0.0).max(axis=0)
    _draw_line(panels[2], seen, known, most.of("torque").fault, "torque\n(x strength)")
    _draw_line(panels[3], seen, jerks(seen.times, seen.extremes).max(axis=1), most.of("jerk").fault, "jerk\n(m/s^3)")
    found = [finding for finding in report.findings if finding.severity > Severity.FINE]
    for panel in panels:
        for first, stop in runs(seen.aloft):
            panel.axvspan(seen.times[first], seen.times[stop - 1], color="0.92", lw=0)
        for finding in found:
            if finding.time is not None:
                panel.axvline(finding.time, color=_tint(finding), lw=1.0, ls=":")
    _name_findings(panels[0], found)
    canvas.align_ylabels(panels)
    panels[-1].set_xlabel("time (s)")
    panels[-1].set_xlim(report.measures.start, max(report.measures.stop, report.measures.start + seen.dt))
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return Picture(canvas)


def _draw_speeds(axes: Axes, seen: Observed) -> None:
    slips = sole_slips(seen.times, seen.soles, seen.bearing)
    for row, point in enumerate(seen.soles):
        tint, style = SIDE_LOOKS[side_of(point)]
        width = 1.6 if point.endswith("ball") else 0.8
        speed = 100 * np.linalg.norm(slips[point], axis=1)
        axes.plot(seen.times, speed, style, color=colour(tint), lw=width, label=point.replace("_", " "))
        _draw_bars(axes, seen.times, seen.bearing[point], -_BAR * (row + 1), tint)
    axes.set_ylim(-4 * _BAR * _FASTEST - 2.0, _FASTEST)
    tidy(axes, "speed of soles\n(cm/s)")


def _draw_bars(axes: Axes, times: Array, flags: Flags, level: float, tint: str) -> None:
    spans = [(times[first], times[stop - 1] - times[first]) for first, stop in runs(flags)]
    axes.broken_barh(spans, (level * _FASTEST, 0.8 * _BAR * _FASTEST), color=colour(tint), lw=0)


def _draw_heights(axes: Axes, seen: Observed, most: Thresholds) -> None:
    for side in ("left", "right"):
        tint, style = SIDE_LOOKS[side]
        lowest = np.min(
            [seen.ground.above(track) for point, track in seen.soles.items() if side_of(point) == side], axis=0
        )
        axes.plot(seen.times, 100 * lowest, style, color=colour(tint), lw=1.4)
    axes.axhline(0.0, color="0.4", lw=0.8)
    deepest = most.of("penetration_cm").fault
    if np.isfinite(deepest):
        axes.axhline(-deepest, color=colour("red"), lw=0.8, ls="--")
    lowest_of_all = 100 * min(seen.ground.above(track).min() for track in seen.soles.values())
    axes.set_ylim(min(-1.4 * min(deepest, _HIGHEST), 1.1 * lowest_of_all), _HIGHEST)
    tidy(axes, "lowest of the sole\n(cm above floor)")


def _draw_line(axes: Axes, seen: Observed, values: Array, most: float, label: str) -> None:
    axes.plot(seen.times, values, color=colour("black"), lw=1.2)
    if np.isfinite(most):
        axes.axhline(most, color=colour("red"), lw=0.8, ls="--")
    axes.set_ylim(0.0, max(1.05 * float(values.max()), 1.2 * most if np.isfinite(most) else 0.0, 1e-6))
    tidy(axes, label)


def _name_findings(axes: Axes, found: list[Finding]) -> None:
    """Write the measure of each finding at its time, in rows above the panel so that they do not overlap."""
    placed = sorted((finding for finding in found if finding.time is not None), key=lambda finding: finding.time or 0.0)
    for row, finding in enumerate(placed):
        axes.annotate(
            finding.measure,
            (finding.time or 0.0, 1.0),
            (0, 3 + 10 * (row % 4)),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=_tint(finding),
        )


def _tint(finding: Finding) -> Array:
    return colour("red" if finding.severity is Severity.FAULT else "orange")
