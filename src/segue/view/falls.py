"""How motions fall: the height of the centre of mass, and the push that no foot gives, over time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.plausibility import Thresholds, observe
from segue.view.charts import tidy
from segue.view.comparison import VERSION_LOOKS
from segue.view.palette import colour
from segue.view.picture import Picture, blank
from segue.view.stage import check_drawable

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
