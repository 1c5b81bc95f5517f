"""The forces of a simulated dance: what each foot bears, what friction has to hold, and how hard joints work."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from segue.curves.quaternion import Array
from segue.dance.simulation import SimulatedDance
from segue.dance.simulation.flesh import SOLE_POINTS
from segue.view.charts import SIDE_LOOKS
from segue.view.dance_simulation_panels import Part, check_danced, panels, stacked
from segue.view.palette import colour
from segue.view.picture import TEXT, Picture

__all__ = ["dance_forces", "foot_forces", "forces_part", "friction_used"]

_HEIGHTS = (1.7, 1.35, 2.7)  # inches
_LEAST = 20.0  # N on the floor: with less, what friction holds is of no interest
_HEADROOM = 1.05
_SHADES = 256
_WHITE = np.ones(3)


def dance_forces(dance: SimulatedDance) -> Picture:
    """Return the forces of a dance over its time, with its beats.

    Above, what each foot bears, beside the body's weight. Then the floor's level push as a share of what friction can
    hold. Below, each joint's torque as a share of its strength.
    """
    return stacked([forces_part(dance)])


def forces_part(dance: SimulatedDance, title: str = "Forces") -> Part:
    """Return `dance_forces` as a part of a picture."""
    check_danced(dance)

    def fill(axes: Sequence[Axes]) -> None:
        _draw_loads(axes[0], dance)
        _draw_friction(axes[1], dance)
        _draw_efforts(axes[2], dance)

    return panels(dance, title, _HEIGHTS, fill)


def foot_forces(dance: SimulatedDance) -> dict[str, Array]:
    """Return the floor's force on each foot, (T, 3) in N, by its side."""
    return {
        side: dance.forces[:, k * SOLE_POINTS : (k + 1) * SOLE_POINTS].sum(axis=1)
        for k, side in enumerate(("left", "right"))
    }


def friction_used(dance: SimulatedDance) -> dict[str, Array]:
    """Return the level push on each foot as a share of what friction can hold, (T,); NaN where it bears nothing."""
    used = {}
    for side, force in foot_forces(dance).items():
        most = dance.environment.friction * np.where(force[:, 1] > _LEAST, force[:, 1], np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            used[side] = np.hypot(force[:, 0], force[:, 2]) / most
    return used


def _draw_loads(axes: Axes, dance: SimulatedDance) -> None:
    weight = dance.plan.figure.mass * dance.environment.gravity
    forces = foot_forces(dance)
    whole = np.sum([force[:, 1] for force in forces.values()], axis=0)
    axes.axhline(weight, color="0.45", lw=0.9, ls=(0, (4, 3)), label=f"weight, {weight:.0f} N")
    axes.plot(dance.times, whole, color=colour("silver"), lw=1.1, label="both feet")
    for side, force in forces.items():
        tint, style = SIDE_LOOKS[side]
        axes.fill_between(dance.times, force[:, 1], color=colour(tint), alpha=0.12, lw=0)
        axes.plot(dance.times, force[:, 1], style, color=colour(tint), lw=1.5, label=f"{side} foot")
    axes.set_ylim(0.0, _HEADROOM * max(float(whole.max()), weight))
    axes.set_ylabel("load (N)")


def _draw_friction(axes: Axes, dance: SimulatedDance) -> None:
    for side, used in friction_used(dance).items():
        tint, style = SIDE_LOOKS[side]
        axes.plot(dance.times, 100 * used, style, color=colour(tint), lw=1.3, label=f"{side} foot")
    axes.axhline(100.0, color=colour("red"), lw=0.9, ls=(0, (4, 3)))
    axes.set_ylim(0.0, 118.0)
    axes.set_yticks([0, 25, 50, 75, 100])
    axes.set_ylabel("level push\n(% of friction)")


def _draw_efforts(axes: Axes, dance: SimulatedDance) -> None:
    shares = dance.shares
    step = 0.5 / dance.fps
    extent = (-step, float(dance.times[-1]) + step, len(shares) - 0.5, -0.5)
    axes.imshow(
        np.array(list(shares.values())),
        aspect="auto",
        interpolation="antialiased",
        extent=extent,
        cmap=effort_colours(),
        vmin=0.0,
        vmax=1.0,
    )
    axes.set_yticks(range(len(shares)), [name.replace("_", " ") for name in shares])
    axes.tick_params(axis="y", length=0)
    _draw_scale(axes)


def _draw_scale(axes: Axes) -> None:
    """Say below the efforts' right end which colour is how much."""
    scale = axes.inset_axes((0.84, -0.165, 0.11, 0.04))
    scale.imshow(np.linspace(0.0, 1.0, _SHADES)[None], aspect="auto", cmap=effort_colours())
    scale.set_xticks([])
    scale.set_yticks([])
    for edge in scale.spines.values():
        edge.set_color("0.7")
    for side, x, text in (("right", -0.03, "torque  0"), ("left", 1.03, "strength")):
        scale.text(x, 0.45, text, transform=scale.transAxes, ha=side, va="center", fontsize=8.5, color=TEXT)


def effort_colours() -> ListedColormap:
    """Return the colours of efforts: white at rest, over orange to black at full strength."""
    knots = np.array([0.0, 0.35, 0.7, 1.0])
    tints = np.stack([_WHITE, colour("yellow"), colour("vermilion"), colour("black")])
    at = np.linspace(0.0, 1.0, _SHADES)
    return ListedColormap(np.stack([np.interp(at, knots, tints[:, k]) for k in range(3)], axis=1))
