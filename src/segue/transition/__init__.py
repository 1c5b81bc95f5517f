"""Transitions: root path, supports, inverse kinematics and dynamics of a gap, and the operators that fill gaps."""

from segue.transition.fill import fill, sp
from segue.transition.join import transition
from segue.transition.options import Options
from segue.transition.prior import Drawn, Match, Prior, Proposal
from segue.transition.report import CutTimes, FillReport, fills
from segue.transition.root import velocity_blend
from segue.transition.supports import Support

__all__ = [
    "CutTimes",
    "Drawn",
    "FillReport",
    "Match",
    "Options",
    "Prior",
    "Proposal",
    "Support",
    "fill",
    "fills",
    "sp",
    "transition",
    "velocity_blend",
]
