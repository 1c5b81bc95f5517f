"""Rotations through keyframes, before and after improvement: components, tracks on the sphere, lengths and residuals.

These are figures 7 to 10 of [Ramamoorthi1997], for any keyframes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Circle

from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.keyframe import DynamicSpline, RotationImprovement, RotationPath
from segue.typing import Array
from segue.view.charts import tidy
from segue.view.picture import Picture, blank, colour

_SAMPLES = 600
_BEATS = 60
"""Dots along a track, evenly spaced in time: where they are close, the body turns slowly."""
_TENTHS = 10
_BODY_AXES = {"x": ("vermilion", (1.0, 0.0, 0.0)), "y": ("green", (0.0, 1.0, 0.0)), "z": ("blue", (0.0, 0.0, 1.0))}
# seen from a little to the right and from above, so that no axis hides another
_EYE_TURN = quaternion.multiply(
    quaternion.exp(np.array([np.radians(25.0), 0.0, 0.0])), quaternion.exp(np.array([0.0, np.radians(-35.0), 0.0]))
)
_LINES = (("grey", ":"), ("vermilion", "--"), ("blue", "-"), ("green", "-."), ("purple", "-"), ("orange", "--"))


def rotation_components(improvement: RotationImprovement) -> Picture:
    """Return w, x, y, z and the angular speed over time: initial spline, improved path, keyframes, variable frames."""
    canvas, panels = _panels(5, 1.3)
    initial, path = improvement.initial, improvement.path
    times = _times(path.spline)
    keys = ~path.spline.free.any(axis=1)
    at_frames = path.quaternions(path.spline.times)
    for c, axes in enumerate(panels[:4]):
        axes.plot(times, initial.at(times)[:, c], "--", color=colour("grey"), lw=1.4, label="spline")
        axes.plot(times, path.quaternions(times)[:, c], color=colour("blue"), lw=1.6, label="improved")
        axes.plot(path.spline.times[keys], at_frames[keys, c], "o", color=colour("black"), ms=5, label="keyframes")
        between = path.spline.times[~keys], at_frames[~keys, c]
        axes.plot(*between, "o", mfc="white", mec=colour("blue"), ms=4, label="variable frames")
        tidy(axes, "wxyz"[c])
    for shown, style, tint in ((initial, "--", "grey"), (path, "-", "blue")):
        speed = np.degrees(np.linalg.norm(shown.angular_velocity(times), axis=1))
        panels[4].plot(times, speed, style, color=colour(tint), lw=1.6)
    for time in path.spline.times[keys]:
        panels[4].axvline(time, color="0.8", lw=0.8)
    tidy(panels[4], "speed\n(degrees/s)")
    canvas.align_ylabels(panels)
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    return _finished(canvas, panels, times)


def rotation_tracks(improvement: RotationImprovement) -> Picture:
    """Return the tracks of the body's axes on the sphere, before and after; dots are evenly spaced in time."""
    canvas = blank((9.0, 5.4), constrained=True)
    halves = np.asarray(canvas.subplots(1, 2))
    for axes, path, name in zip(halves, (improvement.initial, improvement.path), ("spline", "improved"), strict=True):
        _draw_sphere(axes, path, improvement.initial.spline.times)
        axes.set_title(f"{name}: energy {path.energy:.4g} rad²/s³", fontsize=11)
    canvas.legend(*halves[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return Picture(canvas)


def rotation_lengths(stages: Sequence[DynamicSpline]) -> Picture:
    """Return the length of the quaternions over time at stages of an improvement of the soft form, the last one solid.

    `on_step` of `inbetween_rotations` sees them as they come.
    """
    if not stages:
        raise ArgumentError("there is nothing to draw: at least one stage is needed")
    canvas, panels = _panels(2, 2.0)
    times = _times(stages[-1])
    for k, spline in enumerate(stages):
        last = k == len(stages) - 1
        share = (k + 1) / len(stages)
        departure = 100.0 * (np.linalg.norm(spline.at(times), axis=1) - 1.0)
        for axes in panels:
            axes.plot(
                times,
                departure,
                "-" if last else "--",
                color=colour("blue") if last else (1 - share) * 0.55 + 0.3 * np.ones(3),
                lw=1.8 if last else 1.0,
                label="at the end" if last else ("before" if k == 0 else None),
            )
    worst = float(np.abs(np.linalg.norm(stages[-1].at(times), axis=1) - 1.0).max())
    tidy(panels[0], "length less 1 (%)")
    tidy(panels[1], "the same,\nnear zero (%)")
    panels[1].set_ylim(-300.0 * worst, 300.0 * worst)
    panels[0].legend(frameon=False)
    return _finished(canvas, panels, times)


def rotation_residuals(improvements: Mapping[str, RotationImprovement]) -> Picture:
    """Return the Euler-Lagrange residual of several improvements, integrated over equal tenths of the time.

    The first line is the initial spline; marks below are the frames that subdivision added.
    """
    if not improvements:
        raise ArgumentError("there is nothing to draw: at least one improvement is needed")
    first = next(iter(improvements.values()))
    lines = {"initial spline": (first.initial, first)} | {
        name: (found.path, found) for name, found in improvements.items()
    }
    canvas, panels = _panels(1, 4.0)
    axes = panels[0]
    keys = first.initial.spline.times
    edges = np.linspace(keys[0], keys[-1], _TENTHS + 1)
    for k, (name, (path, found)) in enumerate(lines.items()):
        tint, style = _LINES[k % len(_LINES)]
        axes.stairs(
            _by_tenths(path, found, edges), edges, baseline=None, color=colour(tint), ls=style, lw=1.8, label=name
        )
        added = [time for done in found.details.rounds[1:] for time in done.added] if k else []
        axes.plot(
            added,
            np.full(len(added), 0.015 + 0.03 * k),
            "^",
            color=colour(tint),
            ms=7,
            transform=axes.get_xaxis_transform(),
        )
    for time in keys:
        axes.axvline(time, color="0.8", lw=0.8)
    axes.set_yscale("log")
    tidy(axes, "residual in a tenth")
    axes.legend(frameon=False)
    return _finished(canvas, panels, edges)


def _by_tenths(path: RotationPath, found: RotationImprovement, edges: Array) -> Array:
    sampling = path.spline.sampling(24)
    times, weights = sampling.quadrature
    residual = found.measure(path.spline, sampling)
    tenth = np.clip(np.searchsorted(edges, times, "right") - 1, 0, _TENTHS - 1)
    return np.bincount(tenth, weights * residual, _TENTHS).astype(float)


def _draw_sphere(axes: Axes, path: RotationPath, keys: Array) -> None:
    """Draw what the body's axes do, seen from the front; what lies behind the sphere is pale."""
    axes.add_patch(Circle((0.0, 0.0), 1.0, fc="0.97", ec="0.75", lw=1.0))
    start, stop = path.spline.times[[0, -1]]
    times = np.linspace(start, stop, _SAMPLES)
    for name, (tint, axis) in _BODY_AXES.items():
        rgb = colour(tint)
        track, beats, at_keys = (
            quaternion.rotate(_EYE_TURN, quaternion.rotate(path.at(at), np.array(axis)))
            for at in (times, np.linspace(start, stop, _BEATS), keys)
        )
        pieces = np.stack([track[:-1, :2], track[1:, :2]], axis=1)
        shades = np.where(track[:-1, 2:] > 0, 1.0, 0.25)
        tints = np.concatenate([np.broadcast_to(rgb, (len(pieces), 3)), shades], axis=1)
        axes.add_collection(LineCollection(list(pieces), colors=tints, linewidths=1.3))
        front = beats[:, 2] > 0
        axes.plot(*beats[front, :2].T, ".", color=rgb, ms=5, label=f"body's {name} axis")
        axes.plot(*beats[~front, :2].T, ".", color=rgb, alpha=0.25, ms=5)
        label = "keyframes" if name == "z" else None
        axes.plot(*at_keys[:, :2].T, "o", mfc="none", mec=colour("black"), ms=6, label=label)
    axes.set_aspect("equal")
    axes.set_xlim(-1.06, 1.06)
    axes.set_ylim(-1.06, 1.06)
    axes.axis("off")


def _panels(count: int, height: float) -> tuple[Canvas, list[Axes]]:
    canvas = blank((8.0, 0.7 + height * count), constrained=True)
    return canvas, list(canvas.subplots(count, 1, sharex=True, squeeze=False)[:, 0])


def _finished(canvas: Canvas, panels: Sequence[Axes], times: Array) -> Picture:
    panels[-1].set_xlabel("time (s)")
    panels[-1].set_xlim(times[0], times[-1])
    return Picture(canvas)


def _times(spline: DynamicSpline) -> Array:
    return np.linspace(spline.times[0], spline.times[-1], _SAMPLES)
