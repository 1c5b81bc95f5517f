"""Autonomic motor program: hips. Where feet cannot press far enough, the trunk gives way and takes up the rest."""

from __future__ import annotations

import numpy as np

from segue.dance.simulation.control.assistance import beyond
from segue.dance.simulation.course.course import TICK
from segue.typing import Array

_HALF = 0.01  # m beyond the rim of what bears, at which half of the trunk's uprightness is given up
_LEAST = 0.4
_STRAIGHTENING = 0.6  # s in which a trunk that gave way is kept upright in full again


class Yielding:
    """How much it matters that the trunk is upright: less where the floor would have to push beyond the feet.

    A trunk that turns takes up angular momentum, and so does for a moment what pressure outside the soles would do: the
    hip strategy [Horak1986]. share: 0 to 1.
    """

    def __init__(self) -> None:
        self.share = 1.0

    def give_way(self, pressure: Array, points: Array) -> None:
        """Reckon with a pressure (2,) that is wanted, and points (P, 2) of the floor that bear."""
        share = _LEAST
        if len(points):
            far = float(np.hypot(*beyond(pressure, points)))
            share = max(_LEAST, 1.0 / (1.0 + (far / _HALF) ** 2))
        self.share = min(share, self.share + TICK / _STRAIGHTENING)

    def straighten(self) -> None:
        """Come back, where nothing is wrong any more."""
        self.share = min(1.0, self.share + TICK / _STRAIGHTENING)
