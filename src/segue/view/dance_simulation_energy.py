"""The energy of a simulated dance and its momentum over time, and that nothing from outside changed them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from segue.curves.quaternion import Array
from segue.dance.simulation import Energetics, SimulatedDance, energetics
from segue.view.dance_simulation_panels import LEGEND, Part, check_danced, panels, stacked
from segue.view.palette import colour
from segue.view.picture import TEXT, Picture

__all__ = ["dance_energy", "energy_part"]

_HEIGHTS = (1.9, 1.25, 1.25, 0.75)  # inches
_LOOKS = (("vermilion", "--"), ("green", "-."), ("blue", "-"))
_WAYS = ("across, x", "up, y", "along the line of dance, z")
_TURNS = ("about x", "about y", "about z")
_HEADROOM = 1.45  # above what is drawn, for a legend


def dance_energy(dance: SimulatedDance) -> Picture:
    """Return the energy and the momentum of a dance over its time, with its beats.

    Energies are counted from the beginning. What joints gave and the body does not have went into the floor. Below,
    momentum, angular momentum about the centre of mass, and the force that gravity, floor and pushes do not explain.
    """
    return stacked([energy_part(dance)])


def energy_part(dance: SimulatedDance) -> Part:
    """Return `dance_energy` as a part of a picture."""
    check_danced(dance)
    found = energetics(dance)

    def fill(axes: Sequence[Axes]) -> None:
        _draw_energies(axes[0], found)
        _draw_parts(axes[1], found.times, found.momentum, _WAYS, "momentum\n(N s)")
        _draw_parts(axes[2], found.times, found.angular_momentum, _TURNS, "angular mo-\nmentum (N m s)")
        _draw_unexplained(axes[3], dance, found)

    return panels(dance, "Energy and momentum", _HEIGHTS, fill)


def _draw_energies(axes: Axes, found: Energetics) -> None:
    gained, work = found.mechanical - found.mechanical[0], found.whole_work
    axes.fill_between(found.times, gained, work, color=colour("silver"), alpha=0.35, lw=0, label="floor, stops, pushes")
    for values, tint, style, width, label in (
        (found.potential - found.potential[0], "blue", "--", 1.2, "potential"),
        (found.kinetic, "vermilion", "-", 1.4, "kinetic"),
        (gained, "black", "-", 1.4, "both"),
        (work, "green", "-", 1.8, "work of joints"),
    ):
        axes.plot(found.times, values, style, color=colour(tint), lw=width, label=label)
    axes.set_ylabel("energy (J)")


def _draw_parts(axes: Axes, times: Array, parts: Array, names: Sequence[str], label: str) -> None:
    for values, name, (tint, style) in zip(parts.T, names, _LOOKS, strict=True):
        axes.plot(times, values, style, color=colour(tint), lw=1.3, label=name)
    low, high = float(parts.min()), float(parts.max())
    axes.set_ylim(low - 0.05 * (high - low), low + _HEADROOM * max(high - low, 1e-3))
    axes.set_ylabel(label)
    axes.legend(loc="upper left", ncols=len(names), **LEGEND)


def _draw_unexplained(axes: Axes, dance: SimulatedDance, found: Energetics) -> None:
    axes.plot(found.times, found.unexplained, color=colour("black"), lw=1.0)
    axes.set_ylim(0.0, 1.5 * max(float(np.nanmax(found.unexplained, initial=0.0)), 1.0))
    axes.set_ylabel("unexplained\nforce (N)")
    weight = dance.plan.figure.mass * dance.environment.gravity
    said = f"root mean square {dance.outside.unexplained:.2f} N; the body weighs {weight:.0f} N"
    look = {
        "fontsize": LEGEND["fontsize"],
        "color": TEXT,
        "bbox": {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1},
    }
    axes.text(0.006, 0.94, said, transform=axes.transAxes, va="top", **look)
