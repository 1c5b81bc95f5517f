"""Charts of a simulated dance over time: foot loads, friction, joint torques, hold, energy and momentum.

A picture is parts one above the other. All parts have one width, and all panels begin and end at the same columns, so
that a time is at one column throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_hex
from matplotlib.figure import SubFigure

from segue.dance.body.shapes import SOLE_POINTS
from segue.dance.planning.model import Plan
from segue.dance.simulation import Energetics, SimulatedDance, energetics
from segue.dance.simulation.couple import SimulatedCouple
from segue.errors import ArgumentError
from segue.typing import Array
from segue.view.charts import SIDE_LOOKS, tidy
from segue.view.comparison import VERSION_LOOKS
from segue.view.dance_figures import FAINT
from segue.view.picture import TEXT, Picture, blank, colour

GENTLE = 40.0
"""N: a hand that presses more than this pulls or shoves."""

WIDTH, LEFT, RIGHT = 12.0, 1.05, 0.3
"""Inches: of a picture, and to the left and the right of its panels."""

LEGEND: dict[str, Any] = {
    "fontsize": 8.5,
    "labelcolor": TEXT,
    "borderaxespad": 0.0,
    "handlelength": 1.8,
    "edgecolor": "none",
    "framealpha": 0.85,
}
"""Look of legends."""

_GAP = 0.16  # inches between panels
_HEAD, _FOOT = 0.62, 0.5  # inches above the first panel, for its title and the beats, and below the last one
_ROOM = 0.16  # inches for the number of a beat
_BAR_ROOM = 0.3  # inches for the number of a bar


class Part(NamedTuple):
    """A part of a picture: its height in inches, and the function that draws it on a subfigure of that size."""

    height: float
    draw: Callable[[SubFigure], None]


def stacked(parts: Sequence[Part]) -> Picture:
    """Return a picture of parts one above the other."""
    heights = [part.height for part in parts]
    canvas = blank((WIDTH, sum(heights)))
    places = canvas.subfigures(len(parts), 1, squeeze=False, height_ratios=heights, hspace=0.0)[:, 0]
    for place, part in zip(places, parts, strict=True):
        part.draw(place)
    return Picture(canvas)


def check_danced(dance: SimulatedDance) -> None:
    """Raise ArgumentError if a dance is too short to draw."""
    if len(dance.positions) < 2:
        raise ArgumentError(f"the dance has {len(dance.positions)} frames: a picture needs at least 2")


def panels(dance: SimulatedDance, title: str, heights: Sequence[float], fill: Callable[[Sequence[Axes]], None]) -> Part:
    """Return a part of panels over time with the beats above them. heights: in inches. fill: draws the panels."""
    whole = _HEAD + sum(heights) + _GAP * (len(heights) - 1) + _FOOT

    def draw(place: SubFigure) -> None:
        bottom, axes = whole - _HEAD, []
        for height in heights:
            bottom -= height
            box = (LEFT / WIDTH, bottom / whole, 1 - (LEFT + RIGHT) / WIDTH, height / whole)
            axes.append(place.add_axes(box))
            bottom -= _GAP
        fill(axes)
        head(place, whole, title, axes[0].get_legend_handles_labels()[0])
        for panel in axes:
            panel.set_xlim(0.0, float(dance.times[-1]))
            panel.tick_params(labelbottom=panel is axes[-1])
            panel.tick_params(labelsize=8.5)
            panel.yaxis.set_label_coords(-0.55 / (WIDTH - LEFT - RIGHT), 0.5)
            _draw_beats(panel, dance)
        _number_beats(axes[0], dance.plan)
        axes[-1].set_xlabel("time (s)", fontsize=9)

    return Part(whole, draw)


def head(place: SubFigure, height: float, title: str, looks: Sequence[Artist] = ()) -> None:
    """Write the title of a part, and a legend on its right. height: of the part, in inches."""
    place.text(0.16 / WIDTH, 1 - 0.22 / height, title, fontsize=11.5, fontweight="bold", color=TEXT, va="center")
    if looks:
        corner = (1 - RIGHT / WIDTH, 1 - 0.08 / height)
        place.legend(handles=looks, loc="upper right", bbox_to_anchor=corner, ncols=len(looks), **LEGEND)


def ink(name: str) -> str:
    """Return a colour by name as #rrggbb."""
    return to_hex(tuple(colour(name).tolist()))


