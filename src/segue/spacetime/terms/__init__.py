"""Terms: what a path costs, one subject a file, with analytic gradients, for transitions, keyframes and cycles."""

from segue.spacetime.terms.balance import Balance
from segue.spacetime.terms.feet import FootRest, Plant, Skid
from segue.spacetime.terms.floor import Floor, Obstacle
from segue.spacetime.terms.hold import Hold, Holds
from segue.spacetime.terms.joint_limits import JointLimits
from segue.spacetime.terms.quaternion import CovariantAcceleration, Departure, UnitQuaternion
from segue.spacetime.terms.smoothness import Acceleration, Distance, Jerk, Velocity
from segue.spacetime.terms.torque import FreeFall, Torque, TorqueChange
from segue.spacetime.terms.user import UserTerm

__all__ = [
    "Acceleration",
    "Balance",
    "CovariantAcceleration",
    "Departure",
    "Distance",
    "Floor",
    "FootRest",
    "FreeFall",
    "Hold",
    "Holds",
    "Jerk",
    "JointLimits",
    "Obstacle",
    "Plant",
    "Skid",
    "Torque",
    "TorqueChange",
    "UnitQuaternion",
    "UserTerm",
    "Velocity",
]
