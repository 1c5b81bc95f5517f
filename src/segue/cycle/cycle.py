"""A cycle: a motion that goes on for ever, as a source of functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.curves.spline_kernels import Knots
from segue.cycle.candidates import verdict
from segue.cycle.match import Region
from segue.cycle.residual import ClosedResidual
from segue.cycle.travel import Travel
from segue.errors import ArgumentError
from segue.motion._state_kernels import figure_state
from segue.motion.carry import Carry, Residual
from segue.motion.functions import Piece
from segue.motion.motion import Motion, check_motion
from segue.motion.state import Sample, State
from segue.motion.wearer import Wearer
from segue.typing import Array


@dataclass(frozen=True)
class Seam:
    """Where a cycle was cut from its motion, and how well it closed.

    start, stop: s. distance: of both ends, m, as `Likeness` has it. score: the same over the distance that two times of
    the cycle have on average. first, last: the regions in which start and stop were looked for.
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
    """A periodic motion of the figure, C2 for ever: a spline in place, carried over the floor.

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
        return f"{self.seam}; a period of {self.period:.3f} s, {way}" + (
            f", turning {turn:.1f} degrees" if turn else ""
        )

    def state(self, times: Array) -> State:
        """Return the whole figure's state at any times."""
        at = np.asarray(times, dtype=float)
        return self.travel.carried(in_place(self.knots, phases(at, self.period)), at)

    def sample(self, track: str, times: Array) -> Sample:
        """Return one track's value, velocity and acceleration at any times."""
        return Sample(*(part.copy() for part in self.state(times).of(track)))


class Cycle(BareCycle, Wearer):
    """A cycle that knows the user's skeleton, whose fingers and spine close as well."""

    def __init__(self, knots: Knots, travel: Travel, seam: Seam, residual: ClosedResidual) -> None:
        super().__init__(knots, travel, seam)
        self._residual = residual

    @property
    def skeleton(self) -> Skeleton:
        """The joints of the host that the cycle was made for."""
        return self._residual.host.skeleton

    @property
    def carry(self) -> Carry:
        """The way from poses of the figure to that skeleton."""
        return self._residual.host.carry

    def residual_at(self, times: Array) -> Residual:
        """Return what the figure leaves out of the skeleton at any times."""
        at = np.asarray(times, dtype=float)
        return self._residual.at(phases(at, self.period), at, self.travel)


def in_place(knots: Knots, phase: Array) -> State:
    """Return the state along a spline through poses at times within its period."""
    return State.of_parts(figure_state(knots, phase, len(HUMAN.ball_names)))


def phases(times: Array, period: float) -> Array:
    """Return times within the period that is under way then."""
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
