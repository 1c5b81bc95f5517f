"""Steps of a dance as rows of figures: the pattern analyser of [Lake1990, section 5.3], and films of couples.

In the analyser, steps are columns, as in the notation. Below each column the figure is drawn from the six viewpoints of
the thesis. The viewpoints do not turn with the dancer, so that turns are seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from segue.body.figure import Figure, Poses
from segue.dance.notation.model import Pattern
from segue.dance.notation.writing import grid
from segue.dance.performance.couple import CouplePreview
from segue.dance.planning.model import Plan
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.view.camera import Camera
from segue.view.dance_figures import (
    COUPLE_COLOURS,
    FAINT,
    PAPER,
    Sheet,
    dancer_tints,
    fitting_view,
    in_one_scene,
    sided_tints,
    still,
)
from segue.view.picture import Picture
from segue.view.render import Image, Look, render

VIEWPOINTS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "front": (0.0, 4.0),
        "rear": (180.0, 4.0),
        "left": (90.0, 4.0),
        "right": (-90.0, 4.0),
        "top": (180.0, 90.0),
        "bottom": (0.0, -89.0),
    }
)
"""Azimuth and elevation in degrees, as of `Camera`, from the heading at the start. From the top, ahead is up."""

_MARGIN, _NAMES, _TITLE, _ROW = 22, 118, 66, 24  # pixels
_CELL = (126, 168)
_LEVEL_CELL = 132  # height of pictures from above or below
_FILM_LABEL, _FILM_GAP = 26, 8  # pixels below each picture of a couple, and between two
_FILM_MARGINS = (0.03, 0.02, 0.04)


def analysed(plan: Plan, motion: Motion) -> Picture:
    """Return the symbols of a plan's first pattern, and below them the figure at the end of each step."""
    if not plan.steps:
        raise ArgumentError("the plan has no steps: there is nothing to analyse")
    pattern = plan.steps[0].pattern
    count = len(pattern.steps)
    poses = motion.at(plan.step_ends[:count])
    table = [[cell.strip() for cell in line.strip().rstrip("|").split("|")] for line in grid(pattern)]
    pictures = {name: _row(motion.figure, poses, plan.begins.heading, name) for name in VIEWPOINTS}
    return _sheet(pattern, table, pictures)


def _row(figure: Figure, poses: Poses, heading: float, viewpoint: str) -> list[Image]:
    """Return pictures of the figure at the end of every step from a viewpoint, all in one scale."""
    azimuth, elevation = VIEWPOINTS[viewpoint]
    camera = Camera(azimuth + float(np.degrees(heading)), elevation, None)
    stills = [still(poses, k) for k in range(len(poses))]
    together = in_one_scene([(figure, each) for each in stills])
    width, height = _CELL[0], _CELL[1] if abs(elevation) < 45.0 else _LEVEL_CELL
    view = camera.fitting(*together.spheres(), (width, height), (0.03, 0.02, 0.05))
    look = Look(floor=(1.0, 1.0, 1.0), grid=None) if elevation < 0 else Look(grid=0.25, fade=0.5, border=0.1)
    return [render(in_one_scene([(figure, each)]), sided_tints(), view, look) for each in stills]


def _sheet(pattern: Pattern, table: Sequence[Sequence[str]], pictures: Mapping[str, Sequence[Image]]) -> Picture:
    """Return the whole picture: title, step sheet, and a row of figures for each viewpoint."""
    width = 2 * _MARGIN + _NAMES + _CELL[0] * len(pattern.steps)
    figures = sum(row[0].shape[0] for row in pictures.values())
    height = 2 * _MARGIN + _TITLE + _ROW * len(table) + 14 + figures
    draw = Sheet(width, height)
    draw.text(_MARGIN, _MARGIN, f"{pattern.dance}: {pattern.name}", size=17, weight="bold")
    draw.text(_MARGIN, _MARGIN + 32, _subtitle(pattern), size=9.5, shade=FAINT)
    draw.side_legend(width - _MARGIN, _MARGIN + 4)
    top = _step_sheet(draw, table, _MARGIN + _TITLE, width) + 14.0
    for name, row in pictures.items():
        tall = row[0].shape[0]
        draw.text(_MARGIN, top + tall / 2 - 8, name, size=11, weight="bold")
        for k, image in enumerate(row):
            draw.image(_MARGIN + _NAMES + k * _CELL[0], top, image)
        top += tall
    return draw.picture


