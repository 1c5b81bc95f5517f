"""Help from outside: a torque on the upper body that no muscle gives, and an account of how much of it was needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from segue.body.human import HUMAN
from segue.dance.simulation.model import TIMESTEP
from segue.typing import Array

TORSO = 1 + HUMAN.segments.index("torso")
"""The engine's number of the body that help acts on."""

MOST_LEAN = float(np.sin(np.radians(20.0)))
"""Sine of the lean up to which help grows: beyond it gravity is the stronger [Lake1990, section 6.2.3]."""


@dataclass(frozen=True)
class Help:
    """How much help a dancer had: the torque's largest size and its root mean square, N m, and its impulse, N m s.

    All are zero for who dances by its own joints alone.
    """

    largest: float = 0.0
    rms: float = 0.0
    impulse: float = 0.0


class HelpingTorque:
    """A torque (3,) on the torso in the world, N m, that acts until it is changed; an `Influence`."""

    def __init__(self) -> None:
        self.torque: Array = np.zeros(3)
        self._released = False
        self._largest, self._squares, self._sum, self._steps = 0.0, 0.0, 0.0, 0

    def press(self, time: float, data: Any) -> None:
        """Add the torque to the engine's, and take note of it."""
        if self._released:
            return
        data.xfrc_applied[TORSO, 3:] += self.torque
        size = float(np.linalg.norm(self.torque))
        self._largest = max(self._largest, size)
        self._squares += size**2
        self._sum += size
        self._steps += 1

    def release(self) -> None:
        """Help no more: the body has fallen."""
        self._released = True

    @property
    def given(self) -> Help:
        """How much was given so far."""
        mean = self._squares / max(self._steps, 1)
        return Help(self._largest, float(np.sqrt(mean)), TIMESTEP * self._sum)


def leaning_moment(model: Any, data: Any) -> float:
    """Return the moment, N m, of the weight of a body that stands as the engine's data say, were it to lie level."""
    return float(model.body_subtreemass[1] * -model.opt.gravity[1] * data.subtree_com[1][1])
