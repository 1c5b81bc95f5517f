"""Jerk: the smoothest path, whatever it weighs."""

from __future__ import annotations

from segue.spacetime.objectives.objective import Objective


def jerk(weight: float = 1.0) -> Objective:
    """Return the integral of squared third derivatives, the minimum-jerk model of [Flash1985] joint by joint."""
    return Objective(jerk=weight)
