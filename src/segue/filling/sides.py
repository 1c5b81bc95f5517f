"""The motion on both sides of a gap, sampled once for every part of the solve that needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from segue.curves.quaternion_kernels import kernel_array
from segue.errors import ArgumentError
from segue.filling.root import RootHeading, times_after, times_before
from segue.motion._rate_kernels import frames_to_fit, parent_vectors, steady_rates
from segue.motion._state_kernels import placed_state
from segue.motion.clip_source import ClipSource
from segue.motion.functions import IDENTITY, Piece, Placement, PoseSource
from segue.motion.interval import TINY
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, State
from segue.typing import Array

STEP = 0.05
"""Seconds between the samples of a side."""

_REACH = 0.3  # s on either side in which contacts are detected
_STEPS = STEP * np.arange(round(_REACH / STEP) + 1)
_WIDER = np.linspace(0.4, 1.5, 12)  # s from the gap, samples that show the usual range of each joint


Changes = Mapping[str, float]
"""Differences between smoothed and captured velocities at a seam, by track, in m/s or rad/s."""


class NearbyPoses(NamedTuple):
    """Joint values beside a gap at N times: balls (N, 7, 4) as quaternions, hinges (N, 20) in rad.

    seconds: length of the shorter side. suspect: whether a side meets the gap at the first or last frames of its clip.
    """

    balls: Array
    hinges: Array
    seconds: float
    suspect: bool

    @classmethod
    def of(cls, state: State, seconds: float, suspect: bool) -> NearbyPoses:
        """Return the joint values of a state; seconds, suspect: see the class."""
        return cls(state.balls.value, state.hinges.value, seconds, suspect)

    def joined(self, other: NearbyPoses) -> NearbyPoses:
        """Return the poses of two sides together."""
        balls, hinges = (np.concatenate(pair) for pair in ((self.balls, other.balls), (self.hinges, other.hinges)))
        return NearbyPoses(balls, hinges, min(self.seconds, other.seconds), self.suspect or other.suspect)


class GapContext(NamedTuple):
    """The state of a motion on both sides of a gap at times (T,): half before its start, half after its stop.

    nearby: poses on both sides, up to 1.5 s away. smoothed: velocities at start and stop that replace those of
    jittering frames.
    """

    times: Array
    state: State
    nearby: NearbyPoses
    smoothed: tuple[Changes, Changes] = ({}, {})

    @property
    def seams(self) -> State:
        """The motion at start and stop."""
        seam = len(self.times) // 2
        return self.state.rows(seam - 1, seam + 1)

    @classmethod
    def sample(cls, motion: Motion, start: float, stop: float) -> GapContext:
        """Sample a motion on both sides of a gap, as far as it is defined there."""
        try:
            return _sample_between(motion, start, stop, motion.start, motion.stop)
        except ArgumentError:
            # another gap is near
            return _sample_between(motion, start, stop, *reach_of(motion, start, stop))


def _sample_between(motion: Motion, start: float, stop: float, first: float, last: float) -> GapContext:
    before, after = _before(start, first), _after(stop, last)
    wide = np.concatenate([np.maximum(start - _WIDER, first), np.minimum(stop + _WIDER, last)])
    left, right = frames_beside(motion, start, -1, first, last), frames_beside(motion, stop, 1, first, last)
    state = motion.state(np.concatenate([before, after, wide, left.times, right.times]))
    seam, count = len(before), len(before) + len(after)
    beside = count + len(wide)
    middle = beside + len(left.times)
    smoothed = (
        steady_velocities(state.rows(seam - 1, seam), left, state.rows(beside, middle)),
        steady_velocities(state.rows(seam, seam + 1), right, state.rows(middle, None)),
    )
    return GapContext(
        np.concatenate([before, after]),
        state.rows(0, count),
        NearbyPoses.of(state, min(start - first, last - stop), left.suspect or right.suspect),
        smoothed,
    )


def _before(start: float, first: float) -> Array:
    times: Array = np.maximum(start - _STEPS[::-1], first)
    return times


def _after(stop: float, last: float) -> Array:
    times: Array = np.minimum(stop + _STEPS, last)
    return times


def reach_of(motion: Motion, start: float, stop: float) -> tuple[float, float]:
    """Return the first time before a gap and the last after it up to which all tracks are defined without a break."""
    first, last = motion.start, motion.stop
    for track in motion.tracks.unique_tracks:
        before, after = track.at(start), track.at(stop)
        first = max(first, before.start if before else start)
        last = min(last, after.stop if after else stop)
    return first, last


@dataclass(frozen=True, eq=False)
class Side:
    """One of two motions to be joined, beside its cut point: the root's heading, and the state at times (T,).

    state: None if the motion has another gap or seam near the cut point, so that the joined motion must be sampled.
    nearby, smoothed: see `GapContext`.
    """

    root: RootHeading
    times: Array
    state: State | None
    nearby: NearbyPoses | None = None
    smoothed: Changes = field(default_factory=dict)

    @classmethod
    def before(cls, motion: Motion, at: float) -> Side:
        """Sample the motion before the time at which a transition leaves it."""
        times = _before(at, motion.start)
        inside = _ends_inside(motion, at)
        side = cls._sample(motion, times, times_before(motion, at), len(times) - 1, inside)
        return side or cls(RootHeading.before(motion, at), _before(at, motion.start), None)

    @classmethod
    def after(cls, motion: Motion, at: float) -> Side:
        """Sample the motion after the time at which a transition enters it."""
        side = cls._sample(motion, _after(at, motion.stop), times_after(motion, at), 0, True)
        return side or cls(RootHeading.after(motion, at), _after(at, motion.stop), None)

    @classmethod
    def _sample(cls, motion: Motion, times: Array, ahead: Array, seam: int, whole: bool) -> Side | None:
        """Sample a side, None if part of it is undefined; ahead: times of the heading, seam: index of the cut point."""
        if not whole:
            return None
        towards = 1 if seam == 0 else -1
        beside = frames_beside(motion, float(times[seam]), towards, motion.start, motion.stop)
        try:
            state = motion.state(np.concatenate([times, ahead, beside.times]))
        except ArgumentError:
            return None
        sampled = len(times) + len(ahead)
        at_seam = state.rows(seam, seam + 1)
        smoothed = steady_velocities(at_seam, beside, state.rows(sampled, None))
        root = RootHeading.along(ahead, state.rows(len(times), sampled))
        root = replace(root, velocity=at_seam.root.velocity[0])
        nearby = NearbyPoses.of(state, abs(float(ahead[-1] - ahead[0])), beside.suspect)
        return cls(root, times, state.rows(0, len(times)), nearby, smoothed)

    def joined(self, other: Side, shift: float, placement: Placement) -> GapContext | None:
        """Return the context of the gap to another side, moved by -`shift` s and by a placement."""
        if self.state is None or other.state is None or self.nearby is None or other.nearby is None:
            return None
        state = State.joined([self.state, other.state])
        if placement != IDENTITY:
            placed_state(state.rows(len(self.times), None).parts, *placement)
        nearby = self.nearby.joined(other.nearby)
        times = np.concatenate([self.times, other.times - shift])
        return GapContext(times, state, nearby, (self.smoothed, other.smoothed))


def _ends_inside(motion: Motion, at: float) -> bool:
    """Return whether no piece of the motion begins at a time, so that a cut there leaves its state unchanged."""
    here = [track.at(at) for track in motion.tracks.unique_tracks]
    return all(part is not None and part.start < at - TINY for part in here)


_MOVE, _TURN = 0.1, 1.0
"""Differences of velocity, in m/s and rad/s, below which the exact velocity is kept."""

_MOVE_NOISE, _TURN_NOISE = 1.0, 10.0
"""Jitter, as the change of velocity it can cause in m/s and rad/s, above which the fit replaces the velocity."""

_FINE = 100.0  # frames a second above which the thresholds hold unscaled

_ENDS, _ROOT_ENDS, _JOINT_ENDS = 2.5, 0.25, 0.4
"""Number of first and last frames of a clip that are suspect, since filters have no data beyond them. Factors on the
jitter threshold there, for the root and for other joints."""

_NAMES = tuple(TRACKS)


class Frames(NamedTuple):
    """The frames next to a seam: times (N,), the seam's first; step in s from each to the next, negative before a seam.

    coarse: factor on the jitter threshold, larger if the clip plays faster and at low frame rates, where quick
    movements look like jitter. suspect: whether these are the first or last frames of a clip.
    """

    times: Array
    step: float
    coarse: float
    suspect: bool


def frames_beside(motion: Motion, at: float, towards: int, first: float, last: float) -> Frames:
    """Return the clip's frames next to a seam, earlier (-1) or later (1), between the times first and last."""
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

    The curve through captured frames follows their jitter, most of all at its ends. A joint that is 7 degrees off in
    the first of 120 frames a second leaves it at more than 1,000 degrees a second. A gap that met this velocity would
    throw the limb. If frames jitter, the gap meets the velocity of a fit to them. Values stay exact. state: at the
    frames. Return by how much the velocity of each track that is not met exactly changes, m/s or rad/s.
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
