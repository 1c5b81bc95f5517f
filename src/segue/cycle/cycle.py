"""A cycle: a motion that goes on for ever, as a source of functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.checks import number, positive
from segue.curves.spline_kernels import Knots
from segue.cycle.closing import ClosedResidual, closed_poses, seen_poses
from segue.cycle.search import Region, verdict
from segue.cycle.travel import Travel
from segue.errors import ArgumentError
from segue.motion._state_kernels import figure_state
from segue.motion.functions import Piece
from segue.motion.interval import TINY, Interval
from segue.motion.motion import Motion, check_motion
from segue.motion.retargeter import Residual, Retargeter, SkeletonSource
from segue.motion.tracks import State, describe
from segue.typing import Array


@dataclass(frozen=True)
class Seam:
    """The place at which a cycle was cut from its motion, and how well it closed.

    start, stop: s. distance: of both ends, m, as `Likeness` has it. score: the same over the distance that two times of
    the cycle have on average. first, last: the regions in which start and stop were searched.
    """

    start: float
    stop: float
    distance: float
    score: float
    first: Region
    last: Region

    def __str__(self) -> str:
        return (
            f"a {verdict(self.score)} cycle from {self.start:.3f} to {self.stop:.3f} s: "
            f"its ends differ by {self.score:.0%} of what it moves"
        )


class BareCycle:
    """A periodic motion of the figure, C2 for ever: a spline in place, carried over the ground.

    knots: the spline's rows over one period, as through poses, of a figure seen from the frame that travels. Time 0 is
    where the cycle was cut; times before it and after the period are as good as any.
    """

    def __init__(self, knots: Knots, travel: Travel, seam: Seam) -> None:
        self.knots = knots
        self.travel = travel
        self.seam = seam

    @property
    def duration(self) -> float:
        """Seconds of one period."""
        return self.travel.period

    @property
    def period(self) -> float:
        """Seconds after which the motion is the same again, but for its place and heading."""
        return self.travel.period

    def describe(self) -> str:
        """Return in words where the cycle was cut, how well it closed, and how it travels."""
        distance = float(np.hypot(*self.travel.velocity)) * self.period
        turn = float(np.degrees(self.travel.turn))
        way = f"{distance:.2f} m" if distance > 0 else "on the spot"
        if self.travel.rise:
            way += f", {'up' if self.travel.rise > 0 else 'down'} {abs(self.travel.rise):.2f} m"
        return f"{self.seam}; a period of {self.period:.3f} s, {way}" + (
            f", turning {turn:.1f} degrees" if turn else ""
        )

    def state(self, times: Array) -> State:
        """Return the whole figure's state at any times."""
        at = np.asarray(times, dtype=float)
        return self.travel.carried(in_place(self.knots, phases(at, self.period)), at)


class Cycle(BareCycle, SkeletonSource):
    """A cycle that knows the user's skeleton, whose fingers and spine close as well."""

    def __init__(self, knots: Knots, travel: Travel, seam: Seam, residual: ClosedResidual) -> None:
        super().__init__(knots, travel, seam)
        self._residual = residual

    @property
    def skeleton(self) -> Skeleton:
        """The joints of the host that the cycle was made for."""
        return self._residual.source.skeleton

    @property
    def retargeter(self) -> Retargeter:
        """The mapping from poses of the figure to that skeleton."""
        return self._residual.source.retargeter

    def residual_at(self, times: Array) -> Residual:
        """Return what the figure leaves out of the skeleton at any times."""
        at = np.asarray(times, dtype=float)
        return self._residual.at(phases(at, self.period), at, self.travel)


def in_place(knots: Knots, phase: Array) -> State:
    """Return the state along a spline through poses at times within its period."""
    return State.of_parts(figure_state(knots, phase, len(HUMAN.ball_names)))


def phases(times: Array, period: float) -> Array:
    """Return times modulo the period, in s."""
    return np.ascontiguousarray(times - period * np.floor(times / period))


def loop_of(motion: Motion) -> BareCycle:
    """Return the cycle that all tracks of a motion show, or raise ArgumentError where they do not show one."""
    check_motion("a cycle is seen in", motion)
    functions = {function for track in motion.tracks.values() for part in track for function in part.functions}
    sources = [function.source if isinstance(function, Piece) else None for function in functions]
    first = sources[0] if sources else None
    if not isinstance(first, BareCycle) or any(source is not first for source in sources):
        raise ArgumentError("the motion is no cycle, or not a cycle alone: make one with make_loop")
    return first


_WHOLE = 1e-6


def repeat(cycle: Motion, count: float | None = None, *, duration: float | None = None, phase: float = 0.0) -> Motion:
    """Return a cycle repeated `count` times, which need not be a whole number, or for `duration` seconds.

    phase: where in the cycle to begin, from 0 to 1 of a period; the motion begins when and where the cycle is then, but
    for time, which goes on from the cycle's start. A cycle may have been moved, mirrored or stretched before.
    """
    source = loop_of(cycle)
    if (count is None) == (duration is None):
        raise ArgumentError("repeat needs either a count or a duration in seconds, not both")
    start, length = cycle.start, cycle.duration
    lasts = positive("duration", duration) if count is None else length * positive("count", count)
    ahead = number("phase", phase)

    for name, track in cycle.tracks.items():
        if any(part.start > start + TINY or part.stop < start + length - TINY for part in track):
            raise ArgumentError(
                f"{describe(name)} is undefined in a part of the cycle: repeat it first, and take parts away then"
            )

    def longer(interval: Interval) -> Interval:
        function = interval.functions[0]
        assert isinstance(function, Piece), "loop_of checked them"
        period = _period(source, function)
        periods = length / period
        if abs(periods - round(periods)) > _WHOLE or round(periods) < 1:
            raise ArgumentError(
                f"the motion lasts {periods:.4g} periods of its cycle: only whole ones can be repeated without a seam"
            )
        return Interval(start, start + lasts, (function.retimed(1.0, ahead * period),))

    return Motion(cycle.tracks.changed(longer), cycle.source)


def _period(source: BareCycle, function: Piece) -> float:
    return source.period / abs(function.time.rate)


class Stages(NamedTuple):
    """One period of a cycle, seen from the frame that travels with it, at times from 0 to the period, both included.

    cut: as the motion has it. closed: with the gap between both ends spread over it. fitted: the cycle as it is.
    """

    times: Array
    cut: Poses
    closed: Poses
    fitted: Poses


def stages_of(motion: Motion, cycle: Motion, count: int = 200) -> Stages:
    """Return the stages of a cycle that was made of a motion, at so many times."""
    made = loop_of(cycle)
    times = np.linspace(0.0, made.period, count)
    cut = seen_poses(motion.state(made.seam.start + times, tuple(cycle.tracks)).poses, made.travel, times)
    ends = Poses(*(part[[0, -1]] for part in (cut.root, cut.balls, cut.hinges)))
    # the very end is the start of the next period, and so shows where the curves meet
    fitted = in_place(made.knots, np.minimum(times, made.period)).poses
    return Stages(times, cut, closed_poses(cut, ends, times / made.period), fitted)
