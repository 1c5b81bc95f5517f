"""The default: the mixture that was measured closest to what people really do."""

from __future__ import annotations

from segue.spacetime.objectives.foot import foot
from segue.spacetime.objectives.objective import Objective
from segue.spacetime.objectives.torque_change import torque_change
from segue.spacetime.objectives.velocity import velocity


def natural() -> Objective:
    """Return change of torques, jerk, velocity and the foot term, in the proportions that filled real gaps best."""
    return torque_change(1.0, jerk=0.3) + velocity(100.0, jerk=0.0) + foot(3000.0, jerk=0.0)
