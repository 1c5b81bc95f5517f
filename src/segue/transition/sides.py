"""Both sides of a gap: what a motion does up to its start and from its stop on, looked at once for all that need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segue.curves.quaternion import Array
from segue.errors import ArgumentError
from segue.motion._state_kernels import placed_state
from segue.motion.functions import IDENTITY, Placement
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.transition.root import Course, times_after, times_before

__all__ = ["STEP", "Side", "Sides", "look_at_sides", "reach_of"]

STEP = 0.05
"""Seconds between the times at which a side is looked at."""

_LOOK = 0.3  # s on either side within which the floor is looked for
_STEPS = STEP * np.arange(round(_LOOK / STEP) + 1)


class Sides(NamedTuple):
    """A motion on both sides of a gap: at times (T,), half of them up to its start, the others from its stop on."""

    times: Array
    state: State

    @property
    def seams(self) -> State:
        """The motion at start and stop."""
        seam = len(self.times) // 2
        return self.state.rows(seam - 1, seam + 1)


def look_at_sides(motion: Motion, start: float, stop: float) -> Sides:
    """Return a motion on both sides of a gap, as far as it is defined there."""
    try:
        return _sides(motion, start, stop, motion.start, motion.stop)
    except ArgumentError:
        # another gap is near
        return _sides(motion, start, stop, *reach_of(motion, start, stop))


def _sides(motion: Motion, start: float, stop: float, first: float, last: float) -> Sides:
    times = np.concatenate([_before(start, first), _after(stop, last)])
    return Sides(times, motion.state(times))


def _before(start: float, first: float) -> Array:
    times: Array = np.maximum(start - _STEPS[::-1], first)
    return times


def _after(stop: float, last: float) -> Array:
    times: Array = np.minimum(stop + _STEPS, last)
    return times


def reach_of(motion: Motion, start: float, stop: float) -> tuple[float, float]:
    """Return from when before a gap, and until when after it, all tracks are defined without a break."""
    first, last = motion.start, motion.stop
    for track in motion.tracks.different:
        before, after = track.at(start), track.at(stop)
        first = max(first, before.start if before else start)
        last = min(last, after.stop if after else stop)
    return first, last


@dataclass(frozen=True, eq=False)
class Side:
    """One of two motions that are to be joined, next to where it is cut: its course, and its state at times (T,).

    state: None where the motion that remains has to be looked at, since it has another gap or seam near the cut.
    """

    course: Course
    times: Array
    state: State | None

    @classmethod
    def before(cls, motion: Motion, at: float) -> Side:
        """Return the side of a motion that is left at a time."""
        side = cls._looked(motion, _before(at, motion.start), times_before(motion, at), _ends_inside(motion, at))
        return side or cls(Course.before(motion, at), _before(at, motion.start), None)

    @classmethod
    def after(cls, motion: Motion, at: float) -> Side:
        """Return the side of a motion that is entered at a time."""
        side = cls._looked(motion, _after(at, motion.stop), times_after(motion, at), True)
        return side or cls(Course.after(motion, at), _after(at, motion.stop), None)

    @classmethod
    def _looked(cls, motion: Motion, times: Array, course: Array, whole: bool) -> Side | None:
        if not whole:
            return None
        try:
            state = motion.state(np.concatenate([times, course]))
        except ArgumentError:
            return None
        return cls(Course.along(course, state.rows(len(times), None)), times, state.rows(0, len(times)))

    def joined(self, other: Side, shift: float, placement: Placement) -> Sides | None:
        """Return the sides of the gap to another side, which comes `shift` s earlier and is placed elsewhere."""
        if self.state is None or other.state is None:
            return None
        state = State.joined([self.state, other.state])
        if placement != IDENTITY:
            placed_state(state.rows(len(self.times), None).parts, *placement)
        return Sides(np.concatenate([self.times, other.times - shift]), state)


def _ends_inside(motion: Motion, at: float) -> bool:
    """Whether a motion that is cut at a time ends as it went on: where two functions touch, the later one goes on."""
    here = [track.at(at) for track in motion.tracks.different]
    return all(part is not None and part.start < at - TINY for part in here)
