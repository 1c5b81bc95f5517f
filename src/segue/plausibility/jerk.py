"""Jerk: how abruptly hands, feet, head and hips change their acceleration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from segue.curves.sampled import differentiated
from segue.typing import Array, Flags


@dataclass(frozen=True)
class Jerk:
    """The largest jerk of any of some points, in m/s^3, with point and time; the root mean square over all of them."""

    largest: float
    point: str | None
    time: float | None
    rms: float


def jerk_peak(times: Array, points: Mapping[str, Array], chosen: Flags) -> Jerk:
    """Return the largest jerk of the points (T, 3) in the chosen frames."""
    sizes = jerks(times, points)[chosen]
    frame, point = (int(k) for k in np.unravel_index(sizes.argmax(), sizes.shape))
    largest = float(sizes[frame, point])
    if largest <= 0:
        return Jerk(0.0, None, None, 0.0)
    return Jerk(largest, list(points)[point], float(times[chosen][frame]), float(np.sqrt(np.mean(sizes**2))))


def jerks(times: Array, points: Mapping[str, Array]) -> Array:
    """Return (T, P) the jerk of each point, m/s^3, of the cubic that fits each stretch of its way best."""
    dt = float(times[1] - times[0]) if len(times) > 1 else 1.0
    found: Array = np.linalg.norm(differentiated(np.stack(list(points.values()), axis=1), dt, 3), axis=2)
    return found
