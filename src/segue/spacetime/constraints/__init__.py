"""Constraints: what a motion must keep to. Ends are met by construction, limits and holds by stiff costs."""

from segue.spacetime.constraints.holds import Hold
from segue.spacetime.constraints.limits import LimitTable, clamp_control, limit_table

__all__ = ["Hold", "LimitTable", "clamp_control", "limit_table"]
