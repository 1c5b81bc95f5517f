"""Simulated dances as sheets, with numbers, every beat, floor, hold, forces and energy, and as pages that play them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import SubFigure

from segue.dance.body.shapes import SOLE_POINTS
from segue.dance.planning.model import Plan
from segue.dance.simulation import SimulatedDance
from segue.dance.simulation.couple import SimulatedCouple
from segue.view.dance_figures import FAINT
from segue.view.dance_simulation_charts import (
    WIDTH,
    Part,
    check_danced,
    energy_part,
    forces_part,
    hold_part,
    ink,
    stacked,
)
from segue.view.dance_simulation_film import comes_to_a_beat, film_part
from segue.view.dance_simulation_floor import trace_part
from segue.view.picture import TEXT, Picture
from segue.view.web import Page, page
from segue.view.web.contents import ShownForces

_HEAD, _ROW = 0.8, 0.62  # inches of the title, and of a row of numbers
_LEFT, _NAME = 0.16, 0.9  # inches to the left of the sheet, and for the name of a row
_LEAST = 5.0  # N: a foot that presses less has no centre of pressure
_HAND_SCALE = 10.0  # lines of hand forces are so many times longer than those of feet, so that they are seen


def simulated_dance(dance: SimulatedDance) -> Picture:
    """Return the sheet of a dance: its results in numbers, and below them `dance_film`, `dance_trace`, `dance_forces`
    and `dance_energy`. A dance that ends before its first beat has no film.
    """
    check_danced(dance)
    parts = [
        title_part([dance], [("", figures_of(dance))]),
        trace_part([dance]),
        forces_part(dance),
        energy_part(dance),
    ]
    if comes_to_a_beat(dance):
        parts.insert(1, film_part([dance]))
    return stacked(parts)


def simulated_couple(couple: SimulatedCouple) -> Picture:
    """Return the sheet of a couple: the results of both dancers in numbers, the couple on every beat, the floor, the
    hold, and the forces of both. A dance that ends before its first beat has no film.
    """
    dances = list(couple.parts.values())
    for dance in dances:
        check_danced(dance)
    figures = [(f"{who}:", figures_of(dance)) for who, dance in couple.parts.items()]
    parts = [title_part(dances, figures), trace_part(dances), hold_part(couple)]
    parts += [forces_part(dance, f"Forces: {who}") for who, dance in couple.parts.items()]
    if comes_to_a_beat(couple.leader):
        parts.insert(1, film_part(dances))
    return stacked(parts)


def figures_of(dance: SimulatedDance) -> list[tuple[str, str]]:
    """Return the results of a dance: a few numbers, each with its meaning."""
    hardest = max(dance.efforts, key=lambda joint: dance.efforts[joint])
    outside = (f"{dance.outside.applied:g} N", "force from outside")
    if dance.help.largest > 0.0:
        outside = (f"{dance.help.largest:.0f} N m", "help from outside at most")
    return [
        (f"{len(dance.landings)} of {dance.due}", "landings"),
        (f"{1e3 * dance.beat_error:.0f} ms", "off the beat at most"),
        (f"{1e3 * dance.landing_error:.1f} mm", "off its place at most"),
        (f"{1e3 * dance.slip:.1f} mm", "slip of a planted foot"),
        (f"{dance.efforts[hardest]:.0%}", f"of its strength: {hardest.replace('_', ' ')}"),
        outside,
    ]


def title_part(dances: Sequence[SimulatedDance], rows: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> Part:
    """Return the part with the names of a dance, and its results. rows: a name, and numbers with their meanings."""
    height = _HEAD + _ROW * len(rows)

    def draw(place: SubFigure) -> None:
        def write(left: float, top: float, text: str, **look: Any) -> None:
            place.text(left / WIDTH, 1 - top / height, text, va="center", **look)

        write(_LEFT, 0.3, _patterns(dances[0].plan), fontsize=16.0, color=TEXT, fontweight="bold")
        write(_LEFT, 0.6, _circumstances(dances), fontsize=9.0, color=FAINT)
        falls = [str(dance.fall) for dance in dances if dance.fall is not None]
        write(WIDTH - _LEFT, 0.3, "; ".join(falls), ha="right", color=ink("red"))
        for row, (name, figures) in enumerate(rows):
            top, left = _HEAD + _ROW * row, _LEFT + (_NAME if name else 0.0)
            column = (WIDTH - left - _LEFT) / len(figures)
            write(_LEFT, top + 0.18, name, fontsize=10.0, color=TEXT)
            for k, (figure, meaning) in enumerate(figures):
                write(left + k * column, top + 0.18, figure, fontsize=14.0, color=TEXT, fontweight="bold")
                write(left + k * column, top + 0.42, meaning, fontsize=8.5, color=FAINT)

    return Part(height, draw)


def _patterns(plan: Plan) -> str:
    titles = list(dict.fromkeys(planned.pattern.title for planned in plan.steps))
    return ", ".join(titles) or "standing"


def _circumstances(dances: Sequence[SimulatedDance]) -> str:
    where, tempo = dances[0].environment, dances[0].plan.tempo
    bodies = " and ".join(f"{dance.plan.figure.stature:.2f} m, {dance.plan.figure.mass:.0f} kg" for dance in dances)
    return (
        f"{bodies}; {60.0 / tempo.beat:g} beats a minute, {tempo.beats_per_bar} a bar; "
        f"gravity {where.gravity:.2f} m/s², friction {where.friction:g}"
    )


def dance_page(dance: SimulatedDance) -> Page:
    """Return a page that plays a dance. Lines at the feet are floor forces, 1 m long for the body's weight."""
    check_danced(dance)
    name = _first_pattern(dance)
    return page({name: dance.motion}, forces={name: floor_forces(dance)})


def couple_page(couple: SimulatedCouple) -> Page:
    """Return a page that plays a couple's dance, with floor forces at the feet, and hold forces at the hands.

    Lines of hold forces are ten times as long as those of floor forces.
    """
    forces = {}
    for index, (who, dance) in enumerate(couple.parts.items()):
        check_danced(dance)
        forces[who] = held_forces(couple, index)
    return page(couple.motions, forces=forces, title=_first_pattern(couple.leader), together=True)


def held_forces(couple: SimulatedCouple, index: int) -> ShownForces:
    """Return the forces on a partner, 0 for the leader: those of `floor_forces`, and longer ones at the hands."""
    dance, hold, sign = list(couple.parts.values())[index], couple.hold, (-1.0, 1.0)[index]
    floor = floor_forces(dance)
    pulls = sign * _HAND_SCALE * hold.forces[: len(floor.points)] / dance.weight
    return ShownForces(
        np.concatenate([floor.points, hold.points[: len(floor.points)]], axis=1),
        np.concatenate([floor.lines, pulls], axis=1),
    )


def floor_forces(dance: SimulatedDance) -> ShownForces:
    """Return floor forces on both feet, (T, 2, 3), from the centres of pressure, 1 m long for the body's weight."""
    forces = dance.forces.reshape(len(dance.forces), 2, SOLE_POINTS, 3)
    points = dance.points.reshape(forces.shape)
    normal = forces[..., 1]
    whole = np.maximum(normal.sum(axis=2), _LEAST)[..., None]
    centres = (normal[..., None] * points).sum(axis=2) / whole
    lines = forces.sum(axis=2) / dance.weight
    return ShownForces(centres, np.where(normal.sum(axis=2)[..., None] > _LEAST, lines, 0.0))


def _first_pattern(dance: SimulatedDance) -> str:
    return dance.plan.steps[0].pattern.title if dance.plan.steps else "standing"
