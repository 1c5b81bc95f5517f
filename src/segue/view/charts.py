"""Charts of a motion: joint values, the path over the floor with its footprints, and a check's report over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import side_of
from segue.curves import quaternion
from segue.curves.sampled import runs
from segue.errors import ArgumentError
from segue.motion.contacts import find_contacts
from segue.plausibility import Finding, Observed, Report, Severity, Thresholds
from segue.plausibility.jumps import jerks
from segue.plausibility.slide import sole_slips
from segue.plausibility.torque import strength_of
from segue.typing import Array, Flags
from segue.view.picture import Picture, blank, colour, course

SIDE_LOOKS = {"left": ("blue", "-"), "right": ("vermilion", "--"), "centre": ("black", "-")}
"""Colour and line of what belongs to a side of the body: they differ without colour, too."""

_MARGIN = 0.25  # metres of floor around the path
_MOST_LABELS = 40
_DEFAULT_DOFS = ("knee_flexion", "ankle_flexion", "elbow_flexion")


def plot_curves(poses: Poses, names: Sequence[str] | None = None, *, fps: float = 60.0, start: float = 0.0) -> Picture:
    """Return joint values over time, a panel for each, left and right together.

    names: of degrees of freedom; knees, ankles and elbows if not given. A ball joint's are the parts of
    its rotation vector. Angles in degrees, the root's place in metres. start: the time of the first pose, in s.
    """
    chosen = [f"{side}_{dof}" for dof in _DEFAULT_DOFS for side in ("left", "right")] if names is None else list(names)
    for name in chosen:
        if name not in HUMAN.dof_names:
            raise ArgumentError(f"the figure has no degree of freedom '{name}': there are {', '.join(HUMAN.dof_names)}")
    if not chosen or len(poses) == 0:
        raise ArgumentError("there is nothing to draw: at least one name and one frame are needed")
    panels = list(dict.fromkeys(without_side(name) for name in chosen))
    canvas = blank((8.0, 0.7 + 1.7 * len(panels)), constrained=True)
    all_axes = canvas.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    times = start + np.arange(len(poses)) / fps
    for axes, panel in zip(all_axes, panels, strict=True):
        for name in (name for name in chosen if without_side(name) == panel):
            tint, style = SIDE_LOOKS[side_of(name)]
            axes.plot(times, joint_values(poses, name), style, color=colour(tint), lw=1.6, label=side_of(name))
        tidy(axes, f"{panel.replace('_', ' ')}\n({'m' if panel in ('root_x', 'root_y', 'root_z') else 'degrees'})")
    if any(side_of(name) != "centre" for name in chosen):
        lines = {line.get_label(): line for axes in all_axes for line in axes.get_lines()}
        canvas.legend(list(lines.values()), list(lines), loc="outside upper right", ncols=3, frameon=False)
    all_axes[-1].set_xlabel("time (s)")
    all_axes[-1].set_xlim(start, max(times[-1], start + 1.0 / fps))
    return Picture(canvas)


def plot_footprints(
    figure: Figure, poses: Poses, *, fps: float = 60.0, start: float = 0.0, colours: str = "blue to red"
) -> Picture:
    """Return the floor from above: the path of the root in the colours of time, and a sole for each stance.

    Up to 40 soles are labelled with their times. start: the time of the first pose, in s.
    """
    if len(poses) < 2:
        raise ArgumentError(f"the poses have {len(poses)} frames: a way over the floor needs at least 2")
    soles = _soles(figure, poses, fps, start)
    way = poses.root[:, [0, 2]]
    everything = np.concatenate([way, *[outline for _, outline, _ in soles]])
    low, high = everything.min(axis=0), everything.max(axis=0)
    # half a label must fit beyond the first and the last step
    margin = np.array([_MARGIN, max(_MARGIN, 0.07 * (high[1] - low[1]))])
    low, high = low - margin, high + margin
    size = high - low
    scale = 8.5 / max(size)  # inches a metre
    canvas = blank((scale * size[1] + 0.8, scale * size[0] + 0.7), constrained=True)
    axes = canvas.subplots()
    for side, outline, label in soles:
        tint = colour(SIDE_LOOKS[side][0])
        axes.add_patch(Polygon(outline[:, ::-1], closed=True, fc=(*tint, 0.25), ec=tint, lw=1.2))
        if len(soles) > _MOST_LABELS:
            continue
        # beside the sole, on the outer side of the foot
        edge, drop, hold = (outline.max, 4, "bottom") if side == "left" else (outline.min, -4, "top")
        place = (outline[:, 1].mean(), edge(axis=0)[0])
        axes.annotate(
            label, place, (0, drop), textcoords="offset points", ha="center", va=hold, fontsize=8, color="0.25"
        )
    pieces = np.stack([way[:-1, ::-1], way[1:, ::-1]], axis=1)
    axes.add_collection(LineCollection(list(pieces), colors=course(colours, len(pieces)), linewidths=2.0))
    axes.set_xlim(low[1], high[1])
    axes.set_ylim(low[0], high[0])
    axes.set_aspect("equal")
    axes.set_xlabel("z, forward (m)")
    tidy(axes, "x, left (m)")
    return Picture(canvas)


def _soles(figure: Figure, poses: Poses, fps: float, start: float) -> list[tuple[str, Array, str]]:
    """Return (side, outline (N, 2) as x and z, "from to" seconds) of every stance."""
    times = np.arange(len(poses)) / fps
    positions, rotations = figure.forward(poses)
    soles = []
    for side in ("left", "right"):
        ball = {f"{side}_toe_tip": figure.point(f"{side}_toe_tip", poses)}
        at = HUMAN.segments.index(f"{side}_foot")
        for contact in find_contacts(times, ball, figure.stature):
            middle = round(0.5 * (contact.start + contact.stop) * fps)
            shape = quaternion.rotate(rotations[middle, at], _outline(figure)) + positions[middle, at]
            soles.append((side, shape[:, [0, 2]], f"{start + contact.start:.2f} to {start + contact.stop:.2f} s"))
    return soles


def _outline(figure: Figure) -> Array:
    """Return the rim of a sole in the foot's frame, (N, 3)."""
    build = figure.build
    back, front = -build.heel, float(build.toe[2]) + build.toes
    angle = np.linspace(0.0, 2 * np.pi, 40, endpoint=False)
    along = 0.5 * (back + front) + 0.5 * (front - back) * np.cos(angle)
    # wider at the ball than at the heel
    half_width = figure.stature * (0.024 + 0.005 * np.cos(angle))
    return np.stack([half_width * np.sin(angle), np.full(len(angle), -build.sole), along], axis=1)


