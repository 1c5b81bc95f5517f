"""The ground's push: what a motion needs over time, what of it the feet cannot give, and where on the floor it acts.

Several motions are compared by how they fall.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from segue.body.layout import side_of
from segue.dynamics import GRAVITY
from segue.errors import ArgumentError
from segue.motion.contacts import SOLE_POINTS
from segue.motion.motion import Motion
from segue.plausibility import Thresholds, observe
from segue.view.charts import tidy
from segue.view.comparison import VERSION_LOOKS
from segue.view.palette import colour
from segue.view.picture import Picture, blank
from segue.view.stage import check_drawable

_SIDES = ("left", "right")


def ground_push(motion: Motion) -> Picture:
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


def compared_falls(versions: Mapping[str, Motion], start: float, stop: float) -> Picture:
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
