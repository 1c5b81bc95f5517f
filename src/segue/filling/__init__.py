"""Filling gaps: root path, supports, cut points, the solve of a gap, and the operators that fill gaps."""

from segue.filling.cutting import CutPoint, cut_points, distance_map
from segue.filling.cutting_map import DistanceMap
from segue.filling.operators import Join, fill, fill_gaps, transition, transition_variants, transitions, variants
from segue.filling.options import Options
from segue.filling.prior import GapRequest, Prior, PriorSource, Proposal
from segue.filling.root import velocity_blend
from segue.motion.targets import Flight, Footstep, Reach

__all__ = [
    "CutPoint",
    "DistanceMap",
    "Flight",
    "Footstep",
    "GapRequest",
    "Join",
    "Options",
    "Prior",
    "PriorSource",
    "Proposal",
    "Reach",
    "cut_points",
    "distance_map",
    "fill",
    "fill_gaps",
    "transition",
    "transition_variants",
    "transitions",
    "variants",
    "velocity_blend",
]
