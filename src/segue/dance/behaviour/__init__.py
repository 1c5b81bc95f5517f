"""Couples on one floor: dancers with character, the behaviours that choose their patterns, and the floor they share.

The hierarchy of [Lake1990, chapter 4] has one module per level: `dancer` (goals and habits), `processes` (behaviours
with triggers and priorities), `motion_verbs` (patterns) and `position_verbs` (steps, by the planner).
"""

from segue.dance.behaviour.choreography import Choreography, DancedCouple, both_parts, choreograph
from segue.dance.behaviour.couple import Decision, Refusal
from segue.dance.behaviour.dancer import (
    Build,
    Character,
    Dancer,
    Habits,
    Proficiency,
    dancer_text,
    read_dancer,
    unknown_patterns,
    write_dancer,
)
from segue.dance.behaviour.environment import (
    Environment,
    Ground,
    environment_text,
    read_environment,
    write_environment,
)
from segue.dance.behaviour.processes import PROCESSES, Options, Process, Situation, Vote
from segue.dance.behaviour.report import CoupleReport, decision_lines, evening_table, reports

__all__ = [
    "PROCESSES",
    "Build",
    "Character",
    "Choreography",
    "CoupleReport",
    "DancedCouple",
    "Dancer",
    "Decision",
    "Environment",
    "Ground",
    "Habits",
    "Options",
    "Process",
    "Proficiency",
    "Refusal",
    "Situation",
    "Vote",
    "both_parts",
    "choreograph",
    "dancer_text",
    "decision_lines",
    "environment_text",
    "evening_table",
    "read_dancer",
    "read_environment",
    "reports",
    "unknown_patterns",
    "write_dancer",
    "write_environment",
]
