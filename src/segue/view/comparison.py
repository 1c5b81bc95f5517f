"""Versions of a motion compared: pictures in rows, joint values, and paths of the feet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import side_of
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.typing import Array
from segue.view.camera import Camera
from segue.view.character import character_of
from segue.view.charts import SIDE_LOOKS, joint_values, tidy
from segue.view.picture import Label, Picture, blank, colour, course, labelled
from segue.view.stage import check_drawable
from segue.view.strips import Fill, by_segment, exposures, filled_tints, natural_camera

VERSION_LOOKS = (("black", "--"), ("vermilion", "-"), ("blue", "-."), ("sky blue", ":"))
"""Colour and line of the first versions of a motion: they differ without colour, too."""

_AXES = {"above": (0, "x, left (cm)"), "beside": (1, "height (cm)")}
_FEET = ("left_heel", "left_toe_tip", "right_heel", "right_toe_tip")
_TELLING = 3  # joints drawn by default
_DENSE = 121  # times at which joint values are drawn
_WIDEST = 1300  # pixels: wider rows are split into one row for each picture
_TITLE = 26  # pixels above a picture that has a title
_APART = 16  # pixels between pictures


def arrange(rows: Sequence[Mapping[str, Picture]]) -> Picture:
    """Return pictures in rows, each under its title, which may be empty. Rows are aligned at the bottom."""
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
        # spare width is split around the pictures of a row
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


def plot_comparison(
    versions: Mapping[str, Motion],
    *,
    fills: Mapping[str, Iterable[Fill]] | None = None,
    times: int | Sequence[float] = 5,
    names: Sequence[str] | None = None,
    camera: Camera | None = None,
    spacing: float | None = None,
    height: int = 320,
) -> Picture:
    """Return exposures of several motions by name, side by side or one above the other, and joint values below.

    fills: filled gaps by the names of motions, drawn in colour; motions without fills are coloured by time. times: in
    s, or how many within the time that all motions share. names: of joints for `compared_curves`; the joints that
    differ most if not given. Other arguments are those of `strip`.
    """
    if isinstance(times, int) and times < 1:
        raise ArgumentError(f"times is {times}: at least 1 time is needed")
    if len(versions) < 2:
        raise ArgumentError(f"there is nothing to compare: at least two motions are needed, not {len(versions)}")
    for motion in versions.values():
        check_drawable(motion)
    start, stop = max(m.start for m in versions.values()), min(m.stop for m in versions.values())
    if not start < stop:
        raise ArgumentError(
            f"the motions have no time in common: one begins at {start:g} s, another ends at {stop:g} s"
        )
    moments = np.linspace(start, stop, times) if isinstance(times, int) else np.asarray(times, dtype=float)
    camera = natural_camera(*_first_seen(versions, moments)) if camera is None else camera
    pictures = {}
    for name, motion in versions.items():
        found = list((fills or {}).get(name, ()))
        tints = filled_tints(moments, found, colours="blue to red", limbs="blue to red", rest="silver")
        character = character_of(motion, moments)
        if not found and character is None:
            tints = by_segment(course("blue to red", len(moments)))
        stamps = [f"{moment:.2f} s" for moment in moments]
        pictures[name] = exposures(
            motion.figure,
            motion.at(moments),
            tints,
            stamps,
            camera=camera,
            spacing=spacing,
            height=height,
            character=character,
        )
    dense = np.linspace(moments[0], moments[-1], _DENSE) if len(moments) > 1 else np.linspace(start, stop, _DENSE)
    poses = {name: motion.at(dense) for name, motion in versions.items()}
    below = plot_compared_curves(poses, _telling(list(poses.values())) if names is None else names, dense)
    wide = sum(picture.pixels().shape[1] for picture in pictures.values()) > _WIDEST
    rows = [{name: picture} for name, picture in pictures.items()] if wide else [pictures]
    return arrange([*rows, {"": below}])


def _first_seen(versions: Mapping[str, Motion], moments: Array) -> tuple[Figure, Poses]:
    motion = next(iter(versions.values()))
    return motion.figure, motion.at(moments)


def _telling(poses: Sequence[Poses]) -> list[str]:
    """Return the joints that differ most between the first and the last version."""
    names = [*HUMAN.ball_names, *HUMAN.hinge_names]
    apart = {name: float(np.abs(_course_of(poses[0], name) - _course_of(poses[-1], name)).max()) for name in names}
    telling = sorted(apart, key=lambda name: -apart[name])[:_TELLING]
    return [name for name in names if name in telling]


def plot_compared_curves(versions: Mapping[str, Poses], names: Sequence[str], times: Array) -> Picture:
    """Return joint values of several versions of a motion, a panel for each joint, a line for each version.

    names: of degrees of freedom, or of ball joints, whose value is the angle from the first pose. times: (T,) in s.
    Angles in degrees.
    """
    if not versions or not names:
        raise ArgumentError("there is nothing to draw: at least one version and one name are needed")
    canvas = blank((8.0, 0.7 + 1.5 * len(names)), constrained=True)
    panels = canvas.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names, strict=True):
        for (version, poses), (tint, style) in zip(versions.items(), VERSION_LOOKS, strict=False):
            axes.plot(times, _course_of(poses, name), style, color=colour(tint), lw=1.6, label=version)
        kind = "\nturned by" if name in HUMAN.ball_names else ""
        tidy(axes, f"{name.replace('_', ' ')}{kind}\n(degrees)")
    canvas.legend(
        *panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=len(VERSION_LOOKS), frameon=False
    )
    canvas.align_ylabels(panels)
    panels[-1].set_xlabel("time (s)")
    panels[-1].set_xlim(times[0], times[-1])
    return Picture(canvas)


def _course_of(poses: Poses, name: str) -> Array:
    if name in HUMAN.ball_names:
        turns = poses.ball(name)
        away = quaternion.log(quaternion.multiply(quaternion.conjugate(turns[:1]), turns))
        return np.asarray(np.degrees(np.linalg.norm(away, axis=1)), dtype=float)
    if name not in HUMAN.dof_names:
        raise ArgumentError(f"the figure has no degree of freedom '{name}': there are {', '.join(HUMAN.dof_names)}")
    return joint_values(poses, name)


def plot_compared_paths(figure: Figure, versions: Mapping[str, Poses], *, seen: str = "above") -> Picture:
    """Return the paths of heels and toe tips, a panel for each version. A dot marks the end of each path.

    seen: "above", or "beside", which draws heights above a grey floor.
    """
    if not versions:
        raise ArgumentError("there is nothing to draw: at least one version is needed")
    if seen not in _AXES:
        raise ArgumentError(f"seen is '{seen}': paths are seen from {' or '.join(_AXES)}")
    axis, label = _AXES[seen]
    paths = {
        version: {point: 100 * figure.point(point, poses)[:, [axis, 2]] for point in _FEET}
        for version, poses in versions.items()
    }
    places = np.concatenate([path for points in paths.values() for path in points.values()])
    low, high = places.min(axis=0) - 8.0, places.max(axis=0) + 8.0
    wide, deep = high[1] - low[1], high[0] - low[0]
    canvas = blank((9.0, 1.2 + 4.2 * deep / wide), constrained=True)
    panels = canvas.subplots(1, len(paths), sharey=True, squeeze=False)[0]
    for axes, (version, points) in zip(panels, paths.items(), strict=True):
        if seen == "beside":
            axes.axhspan(low[0], 0.0, color="0.88", lw=0)
        for point, path in points.items():
            tint, style = colour(SIDE_LOOKS[side_of(point)][0]), "-" if point.endswith("toe_tip") else "--"
            axes.plot(path[:, 1], path[:, 0], style, color=tint, lw=1.6, label=point.replace("_", " "))
            axes.plot(path[-1, 1], path[-1, 0], "o", color=tint, ms=4)
        axes.set_title(version, fontsize=10)
        axes.set_xlabel("z, forward (cm)")
        axes.set_xlim(low[1], high[1])
        axes.set_ylim(low[0], high[0])
        axes.set_aspect("equal")
        tidy(axes, label if axes is panels[0] else "")
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return Picture(canvas)
