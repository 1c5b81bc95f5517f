"""The cost of a path by terms of its objective, so that a user sees what the solver weighed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from segue.spacetime.gap import Gap
from segue.spacetime.solver import energy_of, within_limits
from segue.typing import Array

WEIGHTS = ("torque", "torque_change", "velocity", "acceleration", "jerk", "foot")
"""Fields of `Objective` that are weights of terms."""


def cost_by_term(gap: Gap, control: Array) -> dict[str, float]:
    """Return what each term of a gap's objective costs on a path; their sum is `energy_of` without terms of the user.

    control: spline coefficients (k + 4, 44). The energy is linear in the squares of the weights, so that a term's cost
    is the energy with it less the energy without it. This also holds for terms that alone would not be an objective.
    """
    bare = replace(gap, terms=())
    used = [name for name in WEIGHTS if getattr(gap.objective, name) > 0.0]
    whole = energy_of(bare, control)
    found: dict[str, float] = {}
    for name in used:
        others = replace(gap.objective, **{name: 0.0})
        if others.smooths:
            found[name] = max(whole - energy_of(replace(bare, objective=others), control), 0.0)
    # without this term no joint's path would cost anything by itself: it costs what the others leave
    for name in used:
        if name not in found:
            found[name] = max(whole - sum(found.values()), 0.0)
    return {name: found[name] for name in used}


def interpolation(gap: Gap) -> Array:
    """Return the spline coefficients (m + 4, 44) of the cubic Hermite path across a gap, within limits."""
    still = np.zeros((len(gap.free), gap.coefficients))
    return gap.control(within_limits(gap, still) if gap.limits else still)
