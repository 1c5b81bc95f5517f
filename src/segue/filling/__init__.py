"""Transitions: root path, supports, inverse kinematics and dynamics of a gap, and the operators that fill gaps."""

from segue.filling.fill import fill, sp
from segue.filling.join import transition
from segue.filling.options import Options
from segue.filling.prior import Drawn, Match, Prior, Proposal
from segue.filling.report import CutTimes, FillReport, fills
from segue.filling.root import velocity_blend
from segue.filling.supports import Support

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
