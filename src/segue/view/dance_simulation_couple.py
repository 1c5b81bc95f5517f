"""Two simulated dancers: what passes between their hands over time, and both on one sheet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from segue.dance.simulation.couple import SimulatedCouple
from segue.view.comparison import VERSION_LOOKS
from segue.view.dance_simulation import figures_of, title_part
from segue.view.dance_simulation_film import comes_to_a_beat, film_part
from segue.view.dance_simulation_floor import trace_part
from segue.view.dance_simulation_forces import forces_part
from segue.view.dance_simulation_panels import Part, check_danced, panels, stacked
from segue.view.palette import colour
from segue.view.picture import Picture

__all__ = ["GENTLE", "couple_hold", "hold_part", "simulated_couple"]

GENTLE = 40.0
"""N: with more a hand no longer lies, it pulls or shoves."""

_HEIGHTS = (1.6, 1.2)  # inches


def couple_hold(couple: SimulatedCouple) -> Picture:
    """Return the hold of a couple over its time, with the leader's beats.

    Above, the force at each contact, beside what is still gentle. Below, how far each hand is from what it holds or
    lies on; less than nothing where flesh gives way.
    """
    return stacked([hold_part(couple)])


def simulated_couple(couple: SimulatedCouple) -> Picture:
    """Return the sheet of a couple: both dancers' figures, the couple on every beat, the floor, the hold, and the
    forces of both. A dance that comes to no beat has no film.
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


def hold_part(couple: SimulatedCouple) -> Part:
    """Return `couple_hold` as a part of a picture."""
    check_danced(couple.leader)

    def fill(axes: Sequence[Axes]) -> None:
        hold, times = couple.hold, couple.hold.times
        for c, (name, (tint, style)) in enumerate(zip(hold.names, VERSION_LOOKS, strict=False)):
            size = np.linalg.norm(hold.forces[:, c], axis=1)
            axes[0].plot(times, size, style, color=colour(tint), lw=1.4, label=name)
            axes[1].plot(times, 1e3 * hold.gaps[:, c], style, color=colour(tint), lw=1.2)
        axes[0].axhline(GENTLE, color=colour("red"), lw=0.9, ls=(0, (4, 3)))
        axes[0].set_ylim(0.0, 1.1 * max(GENTLE, float(hold.largest.max(initial=0.0))))
        axes[0].set_ylabel("force (N)")
        axes[1].axhline(0.0, color="0.45", lw=0.8)
        axes[1].set_ylabel("gap (mm)")

    return panels(couple.leader, f"The hold, {couple.holding}", _HEIGHTS, fill)
