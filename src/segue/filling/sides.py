"""Both sides of a gap: what a motion does up to its start and from its stop on, looked at once for all that need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from segue.errors import ArgumentError
from segue.filling.root import Course, times_after, times_before
from segue.filling.velocities import frames_beside, steady_velocities
from segue.motion._state_kernels import placed_state
from segue.motion.functions import IDENTITY, Placement
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.state import State
from segue.typing import Array

STEP = 0.05
"""Seconds between the times at which a side is looked at."""

_LOOK = 0.3  # s on either side within which the floor is looked for
_STEPS = STEP * np.arange(round(_LOOK / STEP) + 1)
_WIDER = np.linspace(0.4, 1.5, 12)  # s further away, where joints show how far they go


Changes = Mapping[str, float]
"""By how much the velocities of some tracks at a seam differ from those of jittering frames, in m/s or rad/s."""


class Shown(NamedTuple):
    """What joints do on the sides of a gap at some times: balls (N, 7, 4) and hinges (N, 20).

    seconds: how long the shorter of the sides is. suspect: whether one of them meets the gap at an end of its clip.
    """

    balls: Array
    hinges: Array
    seconds: float
    suspect: bool

    @classmethod
    def of(cls, state: State, seconds: float, suspect: bool) -> Shown:
        """Return what a state shows of so many seconds."""
        return cls(state.balls.value, state.hinges.value, seconds, suspect)

    def joined(self, other: Shown) -> Shown:
        """Return what two sides show."""
        balls, hinges = (np.concatenate(pair) for pair in ((self.balls, other.balls), (self.hinges, other.hinges)))
        return Shown(balls, hinges, min(self.seconds, other.seconds), self.suspect or other.suspect)


class Sides(NamedTuple):
    """A motion on both sides of a gap: at times (T,), half of them up to its start, the others from its stop on.

    shown: some poses of the motion on both sides, further away too. smoothed: tracks whose velocities at start and stop
    are not those of the motion, since its frames jitter there.
    """

    times: Array
    state: State
    shown: Shown
    smoothed: tuple[Changes, Changes] = ({}, {})

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
    before, after = _before(start, first), _after(stop, last)
    wide = np.concatenate([np.maximum(start - _WIDER, first), np.minimum(stop + _WIDER, last)])
    left, right = frames_beside(motion, start, -1, first, last), frames_beside(motion, stop, 1, first, last)
    state = motion.state(np.concatenate([before, after, wide, left.times, right.times]))
    seam, count = len(before), len(before) + len(after)
    looked = count + len(wide)
    middle = looked + len(left.times)
    smoothed = (
        steady_velocities(state.rows(seam - 1, seam), left, state.rows(looked, middle)),
        steady_velocities(state.rows(seam, seam + 1), right, state.rows(middle, None)),
    )
    return Sides(
        np.concatenate([before, after]),
        state.rows(0, count),
        Shown.of(state, min(start - first, last - stop), left.suspect or right.suspect),
        smoothed,
    )


def _before(start: float, first: float) -> Array:
    times: Array = np.maximum(start - _STEPS[::-1], first)
    return times


def _after(stop: float, last: float) -> Array:
    times: Array = np.minimum(stop + _STEPS, last)
    return times


def reach_of(motion: Motion, start: float, stop: float) -> tuple[float, float]:
    """Return from when before a gap, and until when after it, all tracks are defined without a break."""
    first, last = motion.start, motion.stop
    for track in motion.tracks.unique_tracks:
        before, after = track.at(start), track.at(stop)
        first = max(first, before.start if before else start)
        last = min(last, after.stop if after else stop)
    return first, last


@dataclass(frozen=True, eq=False)
class Side:
    """One of two motions that are to be joined, next to where it is cut: its course, and its state at times (T,).

    state: None where the motion that remains has to be looked at, since it has another gap or seam near the cut.
    shown, smoothed: see `Sides`.
    """

    course: Course
    times: Array
    state: State | None
    shown: Shown | None = None
    smoothed: Changes = field(default_factory=dict)

    @classmethod
    def before(cls, motion: Motion, at: float) -> Side:
        """Return the side of a motion that is left at a time."""
        times = _before(at, motion.start)
        inside = _ends_inside(motion, at)
        side = cls._looked(motion, times, times_before(motion, at), len(times) - 1, inside)
        return side or cls(Course.before(motion, at), _before(at, motion.start), None)

    @classmethod
    def after(cls, motion: Motion, at: float) -> Side:
        """Return the side of a motion that is entered at a time."""
        side = cls._looked(motion, _after(at, motion.stop), times_after(motion, at), 0, True)
        return side or cls(Course.after(motion, at), _after(at, motion.stop), None)

    @classmethod
    def _looked(cls, motion: Motion, times: Array, course: Array, seam: int, whole: bool) -> Side | None:
        """Return the side if all of it can be looked at; seam: which of the times is that of the cut."""
        if not whole:
            return None
        towards = 1 if seam == 0 else -1
        beside = frames_beside(motion, float(times[seam]), towards, motion.start, motion.stop)
        try:
            state = motion.state(np.concatenate([times, course, beside.times]))
        except ArgumentError:
            return None
        looked = len(times) + len(course)
        at_seam = state.rows(seam, seam + 1)
        smoothed = steady_velocities(at_seam, beside, state.rows(looked, None))
        going = Course.along(course, state.rows(len(times), looked))
        going = replace(going, velocity=at_seam.root.velocity[0])
        shown = Shown.of(state, abs(float(course[-1] - course[0])), beside.suspect)
        return cls(going, times, state.rows(0, len(times)), shown, smoothed)

    def joined(self, other: Side, shift: float, placement: Placement) -> Sides | None:
        """Return the sides of the gap to another side, which comes `shift` s earlier and is placed elsewhere."""
        if self.state is None or other.state is None or self.shown is None or other.shown is None:
            return None
        state = State.joined([self.state, other.state])
        if placement != IDENTITY:
            placed_state(state.rows(len(self.times), None).parts, *placement)
        shown = self.shown.joined(other.shown)
        times = np.concatenate([self.times, other.times - shift])
        return Sides(times, state, shown, (self.smoothed, other.smoothed))


def _ends_inside(motion: Motion, at: float) -> bool:
    """Whether a motion that is cut at a time ends as it went on: where two functions touch, the later one goes on."""
    here = [track.at(at) for track in motion.tracks.unique_tracks]
    return all(part is not None and part.start < at - TINY for part in here)
