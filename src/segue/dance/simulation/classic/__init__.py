"""The thesis's own motor control on a body with real inertia: springs and dampers with feedback on beta."""

from segue.dance.simulation.classic.body import Footing
from segue.dance.simulation.classic.gains import GAINS, SCALED, THESIS, Gains
from segue.dance.simulation.classic.limbs import LIMBS
from segue.dance.simulation.classic.reach import ArmReach, Arrival, arm_reach
from segue.dance.simulation.classic.record import Drift, Record
from segue.dance.simulation.classic.trials import FreeSwing, PushedLimb, free_swing, pushed_limb

__all__ = [
    "GAINS",
    "LIMBS",
    "SCALED",
    "THESIS",
    "ArmReach",
    "Arrival",
    "Drift",
    "Footing",
    "FreeSwing",
    "Gains",
    "PushedLimb",
    "Record",
    "arm_reach",
    "free_swing",
    "pushed_limb",
]
