"""Assistance: a torque from nowhere on the upper body, where balance alone would fail.

The thesis gives such a torque all the time, by how far the upper body leans [Lake1990, section 6.2.3]. On a body whose
balance reckons with all that acts on it, that does harm: it pulls at trunks that lean on purpose. So here it is given
when the capture point has strayed: then it makes up for the pressure that balance asks for beyond the edge of the feet.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from segue.dance.simulation.helping import MOST_LEAN, HelpingTorque, leaning_moment
from segue.typing import Array

_STRAYS, _FALLS = 0.015, 0.03  # m that the capture point is astray: where help sets in, and where it is given in full


class Assistance(HelpingTorque):
    """Decides how much help is given, no more than the thesis's: the moment of a body that leans by 20 degrees."""

    def __init__(self, model: Any, data: Any) -> None:
        super().__init__()
        self._weight = float(model.body_subtreemass[1] * -model.opt.gravity[1])
        self._most = MOST_LEAN * leaning_moment(model, data)

    def decide(self, astray: Array, pressure: Array, points: Array) -> Array:
        """Return the torque (3,) that acts until the next decision.

        astray: (2,) m, the capture point from where it is to be. pressure: (2,) where the floor would have to push.
        points: (P, 2) of the feet where it can.
        """
        self.torque = np.zeros(3)
        needed = min(max((float(np.hypot(*astray)) - _STRAYS) / (_FALLS - _STRAYS), 0.0), 1.0)
        if needed > 0.0 and len(points):
            x, z = self._weight * beyond(pressure, points)
            torque = needed * np.array([-z, 0.0, x])
            self.torque = torque * min(1.0, self._most / max(float(np.linalg.norm(torque)), 1e-9))
        return self.torque


def beyond(point: Array, points: Array) -> Array:
    """Return the way (2,) from the nearest point of the convex hull of points (P, 2) to a point; zero inside."""
    away = points - point
    angles = np.sort(np.arctan2(away[:, 1], away[:, 0]))
    widest = np.diff(angles, append=angles[0] + 2.0 * np.pi).max()
    if widest < np.pi:  # the points lie all round it
        return np.zeros(2)
    # the nearest point of the hull lies on its rim, which is among the lines between any two points
    sides = away[None] - away[:, None]
    squares = np.maximum((sides**2).sum(axis=2), 1e-12)
    along = np.clip(-(away[:, None] * sides).sum(axis=2) / squares, 0.0, 1.0)
    nearest = (away[:, None] + along[:, :, None] * sides).reshape(-1, 2)
    found: Array = -nearest[(nearest**2).sum(axis=1).argmin()]
    return found