def _step_sheet(draw: Sheet, table: Sequence[Sequence[str]], top: float, width: float) -> float:
    """Draw the grid of the pattern, and return the row where it ends."""
    draw.box(_MARGIN, top, width - _MARGIN, top + _ROW * len(table), PAPER)
    for r, (name, *cells) in enumerate(table):
        row = top + r * _ROW
        draw.rule(_MARGIN, width - _MARGIN, row)
        draw.text(_MARGIN + 6, row + 5, name, size=9, weight="bold")
        for k, cell in enumerate(cells):
            middle = _MARGIN + _NAMES + (k + 0.5) * _CELL[0]
            said = "" if set(cell) <= {"-"} else cell
            draw.text(middle, row + 5, said, size=9 if r else 10, weight="normal" if r else "bold", align="center")
    draw.rule(_MARGIN, width - _MARGIN, top + _ROW * len(table))
    return top + _ROW * len(table)


def _subtitle(pattern: Pattern) -> str:
    beats = f"{pattern.beats_per_bar}/{pattern.beat_unit}"
    return f"{pattern.part}'s part, commence {pattern.commence}, {beats} time, {pattern.tempo:g} bars a minute"


def couple_film(
    performance: CouplePreview,
    times: int | Sequence[float] = 6,
    *,
    columns: int = 6,
    camera: Camera | None = None,
    size: tuple[int, int] = (200, 280),
) -> Picture:
    """Return a couple's dance as rows of pictures, with both partners in one scene. The camera follows the couple.

    times: in s, or how many, at equal steps from the first landing to the end. camera: from the leader's left and a
    little from above if not given. size: of each picture, in pixels.
    """
    chosen = _film_times(performance, times)
    if columns < 1:
        raise ArgumentError(f"columns is {columns}: it must be at least 1")
    if camera is None:
        camera = Camera(60.0 + float(np.degrees(performance.plan.leader.begins.heading)), 14.0, None)
    motions = (performance.leader, performance.follower)
    poses = [motion.at(chosen) for motion in motions]
    middles = 0.5 * (poses[0].root + poses[1].root)
    scenes = [
        in_one_scene([(motion.figure, still(each, k, middles[k])) for motion, each in zip(motions, poses, strict=True)])
        for k in range(len(chosen))
    ]
    view = fitting_view(scenes, camera, size, _FILM_MARGINS)
    rows = -(-len(chosen) // columns)
    across, down = size[0] + _FILM_GAP, size[1] + _FILM_LABEL
    sheet = Sheet(min(columns, len(chosen)) * across - _FILM_GAP, rows * down)
    look = Look(grid=0.25, fade=0.6, border=0.08)
    for k, (scene, time) in enumerate(zip(scenes, chosen, strict=True)):
        left, top = (k % columns) * across, (k // columns) * down
        sheet.image(left, top, render(scene, dancer_tints(COUPLE_COLOURS), view, look))
        sheet.text(left + size[0] / 2, top + size[1] + 4, f"{time:.2f} s", size=9, shade=FAINT, align="center")
    return sheet.picture


def _film_times(performance: CouplePreview, times: int | Sequence[float]) -> list[float]:
    plan = performance.plan.leader
    if isinstance(times, int):
        if times < 1:
            raise ArgumentError(f"times is {times}: at least 1 is needed")
        return [float(time) for time in np.linspace(plan.lead_in, plan.steps[-1].stop, times)]
    chosen = [float(time) for time in times]
    if not chosen or min(chosen) < 0.0 or max(chosen) > performance.leader.stop:
        raise ArgumentError(f"times are {chosen}: each must be from 0 to {performance.leader.stop:.2f} s")
    return chosen
