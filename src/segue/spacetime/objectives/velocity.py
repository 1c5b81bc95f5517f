"""Velocity: the laziest path, which moves no more than it must."""

from __future__ import annotations

from segue.spacetime.objectives.objective import Objective


def velocity(weight: float = 100.0, jerk: float = 0.3) -> Objective:
    """Return the integral of squared velocities, with a little jerk to keep the ends from kinking."""
    return Objective(velocity=weight, jerk=jerk)
