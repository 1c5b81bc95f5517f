"""The clips that a prior searches: those of a library, and the motion's own frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from segue.filling.features import RATE
from segue.filling.prior import Span
from segue.library.frame_index import FrameIndex
from segue.library.guide import Guide
from segue.library.library_clip import LibraryClip
from segue.motion.motion import Motion, gaps
from segue.motion.tracks import State

_NEAR = 0.1
"""Seconds next to a gap that are not used, since the fault in the gap may begin before it."""

_COMPARED = 100
_FRAMES_OFF, _SAME, _MOSTLY = 2, 0.02, 0.25
"""Frames that are compared to recognise a take. Lengths may differ by this many frames, and rotations in most frames by
this many rad: frames that were fitted at another rate are never quite the same."""

_SHORTEST = 0.5
"""The shortest span in s between gaps that is used."""


@dataclass(frozen=True, eq=False)
class LibrarySource:
    """Makes priors from an index of clips, and from the frames of the motions themselves."""

    index: FrameIndex | None = None

    def prior_for(
        self, motions: Sequence[Motion], erased: Iterable[Span] = (), *, use_own_frames: bool | None = None
    ) -> Guide:
        """Return a prior for gaps in motions; see `PriorSource`."""
        different = {id(motion): motion for motion in motions}.values()
        own = [clip for motion in different if (clip := own_clip(motion, motion.source.name, erased)) is not None]
        index = self.index
        if index is not None:
            index = index.without({k for clip in own for k in copies_of(clip, index.entries)})
        used = [] if use_own_frames is False else [clip for clip in map(long_enough, own) if clip is not None]
        return Guide(index, FrameIndex(used, basis=index.basis if index else None) if used else None)


def own_clip(motion: Motion, name: str, without: Iterable[tuple[float, float]] = ()) -> LibraryClip | None:
    """Return what a motion has outside its gaps, and outside others from start to stop, as an entry.

    Its sections may be short: `long_enough` returns what is worth drawing on. None where nothing is left.
    """
    holes = [*without, *((gap.start, gap.stop) for gap in gaps(motion))]
    sections = _outside(motion, holes)
    if not sections:
        return None
    count = int((motion.stop - motion.start) * RATE + 1e-6) + 1
    state = State.still(count).poses
    root, balls, hinges = (part.astype(np.float32) for part in (state.root, state.balls, state.hinges))
    for first, last in sections:
        poses = motion.state(motion.start + np.arange(first, last) / RATE).poses
        root[first:last], balls[first:last], hinges[first:last] = poses.root, poses.balls, poses.hinges
    return LibraryClip(name, motion.figure, root, balls, hinges, sections)


def long_enough(own: LibraryClip) -> LibraryClip | None:
    """Return an entry with those of its sections that are worth drawing on; None where there are none."""
    sections = tuple((first, last) for first, last in own.sections if last - first >= _SHORTEST * RATE)
    return replace(own, sections=sections) if sections else None


def copies_of(own: LibraryClip, entries: Sequence[LibraryClip]) -> list[int]:
    """Return which entries show the same take as a motion's own frames do, wherever on the floor.

    A library that holds the clip whose gap is filled holds the gap, too, and what is wrong in it.
    """
    frames = np.concatenate([np.arange(*section) for section in own.sections])
    frames = frames[:: max(1, len(frames) // _COMPARED)]
    found = []
    for k, entry in enumerate(entries):
        if abs(len(entry) - len(own)) <= _FRAMES_OFF:
            known = frames[frames < len(entry)]
            # the root's turn depends on where a motion was put
            alike = np.abs((entry.balls[known, 1:] * own.balls[known, 1:]).sum(axis=-1))
            if np.quantile(alike, _MOSTLY) >= np.cos(0.5 * _SAME):
                found.append(k)
    return found


def _outside(motion: Motion, holes: Iterable[tuple[float, float]]) -> tuple[tuple[int, int], ...]:
    """Return the sections of frames, first and the one after the last, that lie well outside all holes."""
    sections, begin = [], motion.start
    edges = [*sorted((start - _NEAR, stop + _NEAR) for start, stop in holes), (motion.stop + 1.0 / RATE, np.inf)]
    for start, stop in edges:
        first = int(np.ceil((begin - motion.start) * RATE - 1e-6))
        # the last frame lies within the motion, whatever its length
        last = int((min(start, motion.stop) - motion.start) * RATE + 1e-6) + 1
        if last > first:
            sections.append((first, last))
        begin = max(begin, stop)
    return tuple(sections)