def _draw_beats(axes: Axes, dance: SimulatedDance) -> None:
    """Draw lines at the beats, darker at the first of a bar, and a red line at a fall."""
    tidy(axes, axes.get_ylabel())
    axes.yaxis.label.set_fontsize(9)
    # the beats are the grid of time, and images need no grid of values
    axes.grid(visible=False, axis="both" if axes.images else "x")
    beats = _danced(dance)
    for k, time in enumerate(beats):
        first = k % dance.plan.tempo.beats_per_bar == 0
        axes.axvline(time, color="0.62" if first else "0.86", lw=0.9 if first else 0.7, zorder=0.5)
    if dance.fall is not None:
        axes.axvline(dance.fall.time, color=colour("red"), lw=1.4, zorder=4)


def _danced(dance: SimulatedDance) -> Array:
    beats: Array = dance.plan.beats
    danced: Array = beats[beats <= dance.times[-1]]
    return danced


def _number_beats(axes: Axes, plan: Plan) -> None:
    """Write the numbers of the beats above a panel, or of the bars if the beats are too close."""
    start, stop = axes.get_xlim()
    for time, text in beat_numbers(plan, (WIDTH - LEFT - RIGHT) / (stop - start)):
        if time <= stop:
            axes.annotate(
                text,
                (time, 1.0),
                (0, 4),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="center",
                fontsize=8,
                color=FAINT,
            )


