"""Effort of a motion over time: joint torques, the objective of gaps, and the push that the ground has to give.

Several motions are compared by how they fall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from matplotlib.axes import Axes

from segue.body.human import HUMAN
from segue.body.layout import side_of
from segue.dynamics import GRAVITY
from segue.errors import ArgumentError
from segue.motion.contacts import SOLE_POINTS
from segue.motion.motion import Motion
from segue.motion.track_table import parts_of
from segue.plausibility import Thresholds, observe
from segue.plausibility.torque import STRENGTH
from segue.typing import Array
from segue.view.charts import SIDE_LOOKS, tidy, without_side
from segue.view.comparison import VERSION_LOOKS
from segue.view.picture import Picture, blank, colour
from segue.view.stage import check_drawable
from segue.view.strips import Fill

_TELLING = 4  # joints drawn by default
_DEFAULT_JOINTS = ("hip", "knee", "ankle", "lower_back", "shoulder", "elbow")
_BAR = 0.36  # inches for the bars of a gap
_HEADROOM = 1.35  # above the squares, for the legend
_ROOM = 1.25  # as wide as the longest bar, so that its number fits beside it


class SolvedFill(Fill, Protocol):
    """A fill with its energies, as `Motion.fills` has it."""

    @property
    def energy(self) -> float:
        """Objective of the solved path."""
        ...

    @property
    def start_energy(self) -> float:
        """Objective of the interpolated path that the solve started from."""
        ...


def plot_torques(
    motions: Motion | Mapping[str, Motion],
    joints: Sequence[str] | None = None,
    *,
    start: float | None = None,
    stop: float | None = None,
) -> Picture:
    """Return joint torques over time in N m, a panel for each joint, and the sum of all squares in the last panel.

    motions: one, with left and right in a panel; or several versions by name, with a line for each. joints: such as
    "left_knee"; the largest joints if not given, or for versions those that differ most. start, stop: the part to draw,
    in s. [Rose1996] minimises the integral of the last panel, which is in the legend in N^2 m^2 s. Torques are those of
    `segue check`, with floor forces, from poses low-passed at 8 Hz.
    """
    versions = {"": motions} if isinstance(motions, Motion) else dict(motions)
    if not versions:
        raise ArgumentError("there is nothing to draw: at least one motion is needed")
    for motion in versions.values():
        check_drawable(motion)
    known = {name: _torques_of(motion, start, stop) for name, motion in versions.items()}
    chosen = list(joints) if joints is not None else _telling(list(known.values()))
    names = HUMAN.joint_names[1:]
    for name in chosen:
        if name not in names:
            raise ArgumentError(f"the figure has no joint '{name}' with a torque: there are {', '.join(names)}")
    if not chosen:
        raise ArgumentError("there is nothing to draw: at least one joint is needed")
    single = len(versions) == 1
    panels = list(dict.fromkeys(without_side(name) if single else name for name in chosen))
    canvas = blank((8.0, 0.9 + 1.4 * (len(panels) + 1)), constrained=True)
    all_axes = canvas.subplots(len(panels) + 1, 1, sharex=True, squeeze=False)[:, 0]
    for axes, panel in zip(all_axes, panels, strict=False):
        if single:
            _draw_sides(axes, *next(iter(known.values())), [n for n in chosen if without_side(n) == panel])
        else:
            for (version, (times, sizes)), (tint, style) in zip(known.items(), VERSION_LOOKS, strict=False):
                axes.plot(times, sizes[panel], style, color=colour(tint), lw=1.6, label=version)
        axes.set_ylim(bottom=0.0)
        tidy(axes, f"{panel.replace('_', ' ')}\n(N m)")
    _draw_squares(all_axes[-1], known)
    canvas.align_ylabels(all_axes)
    lines = {line.get_label(): line for axes in all_axes[:-1] for line in axes.get_lines()}
    if any(lines):
        canvas.legend(list(lines.values()), list(lines), loc="outside upper right", ncols=len(lines), frameon=False)
    all_axes[-1].set_xlabel("time (s)")
    times = next(iter(known.values()))[0]
    all_axes[-1].set_xlim(times[0], times[-1])
    return Picture(canvas)


def _torques_of(motion: Motion, start: float | None, stop: float | None) -> tuple[Array, dict[str, Array]]:
    """Return times (T,) and each joint's torque (T,) in N m, in a window of time."""
    seen = observe(motion)
    inside = seen.within(start, stop)
    if inside.sum() < 2:
        raise ArgumentError("one frame has no course: let start and stop lie further apart")
    return seen.times[inside], {name: motion.figure.mass * size[inside] for name, size in seen.torques.items()}


