"""Modes of motor control, and the outside torque on the upper body that two of them use.

The thesis applies such a torque all the time, by the lean of the upper body [Lake1990, section 6.2.3]. A body whose
controller balances by itself is disturbed by that torque, because it pulls at a trunk that leans on purpose. So
`Assistance` acts only when the capture point has left its course, and replaces the pressure that balance needs beyond
the edge of the feet.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from segue import checks
from segue.body.human import HUMAN
from segue.dance.simulation.model import TIMESTEP
from segue.typing import Array


class Mode(StrEnum):
    """The motor control that keeps the dancer up."""

    TORQUE = "torque"
    """Joint torques by whole-body control; no torque from outside."""

    ASSISTED = "assisted"
    """The same, and a bounded torque on the upper body from outside when balance fails."""

    CLASSIC = "classic"
    """Springs and dampers of single limbs, and the thesis's torque on the upper body [Lake1990, chapter 6]."""

    @classmethod
    def of(cls, name: str) -> Mode:
        """Return the mode of a name."""
        return checks.choice("the mode", name, cls)


TORSO = 1 + HUMAN.segments.index("torso")
"""The engine's number of the torso, on which the outside torque acts."""

MOST_LEAN = float(np.sin(np.radians(20.0)))
"""Sine of the lean up to which the torque grows; beyond it gravity is stronger [Lake1990, section 6.2.3]."""


@dataclass(frozen=True)
class Help:
    """How much outside torque a dancer received: its maximum and root mean square in N m, and its impulse in N m s.

    All are zero for a dancer that uses its own joints alone.
    """

    largest: float = 0.0
    rms: float = 0.0
    impulse: float = 0.0


class HelpingTorque:
    """A torque (3,) on the torso in world axes, N m, that acts until it is changed; an `ExternalForce`."""

    def __init__(self) -> None:
        self.torque: Array = np.zeros(3)
        self._released = False
        self._largest, self._squares, self._sum, self._steps = 0.0, 0.0, 0.0, 0

    def apply(self, time: float, data: Any) -> None:
        """Add the torque to the engine's forces and record it."""
        if self._released:
            return
        data.xfrc_applied[TORSO, 3:] += self.torque
        size = float(np.linalg.norm(self.torque))
        self._largest = max(self._largest, size)
        self._squares += size**2
        self._sum += size
        self._steps += 1

    def release(self) -> None:
        """Apply no more torque: the body has fallen."""
        self._released = True

    @property
    def given(self) -> Help:
        """How much torque was applied so far."""
        mean = self._squares / max(self._steps, 1)
        return Help(self._largest, float(np.sqrt(mean)), TIMESTEP * self._sum)


def leaning_moment(model: Any, data: Any) -> float:
    """Return the moment, N m, of the body's weight about its feet if the body lay level."""
    return float(model.body_subtreemass[1] * -model.opt.gravity[1] * data.subtree_com[1][1])


_STRAYS, _FALLS = 0.015, 0.03  # m of capture point error: where the torque sets in, and where it is full


class Assistance(HelpingTorque):
    """Decides the outside torque, up to the thesis's bound: the moment of a body that leans by 20 degrees."""

    def __init__(self, model: Any, data: Any) -> None:
        super().__init__()
        self._weight = float(model.body_subtreemass[1] * -model.opt.gravity[1])
        self._most = MOST_LEAN * leaning_moment(model, data)

    def decide(self, astray: Array, pressure: Array, points: Array) -> Array:
        """Return the torque (3,) that acts until the next decision.

        astray: (2,) m, from the wanted capture point to the true one. pressure: (2,) centre of pressure that balance
        needs. points: (P, 2) of the feet that bear.
        """
        self.torque = np.zeros(3)
        needed = min(max((float(np.hypot(*astray)) - _STRAYS) / (_FALLS - _STRAYS), 0.0), 1.0)
        if needed > 0.0 and len(points):
            x, z = self._weight * outside_hull(pressure, points)
            torque = needed * np.array([-z, 0.0, x])
            self.torque = torque * min(1.0, self._most / max(float(np.linalg.norm(torque)), 1e-9))
        return self.torque


def outside_hull(point: Array, points: Array) -> Array:
    """Return the vector (2,) from the nearest point of the convex hull of points (P, 2) to a point; zero inside."""
    away = points - point
    angles = np.sort(np.arctan2(away[:, 1], away[:, 0]))
    widest = np.diff(angles, append=angles[0] + 2.0 * np.pi).max()
    if widest < np.pi:  # the point is inside
        return np.zeros(2)
    # the nearest point lies on an edge of the hull, and every edge joins two of the points
    sides = away[None] - away[:, None]
    squares = np.maximum((sides**2).sum(axis=2), 1e-12)
    along = np.clip(-(away[:, None] * sides).sum(axis=2) / squares, 0.0, 1.0)
    nearest = (away[:, None] + along[:, :, None] * sides).reshape(-1, 2)
    found: Array = -nearest[(nearest**2).sum(axis=1).argmin()]
    return found
