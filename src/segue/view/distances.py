"""Distance maps of two motions, with figures along both axes and the chosen cut point, and of a cycle with its seam."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

from segue.body.human import HUMAN
from segue.cycle.cycle import Stages, loop_of, stages_of
from segue.cycle.likeness import Likeness
from segue.cycle.search import distances
from segue.errors import ArgumentError
from segue.filling.cut_times import Window
from segue.filling.cutting import CutPoint
from segue.filling.cutting_map import DistanceMap
from segue.motion.motion import Motion
from segue.typing import Array
from segue.view.charts import joint_values, tidy
from segue.view.picture import DPI, TEXT, Picture, blank, colour
from segue.view.strips import thumbnails

_WIDTH, _HEIGHT = 9.6, 8.0  # inches
_MAP = (0.165, 0.2, 0.69, 0.735)  # of the picture: left, bottom, width, height
_FIGURE = 0.98  # inches that a figure beside an axis is high
_ACROSS, _ALONG = 8, 5  # figures along the axes
_MINIMA = 12  # places that are marked
_BRIGHTEST = 0.95  # quantile of distances from which all look alike


def plot_distance_map(
    first: Motion,
    second: Motion,
    compared: DistanceMap,
    cuts: Sequence[CutPoint] = (),
    *,
    windows: tuple[Window, Window] | None = None,
    names: tuple[str, str] = ("the first motion", "the second motion"),
) -> Picture:
    """Return the distance of two motions during a transition, over the times of leaving and entering.

    compared: from `segue.library.distance_map`. cuts: cut points, the chosen one first, which is drawn in colour;
    others of the same duration are numbered. windows: search windows of the cut points. names: of the motions.
    """
    canvas = blank((_WIDTH, _HEIGHT))
    axes = canvas.add_axes(_MAP)
    low, high = (float(np.quantile(compared.distances, share)) for share in (0.0, _BRIGHTEST))
    extent = (*_ends(compared.leaves), *_ends(compared.enters))
    image = axes.imshow(
        compared.distances.T,
        origin="lower",
        extent=extent,
        aspect="auto",
        cmap="viridis",
        vmin=low,
        vmax=high,
        interpolation="bilinear",
    )
    bar = canvas.colorbar(image, cax=canvas.add_axes((_MAP[0] + _MAP[2] + 0.02, _MAP[1], 0.018, _MAP[3])), extend="max")
    bar.set_label("distance (leg lengths)")
    everywhere = (extent[0], extent[1]), (extent[2], extent[3])
    for place in compared.minima(*(windows or everywhere), _MINIMA):
        axes.plot(place.leave, place.enter, "o", mfc="none", mec="white", mew=1.1, ms=5, alpha=0.85)
    if windows is not None:
        _draw_window(axes, *windows)
    if cuts:
        _draw_cuts(axes, cuts)
        axes.set_title(cuts[0].describe(*names), fontsize=10, color=TEXT, pad=9)
    axes.set_xlabel(f"leave {names[0]} at (s)")
    axes.set_ylabel(f"enter {names[1]} at (s)")
    chosen = (cuts[0].leave, cuts[0].enter) if cuts else (None, None)
    _draw_figures(axes, first, chosen[0], colour("blue"), below=True)
    _draw_figures(axes, second, chosen[1], colour("red"), below=False)
    return Picture(canvas)


def _ends(moments: Array) -> tuple[float, float]:
    """Return the outer edges of the first and the last cell."""
    half = 0.5 * float(moments[1] - moments[0]) if len(moments) > 1 else 0.5
    return float(moments[0]) - half, float(moments[-1]) + half


def _draw_window(axes: Axes, leave: Window, enter: Window) -> None:
    size = leave[1] - leave[0], enter[1] - enter[0]
    axes.add_patch(Rectangle((leave[0], enter[0]), *size, fill=False, ec="white", lw=1.5, ls=(0, (5, 3))))


def _draw_cuts(axes: Axes, cuts: Sequence[CutPoint]) -> None:
    best = cuts[0]
    for moment, draw, name in ((best.leave, axes.axvline, "blue"), (best.enter, axes.axhline, "red")):
        draw(moment, color="white", lw=2.4, alpha=0.9)
        draw(moment, color=colour(name), lw=1.2)
    for rank, cut in enumerate(cuts, start=1):
        if cut.duration != best.duration:
            continue  # the map is of another duration
        axes.annotate(
            f"{rank}",
            (cut.leave, cut.enter),
            (8, 6),
            textcoords="offset points",
            color="white",
            fontsize=9,
            weight="bold",
        )
        axes.plot(cut.leave, cut.enter, "o", color="white", ms=4)
    axes.plot(best.leave, best.enter, "o", mfc="none", mec="white", mew=4.0, ms=13)
    axes.plot(best.leave, best.enter, "o", mfc="none", mec=colour("red"), mew=2.2, ms=13)


def _draw_figures(axes: Axes, motion: Motion, chosen: float | None, tint: Array, *, below: bool) -> None:
    """Draw the figure beside an axis at some times, and in colour at the cut point."""
    canvas = axes.figure
    assert isinstance(canvas, Canvas), "the axes are drawn on the picture itself"
    low, high = axes.get_xlim() if below else axes.get_ylim()
    count = _ACROSS if below else _ALONG
    shown = np.linspace(low, high, 2 * count + 1)[1::2]
    if chosen is not None:
        # the neighbours make space for the figure at the cut point
        clear = np.abs(shown - chosen) > 0.95 * (high - low) / count
        shown = np.append(shown[clear], chosen)
    is_chosen = shown == chosen
    tints = np.where(is_chosen[:, None], tint, colour("silver"))
    poses = motion.at(np.clip(shown, motion.start, motion.stop))
    images = thumbnails(motion.figure, poses, tints, round(1.5 * _FIGURE * DPI))
    tall, wide = _FIGURE / _HEIGHT, _FIGURE / _WIDTH * images[0].shape[1] / images[0].shape[0]
    for moment, image in zip(shown.tolist(), images, strict=True):
        share = (moment - low) / (high - low)
        if below:
            place = (_MAP[0] + share * _MAP[2] - wide / 2, 0.005, wide, tall)
        else:
            place = (0.005, _MAP[1] + share * _MAP[3] - tall / 2, wide, tall)
        panel = canvas.add_axes(place)
        panel.imshow(image, interpolation="lanczos")
        panel.set_axis_off()


_DEFAULT_DOFS = ("left_hip_rotation_x", "left_knee_flexion", "right_shoulder_rotation_x", "root_y")
_PERIODS = 3
_AROUND = 1.5  # periods about the cycle that the map shows
_SIDE = 240  # times a side


def plot_seam(motion: Motion, cycle: Motion, names: Sequence[str] | None = None) -> Picture:
    """Return how a cycle was made from a motion: joint values on the left, distances of all times on the right.

    names: of degrees of freedom; a hip, a knee, a shoulder and the root's height if not given. Values are
    in the frame that travels with the cycle: as cut from the motion, with the gap between both ends spread over the
    period, and as fitted, for three periods. The map is [Rose1996], section 3.3: the distance of two poses over the
    motion within the cycle. The boxes are the search windows of both ends.
    """
    chosen = list(_DEFAULT_DOFS if names is None else names)
    for name in chosen:
        if name not in HUMAN.dof_names:
            raise ArgumentError(f"the figure has no degree of freedom '{name}': there are {', '.join(HUMAN.dof_names)}")
    if not chosen:
        raise ArgumentError("there is nothing to draw: at least one name is needed")
    height = max(0.8 + 1.6 * len(chosen), 4.4)
    canvas = blank((12.5, height), constrained=True)
    left, right = np.asarray(canvas.subfigures(1, 2, width_ratios=(1.35, 1.0)))
    panels = left.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
    stages = stages_of(motion, cycle)
    for panel, name in zip(panels, chosen, strict=True):
        _draw_stages(panel, stages, name)
    panels[-1].set_xlabel("time since the cycle began (s)")
    left.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    left.align_ylabels(panels)
    _draw_map(right.subplots(), motion, cycle)
    return Picture(canvas)


def _draw_stages(axes: Axes, stages: Stages, name: str) -> None:
    period = stages.times[-1]
    cut, closed, fitted = (joint_values(poses, name) for poses in (stages.cut, stages.closed, stages.fitted))
    unit = "m" if name in ("root_x", "root_y", "root_z") else "degrees"
    for k in range(_PERIODS):
        times = stages.times + k * period
        once = k == 0
        axes.fill_between(
            times, cut, closed, color=colour("orange"), alpha=0.45, lw=0, label="offset" if once else None
        )
        axes.plot(times, cut, color=colour("grey"), lw=1.1, label="as captured" if once else None)
        axes.plot(times[[0, -1]], cut[[0, -1]], "o", color=colour("black"), ms=3.5, label="raw ends" if once else None)
        axes.plot(times, fitted, color=colour("blue"), lw=1.7, label="fitted cycle" if once else None)
        if k:
            axes.axvline(times[0], color="0.6", lw=0.8, ls=":")
    gap = f"gap {cut[-1] - cut[0]:+.3f} m" if unit == "m" else f"gap {cut[-1] - cut[0]:+.1f} degrees"
    axes.annotate(
        gap,
        (1.0, 1.0),
        (-3, -3),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="right",
        va="top",
        fontsize=8,
        color="0.25",
    )
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.12 * (high - low))
    axes.set_xlim(0.0, _PERIODS * period)
    tidy(axes, f"{name.replace('_rotation', '').replace('_', ' ')}\n({unit})")


def _draw_map(axes: Axes, motion: Motion, cycle: Motion) -> None:
    made = loop_of(cycle).seam
    period = made.stop - made.start
    low, high = max(motion.start, made.start - _AROUND * period), min(motion.stop, made.stop + _AROUND * period)
    likeness = Likeness(motion, low, high)
    spread = likeness.spread(made.start, made.stop, 1.0 / motion.fps)
    times = np.linspace(low, high, _SIDE)
    unlike = 100.0 * distances(likeness, times, times).T / max(spread, 1e-12)
    unlike[times[:, None] <= times] = np.nan  # the cycle stops after it starts
    image = axes.imshow(
        unlike, origin="lower", extent=(low, high, low, high), cmap="viridis", vmin=0.0, vmax=150.0, aspect="equal"
    )
    corner = made.first.start, made.last.start
    axes.add_patch(Rectangle(corner, made.first.length, made.last.length, fill=False, ec="white", lw=1.4))
    axes.plot(made.start, made.stop, "o", mfc="none", mec=colour("red"), mew=1.8, ms=9)
    axes.set_xlabel("start of the cycle (s)")
    axes.set_ylabel("stop of the cycle (s)")
    axes.set_title(f"{made.start:.2f} to {made.stop:.2f} s, ends differ by {made.score:.0%}", fontsize=10)
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    axes.figure.colorbar(image, ax=axes, fraction=0.046, pad=0.03, label="distance (% of what moves)")
