"""Functions of time: pieces of sources, blends of them, and poses at a fixed rate. Operators never resample them.

A function covers all tracks of the figure. An interval of a track has the times in which the function holds for it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import mirror_name
from segue.checks import positive
from segue.curves import quaternion
from segue.curves.interpolate import FrameSpline, Hole, HoleEnds, least_jerk
from segue.errors import ArgumentError
from segue.motion._state_kernels import angular, figure_state, placed_state, reflected_state, retime_state
from segue.motion.tracks import TRACKS, Sample, State
from segue.typing import Array

_MIRRORED = {name: mirror_name(name) for name in TRACKS}


class TimeMap(NamedTuple):
    """The time of a source as a function of the motion's: rate * t + shift."""

    rate: float = 1.0
    shift: float = 0.0

    def after(self, rate: float, shift: float) -> TimeMap:
        """Return this map applied to rate * t + shift."""
        return TimeMap(self.rate * rate, self.rate * shift + self.shift)


class Placement(NamedTuple):
    """A move on the floor: a turn about the vertical through the origin by `turn` rad, then a shift by (x, z), m.

    scale: factor of lengths from the origin, applied first, for a person of another size; 1 keeps the move rigid. rise:
    height in m that brings this person onto the same floor.
    """

    turn: float = 0.0
    x: float = 0.0
    z: float = 0.0
    scale: float = 1.0
    rise: float = 0.0

    @property
    def rotation(self) -> Array:
        """The turn as a quaternion."""
        return _turned(self.turn)

    def moved(self, points: Array) -> Array:
        """Return world positions (..., 3) after the move."""
        placed: Array = quaternion.rotate(self.rotation, self.scale * points) + np.array([self.x, self.rise, self.z])
        return placed

    def turned(self, x: float, z: float) -> tuple[float, float]:
        """Return a displacement (x, z) on the floor scaled and turned."""
        cosine, sine = self.scale * math.cos(self.turn), self.scale * math.sin(self.turn)
        return cosine * x + sine * z, cosine * z - sine * x

    def after(self, first: Placement) -> Placement:
        """Return the composition of `first` and then this move."""
        x, z = self.turned(first.x, first.z)
        rise = self.scale * first.rise + self.rise
        return Placement(self.turn + first.turn, x + self.x, z + self.z, self.scale * first.scale, rise)

    def mirrored(self) -> Placement:
        """Return the mirror image of the move."""
        return Placement(-self.turn, -self.x, self.z, self.scale, self.rise)


@lru_cache(maxsize=256)
def _turned(turn: float) -> Array:
    """Return a turn about the vertical, in rad, as a quaternion that must not be changed."""
    rotation = quaternion.about_up(turn)
    rotation.flags.writeable = False
    return rotation


SAME_TIME = TimeMap()
IDENTITY = Placement()


class Source(Protocol):
    """Anything with a C2 function for each track on [0, duration]. Sources clamp times to that, or continue beyond."""

    @property
    def duration(self) -> float:
        """Seconds."""

    def state(self, times: Array) -> State:
        """Return the state of the whole figure at times of the source, in arrays that the caller may change."""


class Function(ABC):
    """The figure as a function of time."""

    @abstractmethod
    def state(self, times: Array) -> State:
        """Return the state of the whole figure at the times."""

    @abstractmethod
    def retimed(self, rate: float, shift: float) -> Function:
        """Return the function of t that this is of rate * t + shift."""

    @abstractmethod
    def placed(self, placement: Placement) -> Function:
        """Return the function after a move on the floor. The move changes the root's tracks alone."""

    @abstractmethod
    def mirrored(self) -> Function:
        """Return the mirror image of the function, left and right exchanged."""


@dataclass(frozen=True)
class Piece(Function):
    """A piece of a source: its time map, whether it is mirrored, and its placement on the floor after that."""

    source: Source = field(hash=False)
    time: TimeMap = SAME_TIME
    mirror: bool = False
    placement: Placement = IDENTITY

    def state(self, times: Array) -> State:
        """Return the state of the whole figure at the times."""
        rate, shift = self.time
        state = self.source.state(rate * times + shift)
        if rate == 1.0 and not self.mirror and self.placement == IDENTITY:
            return state
        parts = state.parts
        if rate != 1.0:
            retime_state(parts, rate)
        if self.mirror:
            parts = reflected_state(parts, HUMAN.mirrored_balls, HUMAN.mirrored_hinges)
        if self.placement != IDENTITY:
            placed_state(parts, *self.placement)
        return State.of_parts(parts)

    def source_track(self, track: str) -> str:
        """Return the source's track that a track shows: the other side's in a mirror image."""
        return _MIRRORED[track] if self.mirror else track

    def retimed(self, rate: float, shift: float) -> Piece:
        """Return the function of t that this is of rate * t + shift."""
        return Piece(self.source, self.time.after(rate, shift), self.mirror, self.placement)

    def placed(self, placement: Placement) -> Piece:
        """Return the function after a move on the floor."""
        return Piece(self.source, self.time, self.mirror, placement.after(self.placement))

    def mirrored(self) -> Piece:
        """Return the mirror image of the function."""
        return Piece(self.source, self.time, not self.mirror, self.placement.mirrored())


