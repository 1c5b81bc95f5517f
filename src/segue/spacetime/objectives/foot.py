"""Feet: slow ones near the floor are drawn to rest, so that weight can be on them."""

from __future__ import annotations

from segue.spacetime.objectives.objective import Objective


def foot(weight: float = 3000.0, *, speed: float = 0.3, height: float = 0.4, jerk: float = 0.3) -> Objective:
    """Return the robust cost of the feet's speed near the floor, with a little jerk for all other joints."""
    return Objective(foot=weight, foot_speed=speed, foot_height=height, jerk=jerk)
