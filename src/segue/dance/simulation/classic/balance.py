"""The thesis's autonomic balance: a torque from nowhere that keeps the upper body upright."""

from __future__ import annotations

from typing import Any

import numpy as np

from segue.dance.simulation.helping import MOST_LEAN, TORSO, HelpingTorque, leaning_moment

_UP = np.array([0.0, 1.0, 0.0])


class Balance(HelpingTorque):
    """A restoring torque on the torso: as much as the weight of a body that leans so makes about its feet.

    Beyond 20 degrees it grows no more, and gravity is the stronger. No muscle gives it: it acts from outside.
    """

    def __init__(self, model: Any, data: Any) -> None:
        super().__init__()
        self._moment = leaning_moment(model, data)

    def press(self, time: float, data: Any) -> None:
        """Add the torque of this moment's lean to the engine's, and take note of it."""
        axis = np.cross(data.xmat[TORSO].reshape(3, 3)[:, 1], _UP)
        sine = max(float(np.linalg.norm(axis)), 1e-12)
        self.torque = self._moment * min(sine, MOST_LEAN) * axis / sine
        super().press(time, data)
