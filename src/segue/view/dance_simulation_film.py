"""A simulated dance as a film: the dancer on every beat, and below it when which foot bears how much."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D

from segue.curves.quaternion import Array
from segue.dance.simulation import SimulatedDance
from segue.errors import ArgumentError
from segue.view.camera import Camera, View
from segue.view.dance_figures import SIDE_COLOURS, in_one_scene, sided_tints, still
from segue.view.dance_sheet import FAINT
from segue.view.dance_simulation_forces import foot_forces
from segue.view.dance_simulation_panels import LEFT, RIGHT, WIDTH, Part, check_danced, head, ink, stacked
from segue.view.palette import colour
from segue.view.picture import DPI, TEXT, Picture
from segue.view.render import Image, Look, render

__all__ = ["dance_film", "film_part"]

_HEAD, _FOOT = 0.42, 0.12  # inches above the first row and below the last
_FIGURE, _BARS, _APART = 1.85, 0.62, 0.16  # inches of a row: its figures, its feet; and between rows
_NARROWEST = 0.8  # inches a figure
_MARGINS = (0.02, 0.01, 0.05)
_LOOK = Look(grid=0.25, fade=0.6, border=0.08)
_AZIMUTH, _ELEVATION = 32.0, 9.0  # degrees: before the dancer, a little to its left
_THICKEST = 0.42  # of the distance of the two feet's rows, for a foot that bears the weight twice


class _Row(NamedTuple):
    """A stretch of music: when it starts and stops, s, and at which times the dancer is shown."""

    start: float
    stop: float
    moments: Array


def dance_film(dance: SimulatedDance, *, camera: Camera | None = None) -> Picture:
    """Return the dancer on every beat, in rows of whole bars, with the feet's loads and landings below.

    The thickness of a foot's line is what it bears. A triangle is a landing that is due, a bar across the line one that
    was made. camera: before the dancer where it begins, if not given; it goes along but does not turn.
    """
    return stacked([film_part(dance, camera)])


def film_part(dance: SimulatedDance, camera: Camera | None = None) -> Part:
    """Return `dance_film` as a part of a picture."""
    check_danced(dance)
    if not dance.plan.steps:
        raise ArgumentError("the plan has no steps: there is no beat to show the dancer on")
    if camera is None:
        camera = Camera(_AZIMUTH + float(np.degrees(dance.plan.begins.heading)), _ELEVATION, None)
    rows = _rows(dance)
    height = _HEAD + len(rows) * (_FIGURE + _BARS) + (len(rows) - 1) * _APART + _FOOT

    def draw(place: SubFigure) -> None:
        head(place, height, "On every beat", _looks())
        cell = min(_inches(rows[0]) * dance.plan.tempo.beat, 2.0)
        view = _view(dance, rows, camera, (round(DPI * cell), round(DPI * _FIGURE)))
        for k, row in enumerate(rows):
            top = height - _HEAD - k * (_FIGURE + _BARS + _APART)
            for moment in row.moments:
                middle = LEFT + (moment - row.start) * _inches(row)
                _put(place, height, middle, top, _image(dance, float(moment), view))
            box = (LEFT / WIDTH, (top - _FIGURE - _BARS) / height, 1 - (LEFT + RIGHT) / WIDTH, _BARS / height)
            _draw_feet(place.add_axes(box), dance, row)

    return Part(height, draw)


def _looks() -> list[Artist]:
    """Return what the legend explains."""
    return [
        Line2D([], [], color=ink(SIDE_COLOURS["left"]), lw=5, label="what a foot bears"),
        Line2D([], [], color="0.35", marker="v", ls="", ms=5, label="a landing is due"),
        Line2D([], [], color=TEXT, marker="|", ls="", ms=9, mew=1.2, label="a foot landed"),
    ]


def _rows(dance: SimulatedDance) -> list[_Row]:
    """Return rows of equally many whole bars, as many as there is room for; the first has the lead-in's last beat."""
    tempo, beats = dance.plan.tempo, dance.plan.beats
    most = math.floor((WIDTH - LEFT - RIGHT) / _NARROWEST) - 1
    bars = math.ceil((len(beats) - 1) / tempo.beats_per_bar)
    a_row = max(most // tempo.beats_per_bar, 1)
    # as even as can be: five bars are three and two, not four and one
    a_row = math.ceil(bars / math.ceil(bars / a_row)) * tempo.beats_per_bar
    rows = []
    for first in range(0, len(beats) - 1, a_row):
        start = float(beats[first]) - 0.5 * tempo.beat
        moments = beats[first : first + a_row]
        shown = moments[moments <= dance.times[-1]]
        if len(shown):
            rows.append(_Row(start, start + a_row * tempo.beat, shown))
    return rows


def _inches(row: _Row) -> float:
    """Return how many inches a second is in a row."""
    return (WIDTH - LEFT - RIGHT) / (row.stop - row.start)


def _view(dance: SimulatedDance, rows: list[_Row], camera: Camera, size: tuple[int, int]) -> View:
    """Return the view that holds the dancer on all beats, each over the origin."""
    figure, poses = dance.plan.figure, dance.motion.at(np.concatenate([row.moments for row in rows]))
    spheres = [in_one_scene([(figure, still(poses, k))]).spheres() for k in range(len(poses))]
    centres, radii = (np.concatenate(part) for part in zip(*spheres, strict=True))
    return camera.fitting(centres, radii, size, _MARGINS)


def _image(dance: SimulatedDance, moment: float, view: View) -> Image:
    poses = dance.motion.at([moment])
    return render(in_one_scene([(dance.plan.figure, still(poses, 0))]), sided_tints(), view, _LOOK)


def _put(place: SubFigure, height: float, middle: float, top: float, image: Image) -> None:
    """Put an image, pixel for pixel, its middle and its top at so many inches from the left and the bottom."""
    tall, wide = (pixels / DPI for pixels in image.shape[:2])
    left, bottom = round(DPI * (middle - wide / 2)) / DPI, round(DPI * (top - tall)) / DPI
    axes = place.add_axes((left / WIDTH, bottom / height, wide / WIDTH, tall / height))
    axes.imshow(image, interpolation="none", aspect="auto")
    axes.set_axis_off()


def _draw_feet(axes: Axes, dance: SimulatedDance, row: _Row) -> None:
    """Draw what the feet bear, when they are to land and when they did, and the numbers of the beats."""
    weight = dance.plan.figure.mass * dance.environment.gravity
    here = (dance.times >= row.start) & (dance.times <= row.stop)
    for level, (side, force) in zip((1.0, 0.0), foot_forces(dance).items(), strict=True):
        tint = colour(SIDE_COLOURS[side])
        axes.axhline(level, color="0.85", lw=0.8, zorder=1)
        half = np.clip(_THICKEST * 0.5 * force[here, 1] / weight, 0.0, _THICKEST)
        axes.fill_between(dance.times[here], level - half, level + half, color=tint, lw=0, zorder=2)
        due = [step.land for step in dance.plan.footsteps if step.foot == side and step.land > step.lift]
        axes.plot(due, [level + 0.42] * len(due), "v", color=tint, ms=5, zorder=3, clip_on=True)
        for landing in dance.landings:
            if landing.step.foot == side:
                at = landing.step.land + landing.late
                axes.plot([at, at], [level - 0.33, level + 0.33], color=TEXT, lw=1.2, zorder=4)
    for k, beat in enumerate(dance.plan.beats):
        number = k % dance.plan.tempo.beats_per_bar + 1
        axes.vlines(beat, -0.45, 1.6, color="0.62" if number == 1 else "0.86", lw=0.8, zorder=0.5)
        if row.start <= beat < row.stop:
            axes.text(beat, -0.5, str(number), ha="center", va="top", fontsize=9, color=TEXT)
    axes.set_xlim(row.start, row.stop)
    axes.set_ylim(-1.0, 1.6)
    axes.set_yticks([1.0, 0.0], ["left foot", "right foot"])
    axes.tick_params(length=0, labelsize=8.5, labelbottom=False, labelcolor=FAINT)
    for edge in axes.spines.values():
        edge.set_visible(False)
    if dance.fall is not None:
        axes.axvline(dance.fall.time, color=colour("red"), lw=1.4, zorder=4)
