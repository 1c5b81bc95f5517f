"""A motion's own frames as a library: nobody moves more like a person than the same person a moment ago."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from segue.library.entry import RATE, Entry
from segue.motion.motion import Motion, gaps
from segue.motion.state import State

__all__ = ["own_entry"]

_NEAR = 0.1
"""Seconds next to a gap that are not drawn on: what is wrong in it may have begun before."""

_SHORTEST = 0.5
"""Seconds that a stretch between gaps must last to be of use."""


def own_entry(motion: Motion, name: str, without: Iterable[tuple[float, float]] = ()) -> Entry | None:
    """Return what a motion says outside its gaps, and outside others from start to stop, as an entry.

    None where nothing is left.
    """
    holes = [*without, *((stretch.start, stretch.stop) for stretch in gaps(motion))]
    sections = _outside(motion, holes)
    if not sections:
        return None
    count = int((motion.stop - motion.start) * RATE + 1e-6) + 1
    state = State.still(count).poses
    root, balls, hinges = (part.astype(np.float32) for part in (state.root, state.balls, state.hinges))
    for first, last in sections:
        poses = motion.state(motion.start + np.arange(first, last) / RATE).poses
        root[first:last], balls[first:last], hinges[first:last] = poses.root, poses.balls, poses.hinges
    return Entry(name, motion.figure, root, balls, hinges, sections)


def _outside(motion: Motion, holes: Iterable[tuple[float, float]]) -> tuple[tuple[int, int], ...]:
    """Return the sections of frames, first and the one after the last, that lie well outside all holes."""
    sections, begin = [], motion.start
    edges = [*sorted((start - _NEAR, stop + _NEAR) for start, stop in holes), (motion.stop + 1.0 / RATE, np.inf)]
    for start, stop in edges:
        first = int(np.ceil((begin - motion.start) * RATE - 1e-6))
        # the last frame lies within the motion, whatever its length
        last = int((min(start, motion.stop) - motion.start) * RATE + 1e-6) + 1
        if last - first >= _SHORTEST * RATE:
            sections.append((first, last))
        begin = max(begin, stop)
    return tuple(sections)
