"""Constraints on a gap: joint limits, what is usual for joints, and points that are held."""

from segue.spacetime.constraints.holds import Hold
from segue.spacetime.constraints.limits import LimitTable, Usual, clamp_control, limit_table

__all__ = ["Hold", "LimitTable", "Usual", "clamp_control", "limit_table"]
