"""A plan performed by the figure without dynamics: feet planted, body upright, arms in hold."""
