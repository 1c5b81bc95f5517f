"""A simulated dance as a film: the dancer on every beat, and below it the load of each foot over time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D

from segue.dance.planning.model import Plan
from segue.dance.simulation import SimulatedDance
from segue.errors import ArgumentError
from segue.view.camera import Camera, View
from segue.view.dance_figures import (
    COUPLE_COLOURS,
    FAINT,
    SIDE_COLOURS,
    dancer_tints,
    in_one_scene,
    sided_tints,
    spheres_of,
    still,
)
from segue.view.dance_simulation_charts import LEFT, RIGHT, WIDTH, Part, check_danced, foot_forces, head, ink, stacked
from segue.view.flesh import Solids
from segue.view.picture import DPI, TEXT, Picture, colour
from segue.view.render import Image, Look, render

_HEAD, _FOOT = 0.42, 0.12  # inches above the first row and below the last
_FIGURE, _FEET, _NUMBERS, _APART = 1.85, 0.21, 0.2, 0.16  # inches of a row: figures, a foot, beats; and between rows
_NARROWEST, _WIDEST = 0.8, 2.0  # inches a moment
_ROWS = 3  # at most
_MARGINS = (0.02, 0.01, 0.05)
_LOOK = Look(grid=0.25, fade=0.6, border=0.08)
_AZIMUTH, _ELEVATION = 32.0, 9.0  # degrees: before the dancer, a little to its left
_BESIDE = 75.0  # degrees: a couple is seen from the leader's left, so that neither hides the other
_PARTNERS = ("leader's", "follower's")
_THICKEST = 0.42  # of the distance of two feet's rows, for a foot that bears the weight twice


class _Row(NamedTuple):
    """A row of the film: its start and stop in s, and the numbers of the beats with a picture."""

    start: float
    stop: float
    beats: list[int]


def dance_film(dance: SimulatedDance, *, camera: Camera | None = None) -> Picture:
    """Return the dancer on every beat, in rows of whole bars, with the loads and landings of the feet below.

    The thickness of a foot's line is its load. A triangle is a planned landing, a bar across the line is a landing.
    Long dances have a picture on some beats only. camera: in front of the dancer at the start if not given. The camera
    follows the dancer but does not turn.
    """
    return stacked([film_part([dance], camera)])


def comes_to_a_beat(dance: SimulatedDance) -> bool:
    """Return whether the dance reaches its first beat. A dancer that falls or is stopped early does not."""
    return bool(dance.plan.steps) and float(dance.times[-1]) >= float(dance.plan.beats[0])


def film_part(dances: Sequence[SimulatedDance], camera: Camera | None = None) -> Part:
    """Return a film as a part of a picture: of one dancer, or of two to the music of the first."""
    plan = dances[0].plan
    for dance in dances:
        check_danced(dance)
    if not plan.steps:
        raise ArgumentError("the plan has no steps: there is no beat to show the dancer on")
    if not comes_to_a_beat(dances[0]):
        raise ArgumentError(
            f"the dance ended at {dances[0].times[-1]:.2f} s, before its first beat at {plan.beats[0]:.2f} s: there is"
            " no beat to show the dancer on"
        )
    if camera is None:
        aside = _AZIMUTH if len(dances) == 1 else _BESIDE
        camera = Camera(aside + float(np.degrees(plan.begins.heading)), _ELEVATION, None)
    rows, every = shown_beats(plan, float(dances[0].times[-1]))
    scenes = {beat: _scene(dances, float(plan.beats[beat])) for row in rows for beat in row.beats}
    view = _view(list(scenes.values()), camera, min(every * plan.tempo.beat * _inches(rows[0]), _WIDEST))
    tall, bars = view.size[1] / DPI, 2 * len(dances) * _FEET + _NUMBERS
    height = _HEAD + len(rows) * (tall + bars) + (len(rows) - 1) * _APART + _FOOT
    tints = sided_tints() if len(dances) == 1 else dancer_tints(COUPLE_COLOURS)

    def draw(place: SubFigure) -> None:
        head(place, height, f"On {_which(every, plan.tempo.beats_per_bar)}", _looks())
        for k, row in enumerate(rows):
            top = height - _HEAD - k * (tall + bars + _APART)
            for beat in row.beats:
                middle = LEFT + (float(plan.beats[beat]) - row.start) * _inches(row)
                _put(place, height, middle, top, render(scenes[beat], tints, view, _LOOK))
            box = (LEFT / WIDTH, (top - tall - bars) / height, 1 - (LEFT + RIGHT) / WIDTH, bars / height)
            _draw_feet(place.add_axes(box), dances, row)

    return Part(height, draw)


def _looks() -> list[Artist]:
    """Return the entries of the legend."""
    return [
        Line2D([], [], color=ink("blue"), lw=5, label="what a foot bears"),
        Line2D([], [], color="0.35", marker="v", ls="", ms=5, label="a landing is due"),
        Line2D([], [], color=TEXT, marker="|", ls="", ms=9, mew=1.2, label="a foot landed"),
    ]


def shown_beats(plan: Plan, until: float) -> tuple[list[_Row], int]:
    """Return rows of equally many whole bars, at most three if possible, and the number of beats between pictures.

    until: end of the dance in s.
    """
    a_bar, beats = plan.tempo.beats_per_bar, plan.beats
    bars = math.ceil((len(beats) - 1) / a_bar)
    most = math.floor((WIDTH - LEFT - RIGHT) / _NARROWEST)
    for every in _strides(a_bar):
        a_row = max(most * every // a_bar, 1)
        # as even as can be: five bars are three and two, not four and one
        a_row = math.ceil(bars / math.ceil(bars / a_row)) * a_bar
        if a_row <= most * every and bars * a_bar <= _ROWS * a_row:
            break
    rows = []
    for first in range(0, len(beats) - 1, a_row):
        start = float(beats[first]) - 0.5 * every * plan.tempo.beat
        shown = [k for k in range(first, min(first + a_row, len(beats)), every) if beats[k] <= until]
        if shown:
            rows.append(_Row(start, start + a_row * plan.tempo.beat, shown))
    return rows, every


def _strides(a_bar: int) -> Iterator[int]:
    """Yield numbers of beats between pictures that keep the first beat of a bar: 1, 2, 4, 8, ... of four beats."""
    yield from (each for each in range(1, a_bar) if a_bar % each == 0)
    yield from (a_bar * 2**power for power in count())


def _which(every: int, a_bar: int) -> str:
    """Return in words which beats have a picture."""
    if every == 1:
        return "every beat"
    if every < a_bar:
        return f"every {_ordinal(every)} beat"
    return (
        "the first beat of every bar" if every == a_bar else f"the first beat of every {_ordinal(every // a_bar)} bar"
    )


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")


def _inches(row: _Row) -> float:
    """Return the inches of a second in a row."""
    return (WIDTH - LEFT - RIGHT) / (row.stop - row.start)


def _scene(dances: Sequence[SimulatedDance], moment: float) -> Solids:
    """Return all dancers at a time in s, the middle between them over the origin."""
    poses = [dance.motion.at([min(moment, float(dance.times[-1]))]) for dance in dances]
    middle = np.mean([each.root[0] for each in poses], axis=0)
    return in_one_scene(
        [(dance.plan.figure, still(each, 0, middle)) for dance, each in zip(dances, poses, strict=True)]
    )


def _view(scenes: Sequence[Solids], camera: Camera, wide: float) -> View:
    """Return the view that holds all scenes. wide: its width in inches. It is no higher than the scenes need."""
    centres, radii = spheres_of(scenes)
    needed = camera.framing(centres, radii, round(DPI * _FIGURE), _MARGINS).size
    height = round(DPI * _FIGURE * min(1.0, DPI * wide / needed[0]))
    return camera.fitting(centres, radii, (round(DPI * wide), height), _MARGINS)


def _put(place: SubFigure, height: float, middle: float, top: float, image: Image) -> None:
    """Put an image, pixel for pixel. middle, top: of the image, in inches from the left and from the bottom."""
    tall, wide = (pixels / DPI for pixels in image.shape[:2])
    left, bottom = round(DPI * (middle - wide / 2)) / DPI, round(DPI * (top - tall)) / DPI
    axes = place.add_axes((left / WIDTH, bottom / height, wide / WIDTH, tall / height))
    axes.imshow(image, interpolation="none", aspect="auto")
    axes.set_axis_off()


def _draw_feet(axes: Axes, dances: Sequence[SimulatedDance], row: _Row) -> None:
    """Draw the loads of the feet, planned and actual landings, and the numbers of the beats."""
    plan, names, level = dances[0].plan, [], 2.0 * len(dances)
    for k, dance in enumerate(dances):
        for side in ("left", "right"):
            level -= 1.0
            names.append(f"{side} foot" if len(dances) == 1 else f"{_PARTNERS[k]} {side}")
            tint = SIDE_COLOURS[side] if len(dances) == 1 else COUPLE_COLOURS[k]
            _draw_foot(axes, dance, side, level, row, tint)
        if dance.fall is not None:
            axes.vlines(dance.fall.time, level - 0.4, level + 1.4, color=colour("red"), lw=1.4, zorder=4)
    top = 2.0 * len(dances) - 0.4
    for k, beat in enumerate(plan.beats):
        number = k % plan.tempo.beats_per_bar + 1
        axes.vlines(beat, -0.45, top, color="0.62" if number == 1 else "0.86", lw=0.8, zorder=0.5)
        if k in row.beats:
            axes.text(beat, -0.5, str(number), ha="center", va="top", fontsize=9, color=TEXT)
    axes.set_xlim(row.start, row.stop)
    axes.set_ylim(top - (2 * len(dances) * _FEET + _NUMBERS) / _FEET, top)
    axes.set_yticks(np.arange(len(names))[::-1], names)
    axes.tick_params(length=0, labelsize=8.5, labelbottom=False, labelcolor=FAINT)
    for edge in axes.spines.values():
        edge.set_visible(False)


def _draw_foot(axes: Axes, dance: SimulatedDance, side: str, level: float, row: _Row, name: str) -> None:
    """Draw the line of one foot. name: of its colour."""
    weight = dance.weight
    here = (dance.times >= row.start) & (dance.times <= row.stop)
    tint, force = colour(name), foot_forces(dance)[side]
    axes.axhline(level, color="0.85", lw=0.8, zorder=1)
    half = np.clip(_THICKEST * 0.5 * force[here, 1] / weight, 0.0, _THICKEST)
    axes.fill_between(dance.times[here], level - half, level + half, color=tint, lw=0, zorder=2)
    due = [step.land for step in dance.plan.footsteps if step.foot == side and step.land > step.lift]
    axes.plot(due, [level + 0.42] * len(due), "v", color=tint, ms=5, zorder=3, clip_on=True)
    for landing in dance.landings:
        if landing.step.foot == side:
            at = landing.step.land + landing.late
            axes.plot([at, at], [level - 0.33, level + 0.33], color=TEXT, lw=1.2, zorder=4)
