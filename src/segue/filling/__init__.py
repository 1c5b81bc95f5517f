"""Transitions: root path, supports, inverse kinematics and dynamics of a gap, and the operators that fill gaps."""

from segue.filling.fill import fill, fill_gaps
from segue.filling.join import transition
from segue.filling.options import Options
from segue.filling.prior import Prior, Proposal
from segue.filling.root import velocity_blend

__all__ = [
    "Options",
    "Prior",
    "Proposal",
    "fill",
    "fill_gaps",
    "transition",
    "velocity_blend",
]
