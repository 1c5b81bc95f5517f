"""Penalties: what a path between keyframes should not do, one file each, with analytic gradients."""

from segue.keyframe.penalties.balance import Balance
from segue.keyframe.penalties.box import Obstacle
from segue.keyframe.penalties.floor import Floor
from segue.keyframe.penalties.joint_limits import JointLimits
from segue.keyframe.penalties.quaternion import CovariantAcceleration, Departure, UnitQuaternion
from segue.keyframe.penalties.skid import Plant, Skid
from segue.keyframe.penalties.smoothness import Acceleration, Jerk
from segue.keyframe.penalties.torque import Torque, TorqueChange
from segue.keyframe.penalties.user import UserPenalty

__all__ = [
    "Acceleration",
    "Balance",
    "CovariantAcceleration",
    "Departure",
    "Floor",
    "Jerk",
    "JointLimits",
    "Obstacle",
    "Plant",
    "Skid",
    "Torque",
    "TorqueChange",
    "UnitQuaternion",
    "UserPenalty",
]