def beat_numbers(plan: Plan, inches: float) -> list[tuple[float, str]]:
    """Return times in s and the numbers to write at them. inches: of a second on paper.

    The numbers are those of the beats in their bars, such as 1 2 3, or of bars if there is little space.
    """
    count, beat = plan.tempo.beats_per_bar, plan.tempo.beat
    beats = plan.beats
    if beat * inches >= _ROOM:
        return [(float(time), str(k % count + 1)) for k, time in enumerate(beats)]
    every = 2 ** max(0, int(np.ceil(np.log2(_BAR_ROOM / (count * beat * inches)))))
    return [
        (float(time), f"bar {k // count + 1}" if k == 0 else str(k // count + 1))
        for k, time in enumerate(beats[:-1])
        if k % (count * every) == 0
    ]


_FORCE_HEIGHTS = (1.7, 1.35, 2.7)  # inches
_HOLD_HEIGHTS = (1.6, 1.2)
_ENERGY_HEIGHTS = (1.9, 1.25, 1.25, 0.75)
_LEAST = 20.0  # N of load: with less, the share of friction is not drawn
_HEADROOM = 1.05
_LEGEND_ROOM = 1.45  # above the lines, for a legend
_AXIS_LOOKS = (("vermilion", "--"), ("green", "-."), ("blue", "-"))
_AXES = ("across, x", "up, y", "along the line of dance, z")
_TURN_AXES = ("about x", "about y", "about z")
_SHADES = 256
_WHITE = np.ones(3)


def dance_forces(dance: SimulatedDance) -> Picture:
    """Return the forces of a dance over its time, with its beats.

    The panels have the load of each foot, with the body's weight; the horizontal floor force as a share of the largest
    friction; and the torque of each joint as a share of its strength.
    """
    return stacked([forces_part(dance)])


def forces_part(dance: SimulatedDance, title: str = "Forces") -> Part:
    """Return `dance_forces` as a part of a picture."""
    check_danced(dance)

    def fill(axes: Sequence[Axes]) -> None:
        _draw_loads(axes[0], dance)
        _draw_friction(axes[1], dance)
        _draw_efforts(axes[2], dance)

    return panels(dance, title, _FORCE_HEIGHTS, fill)


def foot_forces(dance: SimulatedDance) -> dict[str, Array]:
    """Return the floor force on each foot, (T, 3) in N, by side."""
    return {
        side: dance.forces[:, k * SOLE_POINTS : (k + 1) * SOLE_POINTS].sum(axis=1)
        for k, side in enumerate(("left", "right"))
    }


def friction_used(dance: SimulatedDance) -> dict[str, Array]:
    """Return the horizontal force on each foot over the largest friction, (T,), by side; NaN for an unloaded foot."""
    used = {}
    for side, force in foot_forces(dance).items():
        most = dance.environment.friction * np.where(force[:, 1] > _LEAST, force[:, 1], np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            used[side] = np.hypot(force[:, 0], force[:, 2]) / most
    return used


def _draw_loads(axes: Axes, dance: SimulatedDance) -> None:
    weight = dance.weight
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
    """Draw the colour scale below the right end of the torques."""
    scale = axes.inset_axes((0.84, -0.165, 0.11, 0.04))
    scale.imshow(np.linspace(0.0, 1.0, _SHADES)[None], aspect="auto", cmap=effort_colours())
    scale.set_xticks([])
    scale.set_yticks([])
    for edge in scale.spines.values():
        edge.set_color("0.7")
    for side, x, text in (("right", -0.03, "torque  0"), ("left", 1.03, "strength")):
        scale.text(x, 0.45, text, transform=scale.transAxes, ha=side, va="center", fontsize=8.5, color=TEXT)


def effort_colours() -> ListedColormap:
    """Return the colours of torques: white at rest, over orange to black at full strength."""
    knots = np.array([0.0, 0.35, 0.7, 1.0])
    tints = np.stack([_WHITE, colour("yellow"), colour("vermilion"), colour("black")])
    at = np.linspace(0.0, 1.0, _SHADES)
    return ListedColormap(np.stack([np.interp(at, knots, tints[:, k]) for k in range(3)], axis=1))


def dance_energy(dance: SimulatedDance) -> Picture:
    """Return the energy and the momentum of a dance over its time, with its beats.

    Energies are relative to the start. The grey area is energy that the joints gave and the floor took. The panels
    below have momentum, angular momentum about the centre of mass, and the force that gravity, floor and pushes do not
    explain.
    """
    return stacked([energy_part(dance)])


def energy_part(dance: SimulatedDance) -> Part:
    """Return `dance_energy` as a part of a picture."""
    check_danced(dance)
    found = energetics(dance)

    def fill(axes: Sequence[Axes]) -> None:
        _draw_energies(axes[0], found)
        _draw_parts(axes[1], found.times, found.momentum, _AXES, "momentum\n(N s)")
        _draw_parts(axes[2], found.times, found.angular_momentum, _TURN_AXES, "angular mo-\nmentum (N m s)")
        _draw_unexplained(axes[3], dance, found)

    return panels(dance, "Energy and momentum", _ENERGY_HEIGHTS, fill)


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
    for values, name, (tint, style) in zip(parts.T, names, _AXIS_LOOKS, strict=True):
        axes.plot(times, values, style, color=colour(tint), lw=1.3, label=name)
    low, high = float(parts.min()), float(parts.max())
    axes.set_ylim(low - 0.05 * (high - low), low + _LEGEND_ROOM * max(high - low, 1e-3))
    axes.set_ylabel(label)
    axes.legend(loc="upper left", ncols=len(names), **LEGEND)


def _draw_unexplained(axes: Axes, dance: SimulatedDance, found: Energetics) -> None:
    axes.plot(found.times, found.unexplained, color=colour("black"), lw=1.0)
    axes.set_ylim(0.0, 1.5 * max(float(np.nanmax(found.unexplained, initial=0.0)), 1.0))
    axes.set_ylabel("unexplained\nforce (N)")
    weight = dance.weight
    said = f"root mean square {dance.outside.unexplained:.2f} N; the body weighs {weight:.0f} N"
    look = {
        "fontsize": LEGEND["fontsize"],
        "color": TEXT,
        "bbox": {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1},
    }
    axes.text(0.006, 0.94, said, transform=axes.transAxes, va="top", **look)


def couple_hold(couple: SimulatedCouple) -> Picture:
    """Return the hold of a couple over its time, with the leader's beats.

    The upper panel has the force at each contact, and a line at `GENTLE`. The lower panel has the distance of each hand
    from the body it holds, which is negative where flesh gives way.
    """
    return stacked([hold_part(couple)])


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

    return panels(couple.leader, f"The hold, {couple.holding}", _HOLD_HEIGHTS, fill)
