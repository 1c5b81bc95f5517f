"""A simulated dance on one sheet: how it went in figures, the dancer on every beat, the floor, forces and energy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import SubFigure

from segue.dance.planning.model import Plan
from segue.dance.simulation import SimulatedDance
from segue.view.dance_sheet import FAINT
from segue.view.dance_simulation_energy import energy_part
from segue.view.dance_simulation_film import comes_to_a_beat, film_part
from segue.view.dance_simulation_floor import trace_part
from segue.view.dance_simulation_forces import forces_part
from segue.view.dance_simulation_panels import WIDTH, Part, check_danced, ink, stacked
from segue.view.picture import TEXT, Picture

__all__ = ["figures_of", "simulated_dance", "title_part"]

_HEAD, _ROW = 0.8, 0.62  # inches of the title, and of a row of figures
_LEFT, _NAME = 0.16, 0.9  # inches to the left of all, and for the name of a row


def simulated_dance(dance: SimulatedDance) -> Picture:
    """Return the sheet of a dance: its figures, and below them `dance_film`, `dance_trace`, `dance_forces` and
    `dance_energy`, as they are described there. A dance that comes to no beat has no film.
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


def figures_of(dance: SimulatedDance) -> list[tuple[str, str]]:
    """Return how a dance went: a few figures, each with what it says."""
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
    """Return the part that names a dance, and says how it went: rows of figures, each with what it is called."""
    height = _HEAD + _ROW * len(rows)

    def draw(place: SubFigure) -> None:
        def write(left: float, top: float, text: str, **look: Any) -> None:
            place.text(left / WIDTH, 1 - top / height, text, va="center", **look)

        write(_LEFT, 0.3, _name(dances[0].plan), fontsize=16.0, color=TEXT, fontweight="bold")
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


def _name(plan: Plan) -> str:
    titles = list(dict.fromkeys(planned.pattern.title for planned in plan.steps))
    return ", ".join(titles) or "standing"


def _circumstances(dances: Sequence[SimulatedDance]) -> str:
    where, tempo = dances[0].environment, dances[0].plan.tempo
    bodies = " and ".join(f"{dance.plan.figure.stature:.2f} m, {dance.plan.figure.mass:.0f} kg" for dance in dances)
    return (
        f"{bodies}; {60.0 / tempo.beat:g} beats a minute, {tempo.beats_per_bar} a bar; "
        f"gravity {where.gravity:.2f} m/s², friction {where.friction:g}"
    )