def _telling(known: list[tuple[Array, dict[str, Array]]]) -> list[str]:
    """Return the joints in which versions differ most, or the largest joints of a single version."""
    if len(known) == 1:
        return [name for name in known[0][1] if without_side(name) in _DEFAULT_JOINTS]
    first, last = known[0][1], known[-1][1]
    count = min(len(known[0][0]), len(known[-1][0]))
    apart = {
        name: float(np.nansum((first[name][:count] - last[name][:count]) ** 2))
        for name in first
        if without_side(name) in STRENGTH
    }
    telling = sorted(apart, key=lambda name: -apart[name])[:_TELLING]
    return [name for name in first if name in telling]


def _draw_sides(axes: Axes, times: Array, sizes: Mapping[str, Array], names: Sequence[str]) -> None:
    for name in names:
        tint, style = SIDE_LOOKS[side_of(name)]
        axes.plot(times, sizes[name], style, color=colour(tint), lw=1.6, label=side_of(name))


def _draw_squares(axes: Axes, known: Mapping[str, tuple[Array, dict[str, Array]]]) -> None:
    """Draw the sum of all squared torques in thousands, with its integral in the legend."""
    looks = VERSION_LOOKS if len(known) > 1 else (("black", "-"),)
    for (version, (times, sizes)), (tint, style) in zip(known.items(), looks, strict=False):
        squares = np.sum([size**2 for size in sizes.values()], axis=0)
        whole = float(np.trapezoid(np.nan_to_num(squares), times))
        label = f"{version + ': ' if version else ''}{whole:,.0f} N² m² s"
        axes.plot(times, 1e-3 * squares, style, color=colour(tint), lw=1.6, label=label)
    axes.set_ylim(0.0, _HEADROOM * axes.get_ylim()[1])
    axes.legend(loc="upper right", ncols=len(known), fontsize=9, frameon=False, borderaxespad=0.0)
    tidy(axes, "all joints, squared\n(1000 N² m²)")


def plot_energies(fills: Sequence[SolvedFill]) -> Picture:
    """Return the objective of every gap, interpolated and solved, in percent of the interpolated path.

    fills: from `Motion.fills`. Energies have the units of their objective, so only energies of one gap compare.
    """
    solved = [fill for fill in fills if fill.start_energy > 0]
    if not solved:
        raise ArgumentError("there is nothing to draw: no gap was filled by a solve")
    canvas = blank((8.0, 1.3 + 2 * _BAR * len(solved)), constrained=True)
    axes = canvas.subplots()
    labels, longest = [], 100.0
    for row, fill in enumerate(solved):
        share = 100.0 * fill.energy / fill.start_energy
        longest = max(longest, share)
        labels.append(f"{fill.start:.2f} to {fill.stop:.2f} s\n{', '.join(parts_of(fill.tracks)).replace('_', ' ')}")
        for at, (part, value, tint) in enumerate(((100.0, fill.start_energy, "grey"), (share, fill.energy, "blue"))):
            axes.barh(row + 0.4 * at - 0.2, part, 0.36, color=colour(tint))
            axes.annotate(_short(value), (part, row + 0.4 * at - 0.2), (4, 0), textcoords="offset points", va="center")
    for name, tint in (("interpolation", "grey"), ("solved", "blue")):
        axes.barh(0, 0.0, color=colour(tint), label=name)
    axes.set_yticks(range(len(solved)), labels)
    axes.invert_yaxis()
    axes.set_xlim(0.0, _ROOM * longest)
    axes.set_xlabel("energy of the objective (% of interpolation)")
    tidy(axes, "")
    axes.grid(visible=False, axis="y")
    canvas.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=2, frameon=False)
    return Picture(canvas)


def _short(value: float) -> str:
    """Return a number of three digits, in powers of ten where it is large."""
    if value < 1e4:
        return f"{value:.3g}"
    power = int(np.floor(np.log10(value)))
    return f"${value / 10**power:.2f} \\times 10^{{{power}}}$"


_SIDES = ("left", "right")


