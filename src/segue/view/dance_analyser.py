"""The pattern analyser [Lake1990, section 5.3]: a pattern's step sheet, and the figure at the end of every step.

Steps are columns, as in the notation; below each, the figure is seen from the six viewpoints of the thesis. They are
those of somebody who stays where the pattern began, so that turns are seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from segue.body.figure import Figure, Poses
from segue.curves.quaternion import Array
from segue.dance.notation.model import Pattern
from segue.dance.notation.write import grid
from segue.dance.planning.model import Plan
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.view.camera import Camera
from segue.view.dance_figures import in_one_scene, sided_tints, still
from segue.view.dance_sheet import FAINT, PAPER, Sheet
from segue.view.picture import Picture
from segue.view.render import Image, Look, render

__all__ = ["VIEWPOINTS", "analysed", "step_ends"]

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
"""Azimuth and elevation in degrees, as those of `Camera`, from how the pattern begins; from the top, ahead is up."""

_MARGIN, _NAMES, _TITLE, _ROW = 22, 118, 66, 24  # pixels
_CELL = (126, 168)
_LEVEL_CELL = 132  # height of what is seen from above or below


def step_ends(plan: Plan) -> Array:
    """Return when each step has reached its end position, (steps,) in s: just before the next foot leaves the floor."""
    lifts = np.sort([step.lift for step in plan.footsteps])
    ends = []
    for planned in plan.steps:
        later = lifts[lifts > planned.start + 1e-6]
        ends.append(min(float(later[0]) if len(later) else planned.stop, planned.stop))
    return np.array(ends)


def analysed(plan: Plan, motion: Motion) -> Picture:
    """Return the sheet of a plan's first pattern: its symbols, and below them the figure at the end of each step."""
    if not plan.steps:
        raise ArgumentError("the plan has no steps: there is nothing to analyse")
    pattern = plan.steps[0].pattern
    count = len(pattern.steps)
    poses = motion.at(step_ends(plan)[:count])
    table = [[cell.strip() for cell in line.strip().rstrip("|").split("|")] for line in grid(pattern)]
    pictures = {name: _row(motion.figure, poses, plan.begins.heading, name) for name in VIEWPOINTS}
    return _sheet(pattern, table, pictures)


def _row(figure: Figure, poses: Poses, heading: float, viewpoint: str) -> list[Image]:
    """Return the figure at the end of every step from a viewpoint, all in one scale."""
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
    """Draw the pattern's grid, and return where it ends."""
    draw.box(_MARGIN, top, width - _MARGIN, top + _ROW * len(table), PAPER)
    for r, (name, *cells) in enumerate(table):
        row = top + r * _ROW
        draw.rule(_MARGIN, width - _MARGIN, row)
        draw.text(_MARGIN + 6, row + 5, name, size=9, weight="bold")
        for k, cell in enumerate(cells):
            middle = _MARGIN + _NAMES + (k + 0.5) * _CELL[0]
            said = "" if set(cell) <= {"-"} else cell
            draw.text(middle, row + 5, said, size=9 if r else 10, weight="normal" if r else "bold", centred=True)
    draw.rule(_MARGIN, width - _MARGIN, top + _ROW * len(table))
    return top + _ROW * len(table)


def _subtitle(pattern: Pattern) -> str:
    beats = f"{pattern.beats_per_bar}/{pattern.beat_unit}"
    return f"{pattern.part}'s part, commence {pattern.commence}, {beats} time, {pattern.tempo:g} bars a minute"
