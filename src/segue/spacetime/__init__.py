"""Spacetime optimisation: objectives, constraints, and the one solve that transitions, keyframes and cycles share."""

from segue.spacetime.gap import Gap
from segue.spacetime.objectives import OBJECTIVES, Objective, objective_named, register_objective
from segue.spacetime.solver import Solution, solve
from segue.spacetime.terms.hold import Hold
from segue.spacetime.time_modes import coefficients_for

__all__ = [
    "OBJECTIVES",
    "Gap",
    "Hold",
    "Objective",
    "Solution",
    "coefficients_for",
    "objective_named",
    "register_objective",
    "solve",
]