@dataclass(frozen=True)
class Blend(Function):
    """A blend from one function to another between two times; the weight's first two derivatives vanish at both."""

    first: Function
    second: Function
    start: float
    stop: float

    def weight(self, times: Array) -> list[Array]:
        """Return the second function's weight at the times, and its first two derivatives."""
        span = self.stop - self.start
        u = np.clip((times - self.start) / span, 0.0, 1.0)
        return [
            least_jerk(u),
            30 * u**2 * (1 - u) ** 2 / span,
            60 * u * (1 - u) * (1 - 2 * u) / span**2,
        ]

    def state(self, times: Array) -> State:
        """Return the state of the whole figure at the times."""
        weight = self.weight(times)
        a, b = self.first.state(times), self.second.state(times)
        p, q = _derivatives(a.balls), _derivatives(b.balls)
        sign = np.where(np.sum(p[0] * q[0], axis=2, keepdims=True) < 0, -1.0, 1.0)
        mixed = _mix(p, [sign * part for part in q], weight)
        turning = angular(*(part.reshape(-1, 4) for part in mixed))
        balls = Sample(*(part.reshape(*p[0].shape[:2], -1) for part in turning))
        return State(Sample(*_mix(a.root, b.root, weight)), balls, Sample(*_mix(a.hinges, b.hinges, weight)))

    def retimed(self, rate: float, shift: float) -> Blend:
        """Return the function of t that this is of rate * t + shift."""
        first, second = self.first.retimed(rate, shift), self.second.retimed(rate, shift)
        return Blend(first, second, (self.start - shift) / rate, (self.stop - shift) / rate)

    def placed(self, placement: Placement) -> Blend:
        """Return the function after a move on the floor."""
        return replace(self, first=self.first.placed(placement), second=self.second.placed(placement))

    def mirrored(self) -> Blend:
        """Return the mirror image of the function."""
        return replace(self, first=self.first.mirrored(), second=self.second.mirrored())


def _mix(a: list[Array] | Sample, b: list[Array] | Sample, weight: list[Array]) -> list[Array]:
    """Return (1 - w) a + w b and its first two derivatives."""
    w = [part.reshape(part.shape + (1,) * (a[0].ndim - 1)) for part in weight]
    apart = [y - x for x, y in zip(a, b, strict=True)]
    return [
        a[0] + w[0] * apart[0],
        a[1] + w[0] * apart[1] + w[1] * apart[0],
        a[2] + w[0] * apart[2] + 2 * w[1] * apart[1] + w[2] * apart[0],
    ]


def _derivatives(sample: Sample) -> list[Array]:
    """Return quaternions (T, 7, 4) with their first two time derivatives: q' = omega q / 2."""

    def times_value(vector: Array, q: Array) -> Array:
        return 0.5 * quaternion.multiply(np.concatenate([np.zeros((*vector.shape[:-1], 1)), vector], axis=-1), q)

    first = times_value(sample.velocity, sample.value)
    return [sample.value, first, times_value(sample.acceleration, sample.value) + times_value(sample.velocity, first)]


class PoseSource:
    """Poses of a figure at a fixed rate as the source of a motion, such as computed poses."""

    def __init__(self, figure: Figure, poses: Poses, fps: float) -> None:
        if len(poses) == 0:
            raise ArgumentError("a motion needs at least one pose")
        self.figure = figure
        self.name = "poses"
        self.fps = positive("fps", fps, "frames a second")
        self.duration = (len(poses) - 1) / self.fps
        self.notes: tuple[str, ...] = ()
        self._spline = FrameSpline(poses.rows, self.fps)

    def without_frames(self, holes: Iterable[Hole], ends: HoleEnds = HoleEnds.ONE_SIDED) -> PoseSource:
        """Return this source with curves that leave out more of its poses.

        holes: pairs of frames; the curves leave out the frames between the two. ends: how the curves end there.
        """
        source = copy(self)
        source._spline = self._spline.without_frames(holes, ends)
        return source

    def state(self, times: Array) -> State:
        """Return the state of the whole figure at times, which are clamped to those of the frames."""
        return State.of_parts(figure_state(self._spline.knots, times, len(HUMAN.ball_names)))