def joint_values(poses: Poses, name: str) -> Array:
    """Return a degree of freedom over time, (T,), in degrees, or metres of the root's place."""
    if name in HUMAN.hinge_names:
        return np.degrees(poses.hinge(name))
    joint, _, axis = name.rpartition("_")
    joint = joint.removesuffix("_rotation")
    if name in ("root_x", "root_y", "root_z"):
        return poses.root[:, "xyz".index(axis)]
    assert joint in HUMAN.ball_names, "every degree of freedom is the root's, a hinge's or a ball joint's"
    return np.degrees(quaternion.log(poses.ball(joint))[:, "xyz".index(axis)])


def without_side(name: str) -> str:
    """Return the name of a joint or degree of freedom for both sides of the body."""
    return name if side_of(name) == "centre" else name.split("_", 1)[1]


def tidy(axes: Axes, label: str) -> None:
    """Set the label of a panel, and give it a light grid without a frame."""
    axes.set_ylabel(label)
    axes.grid(color="0.9", lw=0.8)
    axes.set_axisbelow(True)
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)


_FASTEST = 100.0  # cm/s: faster soles belong to steps and are not drawn
_HIGHEST = 25.0  # cm
_BAR = 0.05  # of a panel's height, for the bars of a planted point


def plot_check(seen: Observed, report: Report) -> Picture:
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
