"""Penalties: what a path between keyframes should not do, one file each, with analytic gradients."""

from segue.keyframe.penalties.acceleration import Acceleration
from segue.keyframe.penalties.jerk import Jerk

__all__ = ["Acceleration", "Jerk"]
