"""Seam of a cycle: joint values over three periods, raw, closed and fitted, and the map of self-similarity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from segue.body.human import HUMAN
from segue.cycle.cycle import Stages, loop_of, stages_of
from segue.cycle.likeness import Likeness
from segue.cycle.search import distances
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.view.charts import joint_values, tidy
from segue.view.palette import colour
from segue.view.picture import Picture, blank

_DEFAULT_DOFS = ("left_hip_rotation_x", "left_knee_flexion", "right_shoulder_rotation_x", "root_y")
_PERIODS = 3
_AROUND = 1.5  # periods about the cycle that the map shows
_MAP = 240  # times a side


def seam(motion: Motion, cycle: Motion, names: Sequence[str] | None = None) -> Picture:
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
    times = np.linspace(low, high, _MAP)
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
    axes.figure.colorbar(image, ax=axes, fraction=0.046, pad=0.03, label="how unlike (% of what moves)")
