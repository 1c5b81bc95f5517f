"""Planning of dances: from patterns and a figure to footsteps on the beat and goals of the body."""

from segue.dance.planning.mirror import mirrored
from segue.dance.planning.model import (
    Bearing,
    BodyGoal,
    Footprint,
    Footstep,
    JointGoal,
    Plan,
    PlannedStep,
    Stance,
    Tempo,
)
from segue.dance.planning.plan import plan
from segue.dance.planning.style import Style

__all__ = [
    "Bearing",
    "BodyGoal",
    "Footprint",
    "Footstep",
    "JointGoal",
    "Plan",
    "PlannedStep",
    "Stance",
    "Style",
    "Tempo",
    "mirrored",
    "plan",
]
