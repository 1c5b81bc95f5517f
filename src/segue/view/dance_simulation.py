"""A simulated dance on one sheet: how it went in figures, the dancer on every beat, the floor, forces and energy."""

from __future__ import annotations

from matplotlib.figure import SubFigure

from segue.dance.simulation import SimulatedDance
from segue.view.dance_sheet import FAINT
from segue.view.dance_simulation_energy import energy_part
from segue.view.dance_simulation_film import film_part
from segue.view.dance_simulation_floor import trace_part
from segue.view.dance_simulation_forces import forces_part
from segue.view.dance_simulation_panels import WIDTH, Part, check_danced, ink, stacked
from segue.view.picture import TEXT, Picture

__all__ = ["figures_of", "simulated_dance"]

_HEIGHT = 1.42  # inches of the title
_LEFT, _COLUMN = 0.16, 1.95  # inches


def simulated_dance(dance: SimulatedDance) -> Picture:
    """Return the sheet of a dance: its figures, and below them `dance_film`, `dance_trace`, `dance_forces` and
    `dance_energy`, as they are described there. A plan without steps has no film.
    """
    check_danced(dance)
    parts = [_title(dance), trace_part(dance), forces_part(dance), energy_part(dance)]
    if dance.plan.steps:
        parts.insert(1, film_part(dance))
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


def _title(dance: SimulatedDance) -> Part:
    """Return the part that names the dance, and says how it went."""

    def draw(place: SubFigure) -> None:
        def write(left: float, top: float, text: str, size: float, shade: str, weight: str = "normal") -> None:
            place.text(
                left / WIDTH, 1 - top / _HEIGHT, text, va="center", fontsize=size, color=shade, fontweight=weight
            )

        write(_LEFT, 0.3, _name(dance), 16.0, TEXT, "bold")
        write(_LEFT, 0.6, _circumstances(dance), 9.0, FAINT)
        for k, (figure, meaning) in enumerate(figures_of(dance)):
            write(_LEFT + k * _COLUMN, 0.98, figure, 14.0, TEXT, "bold")
            write(_LEFT + k * _COLUMN, 1.22, meaning, 8.5, FAINT)
        if dance.fall is not None:
            place.text(1 - _LEFT / WIDTH, 1 - 0.3 / _HEIGHT, str(dance.fall), ha="right", va="center", color=ink("red"))

    return Part(_HEIGHT, draw)


def _name(dance: SimulatedDance) -> str:
    titles = list(dict.fromkeys(planned.pattern.title for planned in dance.plan.steps))
    return ", ".join(titles) or "standing"


def _circumstances(dance: SimulatedDance) -> str:
    figure, where, tempo = dance.plan.figure, dance.environment, dance.plan.tempo
    return (
        f"a body of {figure.stature:.2f} m and {figure.mass:.0f} kg; {60.0 / tempo.beat:g} beats a minute, "
        f"{tempo.beats_per_bar} a bar; gravity {where.gravity:.2f} m/s², friction {where.friction:g}"
    )
