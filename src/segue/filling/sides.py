"""Both sides of a gap: what a motion does up to its start and from its stop on, looked at once for all that need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from segue.curves.quaternion_kernels import kernel_array
from segue.errors import ArgumentError
from segue.filling.root import Course, times_after, times_before
from segue.motion._rate_kernels import frames_to_fit, parent_vectors, steady_rates
from segue.motion._state_kernels import placed_state
from segue.motion.clip_source import ClipSource
from segue.motion.functions import IDENTITY, Piece, Placement
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.pose_source import PoseSource
from segue.motion.state import State
from segue.motion.tracks import TRACKS
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


_MOVE, _TURN = 0.1, 1.0
"""Velocities, in m/s and rad/s, that do not matter: the exact one stays if the fit differs by no more."""

_MOVE_NOISE, _TURN_NOISE = 1.0, 10.0
"""Jitter, as the change of velocity in m/s and rad/s that it may cause, from which on the fit begins to count."""

_FINE = 100.0  # frames a second from which on that is so

_ENDS, _ROOT_ENDS, _JOINT_ENDS = 2.5, 0.25, 0.4
"""So many first and last frames of a clip are suspect: it was cut there, and whatever smoothed it had nothing beyond to
go by. What is left there of the jitter from which on the fit counts, for the root and for other joints."""

_NAMES = tuple(TRACKS)


class Frames(NamedTuple):
    """The frames next to a seam: times (N,), the seam's first; seconds from each to the next, negative before a seam.

    coarse: how many times as much jitter it takes: more where time passes faster than in the clip, and at low frame
    rates, where quick movements look like jitter. suspect: whether these are the first or last frames of a clip.
    """

    times: Array
    step: float
    coarse: float
    suspect: bool


def frames_beside(motion: Motion, at: float, towards: int, first: float, last: float) -> Frames:
    """Return the frames next to a seam, earlier (-1) or later (1), of the clip shown there, within first and last."""
    interval = motion.tracks["root_position"].at(at + towards * TINY)
    function = interval.functions[0] if interval is not None else None
    rate, fps, suspect = 1.0, float(motion.fps), False
    if isinstance(function, Piece) and isinstance(function.source, ClipSource | PoseSource):
        rate, fps = abs(function.time.rate), function.source.fps
        own = function.time.rate * at + function.time.shift
        suspect = min(own, function.source.duration - own) * fps < _ENDS
    step = towards / (rate * fps)
    times = at + step * np.arange(float(frames_to_fit(fps)))
    return Frames(times[(times >= first) & (times <= last)], step, rate * max(_FINE / fps, 1.0), suspect)


def steady_velocities(seam: State, frames: Frames, state: State) -> dict[str, float]:
    """Change the velocities of a state at a seam, one row, in place where the frames next to it jitter.

    The curve through captured frames follows their jitter, most of all at its ends: a joint that is 7 degrees off in
    the first of 120 frames a second leaves it at more than 1,000 degrees a second, and a gap that met this velocity
    would throw the limb. Where frames jitter, the gap meets the velocity of a fit to them. Values stay exact.
    state: at the frames. Return by how much the velocity of each track that is not met exactly changes, m/s or rad/s.
    """
    turns = parent_vectors(kernel_array(state.balls.value))
    spins = np.ravel(seam.balls.velocity)
    changes = []
    for rows, part, width, least, noise, ends in (
        (state.root.value, seam.root.velocity[0], 3, _MOVE, _MOVE_NOISE, _ROOT_ENDS),
        (turns[:, :3], spins[:3], 3, _TURN, _TURN_NOISE, _ROOT_ENDS),
        (turns[:, 3:], spins[3:], 3, _TURN, _TURN_NOISE, _JOINT_ENDS),
        (state.hinges.value, seam.hinges.velocity[0], 1, _TURN, _TURN_NOISE, _JOINT_ENDS),
    ):
        noise *= frames.coarse * (ends if frames.suspect else 1.0)
        rates, changed = steady_rates(kernel_array(rows), part.copy(), frames.step, width, least, noise, frames.suspect)
        part[:] = rates
        changes.append(changed)
    seam.balls.velocity[:] = spins.reshape(seam.balls.velocity.shape)
    whole = np.concatenate(changes)
    return {_NAMES[k]: float(whole[k]) for k in np.flatnonzero(whole).tolist()}
