"""When points under the feet bear the body: firmly planted, or dragged along under its weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from segue.body.layout import side_of
from segue.dynamics import GRAVITY
from segue.motion.contacts import Contact, runs
from segue.plausibility.derivatives import differentiated
from segue.typing import Array, Flags

__all__ = ["contact_frames", "dragged_points", "hovers", "planted_points", "runs", "trimmed"]

_PLANTED = 0.01  # m: as long as a point is no higher above where it rests, it is planted; then it is being lifted
_STEPPING = 0.4  # m/s: a point that moves faster over the floor is on its way to another place
_HOVERING = 1.0  # m/s^2 downwards: more than noise shows of a foot on a step
_SETTLING = 0.03  # s at either end, in which a foot is still being put down or already taken up
_LANDING = 0.05  # s before and after a contact or a flight: the foot moves, and bears weight already
_LEAST_DRAG = 0.1  # s
_SOLE = 0.02  # m: points of one foot that are no further above the lower one touch the floor together


def contact_frames(times: Array, contacts: Sequence[Contact]) -> dict[str, list[tuple[int, int]]]:
    """Return for each point the frames of its contacts: first, and last plus one."""
    dt = float(times[1] - times[0]) if len(times) > 1 else 1.0
    found: dict[str, list[tuple[int, int]]] = {}
    for contact in contacts:
        first, last = (round((t - times[0]) / dt) for t in (contact.start, contact.stop))
        found.setdefault(contact.point, []).append((first, last + 1))
    return found


def hovers(times: Array, points: Mapping[str, Array], contact: Contact) -> bool:
    """Whether a point that seems to rest up in the air only turns there, as at the top of a slow leap.

    What is put down on a step and lifted off it again moves like the letter U, what rises and falls the other way up.
    """
    dt = float(times[1] - times[0])
    first, last = (round((t - times[0]) / dt) for t in (contact.start, contact.stop))
    height = points[contact.point][first : last + 1, 1]
    if len(height) < 3:
        return False
    since = np.arange(len(height)) * dt
    return bool(2.0 * np.polyfit(since, height, 2)[0] < -_HOVERING)


def planted_points(times: Array, points: Mapping[str, Array], contacts: Sequence[Contact]) -> dict[str, Flags]:
    """Return for each point (T,) whether it is firmly planted: not being put down, rolled or lifted.

    A contact lasts until its point has left a box about the place, so that feet may roll; what a foot does while it
    comes to rest, and from when it begins to rise, is no slide.
    """
    frames = contact_frames(times, contacts)
    planted = {}
    for point, track in points.items():
        down = np.zeros(len(times), dtype=bool)
        if len(times) > 1:
            dt = float(times[1] - times[0])
            for first, stop in frames.get(point, []):
                height = track[first:stop, 1]
                down[first:stop] = height <= np.quantile(height, 0.25) + _PLANTED
            down &= np.linalg.norm(differentiated(track[:, [0, 2]], dt, 1), axis=1) <= _STEPPING
            down = trimmed(down, round(_SETTLING / dt))
        planted[point] = down
    return planted


def dragged_points(
    times: Array, points: Mapping[str, Array], centre_of_mass: Array, carried: Flags, aloft: Flags
) -> dict[str, Flags]:
    """Return for each point (T,) whether it bears the body without being in one place, as under a body that glides.

    Where nothing is planted (`carried` tells), the body is not in the air (`aloft`) and its centre of mass does not
    fall either, what carries it can only be its lower foot.
    """
    dragged = {point: np.zeros(len(times), dtype=bool) for point in points}
    if len(times) < 2:
        return dragged
    dt = float(times[1] - times[0])
    falling = differentiated(centre_of_mass[:, 1], dt, 2) < 0.5 * GRAVITY[1]
    bearing = trimmed(~carried & ~aloft & ~falling, round(_LANDING / dt))
    for first, stop in runs(bearing):
        if (stop - first) * dt < _LEAST_DRAG:
            bearing[first:stop] = False
    heights = {point: track[:, 1] for point, track in points.items()}
    lowest = np.min(list(heights.values()), axis=0)
    lower_side = np.argmin(list(heights.values()), axis=0)
    sides = [side_of(point) for point in points]
    for point, height in heights.items():
        own = np.array([side == side_of(point) for side in sides])[lower_side]
        dragged[point] = bearing & own & (height <= lowest + _SOLE)
    return dragged


def trimmed(flags: Flags, frames: int) -> Flags:
    """Return the runs of true flags without so many frames at either end, ends of the motion excepted."""
    kept = np.zeros_like(flags)
    for first, stop in runs(flags):
        start = first + (frames if first > 0 else 0)
        kept[start : max(start, stop - (frames if stop < len(flags) else 0))] = True
    return kept
