"""Terms: what a path costs, one file each, with analytic gradients, for transitions, keyframes and cycles."""

from segue.spacetime.terms.balance import Balance
from segue.spacetime.terms.floor import Floor
from segue.spacetime.terms.joint_limits import JointLimits
from segue.spacetime.terms.obstacle import Obstacle
from segue.spacetime.terms.quaternion import CovariantAcceleration, Departure, UnitQuaternion
from segue.spacetime.terms.skid import Plant, Skid
from segue.spacetime.terms.smoothness import Acceleration, Jerk
from segue.spacetime.terms.torque import Torque, TorqueChange
from segue.spacetime.terms.user import UserTerm

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
    "UserTerm",
]
