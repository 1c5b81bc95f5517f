"""Ligaments: what stops a ball joint at the rim of its cone. Hinges are stopped by the engine itself."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.dance.simulation._ligament_kernels import ligament_torques
from segue.keyframe.figure._limit_kernels import BallCones
from segue.typing import Array

# applied from tick to tick: stiffer ones would make light limbs tremble
_STIFFNESS = 3.0  # N m/rad per kg of body mass
_DAMPING = 0.008  # N m s/rad per kg of body mass


class Ligaments:
    """Passive torques of a figure's ball joints, inside the body: they push one segment as hard as the other back."""

    def __init__(self, figure: Figure) -> None:
        limits = HUMAN.ball_limits
        swings = np.array([limit.swing for limit in limits])
        along = np.abs([limit.axis for limit in limits]) > 0.5
        self._cones = BallCones(
            centre=np.array([limit.centre for limit in limits]),
            axis=np.array([limit.axis for limit in limits]),
            twist=np.array([limit.twist for limit in limits]),
            cone=np.where(along | np.isinf(swings), 0.0, 1.0 / swings),
            reach=np.ones(len(limits)),
            least=np.where(along, np.inf, swings).min(axis=1),
        )
        self._stiffness, self._damping = _STIFFNESS * figure.mass, _DAMPING * figure.mass

    def pull(self, positions: Array, velocities: Array, torques: Array) -> None:
        """Write the torques (44,) at the engine's positions and velocities; zero inside all limits."""
        ligament_torques(self._cones, positions, velocities, self._stiffness, self._damping, torques)
