"""Planning of dances: from patterns and a figure to footsteps on the beat and goals of the body."""

from segue.dance.notation.follower import mirrored
from segue.dance.planning.couple import Couple, Hold, plan_couple
from segue.dance.planning.model import (
    Bearing,
    BodyGoal,
    Footprint,
    Footstep,
    JointGoal,
    Plan,
    PlannedStep,
    Stance,
    Style,
    Tempo,
    read_tempo,
)
from segue.dance.planning.planner import plan

__all__ = [
    "Bearing",
    "BodyGoal",
    "Couple",
    "Footprint",
    "Footstep",
    "Hold",
    "JointGoal",
    "Plan",
    "PlannedStep",
    "Stance",
    "Style",
    "Tempo",
    "mirrored",
    "plan",
    "plan_couple",
    "read_tempo",
]
