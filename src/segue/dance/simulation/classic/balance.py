"""The thesis's autonomic balance: a torque from nowhere that keeps the upper body upright."""

from __future__ import annotations

from typing import Any

import numpy as np

from segue.body.joints import SEGMENTS
from segue.curves.quaternion import Array

__all__ = ["Balance"]

_TORSO = 1 + SEGMENTS.index("torso")
_UP = np.array([0.0, 1.0, 0.0])
_MOST = float(np.sin(np.radians(20.0)))  # the lean that [Lake1990, section 6.2.3] gives


class Balance:
    """A restoring torque on the torso: as much as the weight of a body that leans so makes about its feet.

    Beyond 20 degrees it grows no more, and gravity is the stronger. No muscle gives it: it acts from outside.
    """

    def __init__(self, model: Any, data: Any) -> None:
        weight = float(model.body_subtreemass[1] * -model.opt.gravity[1])
        self._moment = weight * float(data.subtree_com[1][1])
        self._data = data

    def torque(self) -> Array:
        """Return the torque (3,) in the world, N m."""
        axis = np.cross(self._data.xmat[_TORSO].reshape(3, 3)[:, 1], _UP)
        sine = max(float(np.linalg.norm(axis)), 1e-12)
        torque: Array = self._moment * min(sine, _MOST) * axis / sine
        return torque

    def apply(self) -> float:
        """Let it act until the next tick, and return its size, N m."""
        torque = self.torque()
        self._data.xfrc_applied[_TORSO, 3:] = torque
        return float(np.linalg.norm(torque))
