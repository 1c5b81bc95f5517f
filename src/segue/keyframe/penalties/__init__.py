"""Penalties: what a path between keyframes should not do, one file each, with analytic gradients."""

from segue.keyframe.penalties.acceleration import Acceleration
from segue.keyframe.penalties.covariant_acceleration import CovariantAcceleration
from segue.keyframe.penalties.jerk import Jerk
from segue.keyframe.penalties.unit_quaternion import Departure, UnitQuaternion
from segue.keyframe.penalties.user import UserPenalty

__all__ = ["Acceleration", "CovariantAcceleration", "Departure", "Jerk", "UnitQuaternion", "UserPenalty"]
