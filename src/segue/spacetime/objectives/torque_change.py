"""Change of torques against inertia: how abruptly muscles would have to change their pull."""

from __future__ import annotations

from segue.spacetime.objectives.objective import Objective


def torque_change(weight: float = 1.0, jerk: float = 0.3) -> Objective:
    """Return the integral of squared rates of torques, each against the inertia about its joint, with a little jerk.

    The minimum torque-change model of human reaching, [Uno1989], with every joint counted in units of its own inertia.
    """
    return Objective(torque_change=weight, jerk=jerk)