def plot_ground_push(motion: Motion) -> Picture:
    """Return the push that a motion needs from the ground, as `segue check` measures it.

    The upper panel has the vertical push in N per kg of body mass, with weight as a line. The lower panel has the part
    that the feet in contact cannot give, with the threshold of `segue check`, and bars while a foot may push. The plan
    has the path of the centre of mass and the centre of pressure under it.
    """
    check_drawable(motion)
    seen = observe(motion)
    push = seen.push
    if not len(push.wrench.frames):
        raise ArgumentError("the motion is too short: a push takes at least three frames")
    times, needed = seen.times[push.wrench.frames], push.wrench.needed()
    canvas = blank((11.0, 4.2), constrained=True)
    grid = canvas.add_gridspec(2, 2, width_ratios=(1.6, 1.0))
    above = canvas.add_subplot(grid[0, 0])
    below = canvas.add_subplot(grid[1, 0], sharex=above)
    plan = canvas.add_subplot(grid[:, 1])
    above.plot(times, needed[:, 1], color=colour("black"), lw=1.6, label="vertical push")
    above.plot(times, np.linalg.norm(needed[:, [0, 2]], axis=1), color=colour("grey"), lw=1.2, label="level push")
    above.axhline(-GRAVITY[1], color=colour("grey"), ls="--", lw=1.0, label="weight")
    tidy(above, "needed\n(N/kg)")
    above.legend(loc="upper right", ncols=3, fontsize=9, frameon=False)
    above.set_ylim(top=1.3 * above.get_ylim()[1])
    below.plot(seen.times, push.unexplained, color=colour("red"), lw=1.6)
    suspicious = Thresholds().of("push").suspicious
    below.axhline(suspicious, color=colour("grey"), ls=":", lw=1.0)
    ceiling = max(1.3 * suspicious, 1.1 * float(np.nanmax(np.nan_to_num(push.unexplained))))
    for side, tint, level in zip(_SIDES, ("blue", "orange"), (-0.08, -0.16), strict=True):
        stands = np.any([seen.touching[name] for name in SOLE_POINTS if side_of(name) == side], axis=0)
        bar = np.where(stands, level * ceiling, np.nan)
        below.plot(seen.times, bar, color=colour(tint), lw=4, label=f"{side} foot")
    below.set_ylim(-0.22 * ceiling, ceiling)
    below.legend(loc="upper right", ncols=2, fontsize=9, frameon=False)
    tidy(below, "unexplained\n(N/kg)")
    below.set_xlabel("time (s)")
    centre, pressure = push.wrench.centre, push.centre_of_pressure()
    plan.plot(centre[:, 0], centre[:, 2], color=colour("grey"), lw=1.4, label="centre of mass")
    plan.plot(pressure[:, 0], pressure[:, 2], ".", ms=3, color=colour("blue"), label="centre of pressure")
    plan.set_aspect("equal", adjustable="datalim")
    tidy(plan, "z (m)")
    plan.set_xlabel("x (m)")
    plan.legend(loc="upper center", bbox_to_anchor=(0.5, 1.12), ncols=2, fontsize=9, frameon=False)
    return Picture(canvas)


_DENSE = 200  # times at which the height is drawn
_AROUND = 0.2  # s before and after a gap


def plot_compared_falls(versions: Mapping[str, Motion], start: float, stop: float) -> Picture:
    """Return the centre of mass and the unexplained push of several motions by name, around a gap in s.

    The left panel has the height of the centre of mass in m. The right panel has the push in N per kg of body mass that
    the feet in contact cannot give, as `segue check` measures it. The gap is grey.
    """
    if not 1 <= len(versions) <= len(VERSION_LOOKS):
        raise ArgumentError(f"{len(versions)} motions cannot be compared: 1 to {len(VERSION_LOOKS)} are needed")
    if not start < stop:
        raise ArgumentError(f"the gap from {start:g} to {stop:g} s is empty: it must stop after it starts")
    canvas = blank((11.0, 3.2), constrained=True)
    heights, pushes = canvas.subplots(1, 2)
    for (name, motion), (tint, line) in zip(versions.items(), VERSION_LOOKS, strict=False):
        check_drawable(motion)
        low, high = max(start - _AROUND, motion.start), min(stop + _AROUND, motion.stop)
        times = np.linspace(low, high, _DENSE)
        centre = motion.figure.centre_of_mass(motion.state(times).poses)
        heights.plot(times, centre[:, 1], line, color=colour(tint), lw=1.6, label=name)
        seen = observe(motion)
        near = (seen.times >= low) & (seen.times <= high)
        pushes.plot(seen.times[near], seen.push.unexplained[near], line, color=colour(tint), lw=1.6)
    pushes.axhline(Thresholds().of("push").suspicious, color=colour("grey"), ls=":", lw=1.0)
    for axes, label in ((heights, "height of the\ncentre of mass (m)"), (pushes, "unexplained\npush (N/kg)")):
        axes.axvspan(start, stop, color="0.92", lw=0, zorder=0)
        axes.set_xlabel("time (s)")
        tidy(axes, label)
    canvas.legend(*heights.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return Picture(canvas)
