"""Ligaments: what stops a ball joint at the rim of its cone. Hinges are stopped by the engine itself."""

from __future__ import annotations

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.body.limit_kernels import BallCones
from segue.dance.simulation._ligament_kernels import ligament_torques
from segue.typing import Array

# applied from tick to tick: stiffer ones would make light limbs tremble
_STIFFNESS = 3.0  # N m/rad per kg of body mass
_DAMPING = 0.008  # N m s/rad per kg of body mass


class Ligaments:
    """Passive torques of a figure's ball joints, inside the body: they push one segment as hard as the other back."""

    def __init__(self, figure: Figure) -> None:
        self._cones = BallCones.of(HUMAN.ball_limits)
        self._stiffness, self._damping = _STIFFNESS * figure.mass, _DAMPING * figure.mass

    def pull(self, positions: Array, velocities: Array, torques: Array) -> None:
        """Write the torques (44,) at the engine's positions and velocities; zero inside all limits."""
        ligament_torques(self._cones, positions, velocities, self._stiffness, self._damping, torques)
