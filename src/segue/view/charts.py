"""Charts of a motion: joint values over time, and the path over the floor with its footprints."""

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
from segue.errors import ArgumentError
from segue.motion.contacts import find_contacts
from segue.typing import Array
from segue.view.palette import colour, course
from segue.view.picture import Picture, blank

SIDE_LOOKS = {"left": ("blue", "-"), "right": ("vermilion", "--"), "centre": ("black", "-")}
"""Colour and line of what belongs to a side of the body: they differ without colour, too."""

_MARGIN = 0.25  # metres of floor around the path
_MOST_LABELS = 40
_DEFAULT_DOFS = ("knee_flexion", "ankle_flexion", "elbow_flexion")


def curves(poses: Poses, names: Sequence[str] | None = None, *, fps: float = 60.0, start: float = 0.0) -> Picture:
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


def footprints(
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
