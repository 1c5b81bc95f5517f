"""Squared torques: the objective of [Rose1996], section 3.2.3."""

from __future__ import annotations

from segue.spacetime.objectives.objective import Objective


def torque(weight: float = 1.0, acceleration: float = 0.5) -> Objective:
    """Return the integral of squared torques, with a little of squared accelerations.

    Without the latter, axes that hardly any mass turns about (forearm twist, wrists, toes) can do what they like.
    """
    return Objective(torque=weight, acceleration=acceleration)
