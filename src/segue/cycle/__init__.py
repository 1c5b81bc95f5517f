"""Endless cycles: make a stride a walk of any length, with feet that stay where they stand.

`make_loop` makes a cycle of a part of a motion, `repeat` makes it last, `find_loops` lists where a motion repeats
itself, and how nearly.
"""

from segue.cycle.build import make_loop
from segue.cycle.cycle import BareCycle, Cycle, Seam, loop_of, repeat
from segue.cycle.search import Candidate, Match, Region, find_loops, match_ends, search_regions

__all__ = [
    "BareCycle",
    "Candidate",
    "Cycle",
    "Match",
    "Region",
    "Seam",
    "find_loops",
    "loop_of",
    "make_loop",
    "match_ends",
    "repeat",
    "search_regions",
]
