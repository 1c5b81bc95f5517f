"""Compiled dynamic programming of schedules: the cheapest sequence of segments from start to stop of a gap."""

from __future__ import annotations

import numpy as np

from segue.compiled import compiled
from segue.typing import Array, Ints

START, FROM_START, SWING, STANCE, STOP, THROUGHOUT = range(6)
"""Segments: stance of the start, swing from there, other swings, stances between, stance of the stop, and stance from
start to stop."""


@compiled(seconds=1)
def cheapest_segments(costs: Array) -> tuple[float, Ints]:
    """Return the least cost, and its segments (K, 3): kind, first sample, sample after the last.

    costs: (6, T + 1, T + 1) of each kind, by first sample and sample after the last; infinity where none is allowed.
    """
    kinds, count = costs.shape[0], costs.shape[1] - 1
    ends = np.full((kinds, count + 1), np.inf)  # least cost up to a sample, by the kind that stops there
    entered = np.full((kinds, count + 1), np.inf)
    firsts = np.zeros((kinds, count + 1), np.int64)
    before = np.zeros((kinds, count + 1), np.int64)  # the kind before one that begins at a sample
    entered[START, 0] = entered[SWING, 0] = entered[THROUGHOUT, 0] = 0.0
    for stop in range(1, count + 1):
        for kind in range(kinds):
            for first in range(stop):
                total = entered[kind, first] + costs[kind, first, stop]
                if total < ends[kind, stop]:
                    ends[kind, stop], firsts[kind, stop] = total, first
        swing = FROM_START if ends[FROM_START, stop] <= ends[SWING, stop] else SWING
        before[FROM_START, stop], before[SWING, stop] = START, STANCE
        before[STANCE, stop] = before[STOP, stop] = swing
        for kind in (FROM_START, SWING, STANCE, STOP):
            entered[kind, stop] = ends[before[kind, stop], stop]
    kind = FROM_START
    for other in (SWING, STOP, THROUGHOUT):
        if ends[other, count] < ends[kind, count]:
            kind = other
    least, stop, at = ends[kind, count], count, count
    found = np.empty((count, 3), np.int64)
    if np.isfinite(least):
        while stop > 0:
            at -= 1
            first = firsts[kind, stop]
            found[at, 0], found[at, 1], found[at, 2] = kind, first, stop
            kind, stop = before[kind, first], first
    return least, found[at:].copy()
