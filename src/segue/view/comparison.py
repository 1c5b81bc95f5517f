"""Versions of a motion against each other: pictures in rows, joint values in one panel, paths of feet in several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from segue.body.figure import Figure, Poses
from segue.body.joints import BALL_JOINTS, DOF_NAMES, side_of
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.view.charts import joint_values, tidy
from segue.view.palette import colour
from segue.view.picture import DPI, Label, Picture, labelled

__all__ = ["arranged", "compared_curves", "compared_paths"]

_LOOKS = (("black", "--"), ("vermilion", "-"), ("blue", "-."), ("green", ":"))
_SIDES = {"left": "blue", "right": "vermilion"}
_FEET = ("left_heel", "left_toe", "right_heel", "right_toe")
_TITLE = 26  # pixels above a picture that has a title
_APART = 16  # pixels between pictures


def arranged(rows: Sequence[Mapping[str, Picture]]) -> Picture:
    """Return pictures in rows, each under its title, which may be empty; those of a row stand on one line."""
    if not rows or not all(rows):
        raise ArgumentError("there is nothing to arrange: at least one row with one picture is needed")
    images = [[picture.pixels() for picture in row.values()] for row in rows]
    width = max(sum(image.shape[1] for image in row) + _APART * (len(row) - 1) for row in images)
    heights = [
        _TITLE * any(row) + max(image.shape[0] for image in pictures)
        for row, pictures in zip(rows, images, strict=True)
    ]
    sheet = np.full((sum(heights) + _APART * (len(rows) - 1), width, 3), 255, dtype=np.uint8)
    labels: list[Label] = []
    top = 0
    for row, pictures, height in zip(rows, images, heights, strict=True):
        # what a row lacks in width is shared out around its pictures
        spare = (width - sum(image.shape[1] for image in pictures)) / len(pictures)
        left = 0.5 * spare
        for title, image in zip(row, pictures, strict=True):
            high, wide = image.shape[:2]
            at = min(round(left), width - wide)
            sheet[top + height - high : top + height, at : at + wide] = image
            labels.append(Label(left + wide / 2, top + 6, title))
            left += wide + spare
        top += height + _APART
    return labelled(sheet, labels)


def compared_curves(versions: Mapping[str, Poses], names: Sequence[str], times: Array) -> Picture:
    """Return joint values of several versions of a motion, a panel for each joint, a line for each version.

    names: of degrees of freedom, or of ball joints, whose value is then the angle from where they began. times: (T,) in
    s. Angles in degrees.
    """
    if not versions or not names:
        raise ArgumentError("there is nothing to draw: at least one version and one name are needed")
    canvas = Canvas(figsize=(8.0, 0.7 + 1.5 * len(names)), dpi=DPI, layout="constrained")
    FigureCanvasAgg(canvas)
    panels = canvas.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names, strict=True):
        for (version, poses), (tint, style) in zip(versions.items(), _LOOKS, strict=False):
            axes.plot(times, _course_of(poses, name), style, color=colour(tint), lw=1.6, label=version)
        kind = "\nturned by" if name in BALL_JOINTS else ""
        tidy(axes, f"{name.replace('_', ' ')}{kind}\n(degrees)")
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=len(_LOOKS), frameon=False)
    canvas.align_ylabels(panels)
    panels[-1].set_xlabel("time (s)")
    panels[-1].set_xlim(times[0], times[-1])
    return Picture(canvas)


def _course_of(poses: Poses, name: str) -> Array:
    if name in BALL_JOINTS:
        turns = poses.ball(name)
        away = quaternion.log(quaternion.multiply(quaternion.conjugate(turns[:1]), turns))
        return np.asarray(np.degrees(np.linalg.norm(away, axis=1)), dtype=float)
    if name not in DOF_NAMES:
        raise ArgumentError(f"the figure has no degree of freedom '{name}': there are {', '.join(DOF_NAMES)}")
    return joint_values(poses, name)


def compared_paths(figure: Figure, versions: Mapping[str, Poses]) -> Picture:
    """Return the paths of heels and toes from above, a panel for each version; a dot marks where each ends."""
    if not versions:
        raise ArgumentError("there is nothing to draw: at least one version is needed")
    paths = {
        version: {point: 100 * figure.point(point, poses)[:, [0, 2]] for point in _FEET}
        for version, poses in versions.items()
    }
    places = np.concatenate([path for points in paths.values() for path in points.values()])
    low, high = places.min(axis=0) - 8.0, places.max(axis=0) + 8.0
    wide, deep = high[1] - low[1], high[0] - low[0]
    canvas = Canvas(figsize=(9.0, 1.2 + 4.2 * deep / wide), dpi=DPI, layout="constrained")
    FigureCanvasAgg(canvas)
    panels = canvas.subplots(1, len(paths), sharey=True, squeeze=False)[0]
    for axes, (version, points) in zip(panels, paths.items(), strict=True):
        for point, path in points.items():
            tint, style = colour(_SIDES[side_of(point)]), "-" if point.endswith("toe") else "--"
            axes.plot(path[:, 1], path[:, 0], style, color=tint, lw=1.6, label=point.replace("_", " "))
            axes.plot(path[-1, 1], path[-1, 0], "o", color=tint, ms=4)
        axes.set_title(version, fontsize=10)
        axes.set_xlabel("z, forward (cm)")
        axes.set_xlim(low[1], high[1])
        axes.set_ylim(low[0], high[0])
        axes.set_aspect("equal")
        tidy(axes, "x, left (cm)" if axes is panels[0] else "")
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return Picture(canvas)
