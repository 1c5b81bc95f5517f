"""Endless cycles: a stride becomes a walk that goes on as long as one likes, its feet where they were put.

`cyclify` makes a cycle of a part of a motion, `repeat` makes it last, `find_cycles` lists where a motion repeats
itself, and how nearly.
"""

from segue.cycle.build import cyclify
from segue.cycle.candidates import Candidate, find_cycles
from segue.cycle.cycle import BareCycle, Cycle, Seam, cycle_of
from segue.cycle.match import Match, Region, match_ends, search_regions
from segue.cycle.repetition import repeat

__all__ = [
    "BareCycle",
    "Candidate",
    "Cycle",
    "Match",
    "Region",
    "Seam",
    "cycle_of",
    "cyclify",
    "find_cycles",
    "match_ends",
    "repeat",
    "search_regions",
]
