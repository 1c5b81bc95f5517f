"""A foot on the floor: its geometry, how it rolls onto heel or ball and pivots, and which part of it bears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from segue.body.build import Build
from segue.dance.body.shapes import sole_balls
from segue.dance.course.quintic import Quintic
from segue.dance.planning.model import Footprint, Footstep
from segue.typing import Array

_MIDDLE = 0.3  # of the distance from ankle to toe joint: above the point of the sole that swings are planned for


@dataclass(frozen=True)
class Foot:
    """The lengths of a foot that rolling depends on, m.

    sole: height of the ankle. heel: distance of the heel behind the ankle. toe, toe_height: the toe joint, ahead of the
    ankle and above the floor. tip: length of the toes. radius: of the balls under the sole. half_breadth: from the
    middle of the ball of the foot to the balls at its sides.
    """

    sole: float
    heel: float
    toe: float
    toe_height: float
    tip: float
    radius: float
    half_breadth: float

    @classmethod
    def of(cls, build: Build) -> Foot:
        """Return the foot of a build."""
        ball = sole_balls(build)["left_ball_outer"]
        toe_height = build.sole + float(build.toe[1])
        return cls(
            build.sole, build.heel, float(build.toe[2]), toe_height, build.toes, ball.radius, float(ball.centre[0])
        )

    @property
    def length(self) -> float:
        """Length from the heel to the tip of the toes, m."""
        return self.heel + self.toe + self.tip

    @property
    def middle(self) -> float:
        """Distance of the middle of the sole ahead of the ankle, m; swings are planned for that point."""
        return _MIDDLE * self.toe

    def middle_in_foot(self) -> Array:
        """Return the middle of the sole in the foot's frame, (3,)."""
        return np.array([0.0, -self.sole, self.middle])

    def ankle(self, pitch: Array) -> tuple[Array, Array]:
        """Return how far ahead of the footprint, and how high, the ankle of a rolled foot is, m.

        pitch: rad. A positive pitch lifts the heel: the foot turns about the toe joint, and the toes stay flat. A
        negative pitch lifts the toes: the foot rolls on the balls under its heel without slip.
        """
        pitch = np.asarray(pitch, dtype=float)
        cosine, sine = np.cos(pitch), np.sin(pitch)
        up, ahead = self.toe_height - self.sole, self.toe
        on_toe = ahead - (up * sine + ahead * cosine), self.toe_height - (up * cosine - ahead * sine)
        up, ahead = self.radius - self.sole, -self.heel
        rolled = ahead + self.radius * pitch
        on_heel = rolled - (up * sine + ahead * cosine), self.radius - (up * cosine - ahead * sine)
        heel_up = pitch >= 0.0
        return np.where(heel_up, on_toe[0], on_heel[0]), np.where(heel_up, on_toe[1], on_heel[1])

    def sole_middle(self, pitch: Array) -> tuple[Array, Array]:
        """Return how far ahead of the footprint, and how high, the middle of the sole of a rolled foot is, m."""
        ahead, up = self.ankle(pitch)
        cosine, sine = np.cos(pitch), np.sin(pitch)
        return ahead - self.sole * sine + self.middle * cosine, up - self.sole * cosine - self.middle * sine

    def on_floor(self, footprint: Footprint, ahead: float, leftward: float = 0.0) -> Array:
        """Return the floor point (x, z) ahead of a footprint and to its left, m."""
        sine, cosine = np.sin(footprint.heading), np.cos(footprint.heading)
        return np.array(
            [footprint.x + ahead * sine + leftward * cosine, footprint.z + ahead * cosine - leftward * sine]
        )

    def ball(self, footprint: Footprint, side: str, outward: float = 0.0) -> Array:
        """Return the floor point (x, z) under the inner side of the ball of a left or right foot.

        outward: m further towards the outer side of the foot.
        """
        inward = self.half_breadth - outward
        return self.on_floor(footprint, self.toe, -inward if side == "left" else inward)

    def pivoted(self, footprint: Footprint, heading: float, side: str) -> Footprint:
        """Return the footprint after a pivot about the inner side of the ball to a heading."""
        axis, turned = self.ball(footprint, side), footprint._replace(heading=heading)
        x, z = axis - self.ball(turned, side)
        return turned._replace(x=turned.x + float(x), z=turned.z + float(z))


_LOADING, _LEAST_SHARE = 0.05, 0.05  # s in which a part of the sole takes on its load; least share
_LEAST_ROLL = 0.04  # s: shorter rolls are left out
_BEHIND_BALL, _AHEAD_BALL = 0.02, 0.03  # m ahead of the toe joint, range of the pressure under a foot on its ball
_CALM, _LEAST_TURNING = 3.0, 0.2  # rad/s, mean speed of a pivot, and s, its shortest duration, if there is time
_SWIFT, _MOST_TURNING = 6.0, 0.6  # rad/s, and share of the time there is, beyond which a pivot is faster
_QUICKEST = 0.15  # s, shortest pivot, unless its step has less time
_HURRIED = 1.05  # of the speed of a swift pivot
_SLIDING_SHARE = 0.1  # of the weight, largest load of the points that slide in a pivot
_ASIDE_AXIS = 0.006  # m outward of a pivot's axis, place of the pressure: the axis is the edge of the support


@dataclass(frozen=True)
class Roll:
    """A roll of a standing foot from one pitch to another, rad, between two times, s."""

    start: float
    stop: float
    first: float
    last: float

    def at(self, time: float) -> Array:
        """Return the pitch with its first two derivatives, (3,)."""
        return self._course.at(time)[:, 0]

    @cached_property
    def _course(self) -> Quintic:
        ends = (np.array([[pitch], [0.0], [0.0]]) for pitch in (self.first, self.last))
        return Quintic.between(self.start, self.stop, *ends)


class Target(NamedTuple):
    """A pitch, rad, that a standing foot has to reach between two times, s."""

    start: float
    stop: float
    pitch: float


@dataclass(frozen=True)
class Pivot:
    """A turn of a standing foot about the inner side of its ball, from one footprint to another; start, stop: s."""

    step: Footstep
    start: float
    stop: float
    before: Footprint
    after: Footprint

    @classmethod
    def of(cls, step: Footstep, foot: Foot, before: Footprint) -> Pivot:
        """Return the pivot of a footstep without flight; before: the footprint of the foot.

        The plan turns a foot about the middle of its ball. Then both sides of the ball would slide, and a sliding sole
        cannot push in a chosen direction. So the inner side stays, and the foot ends a little beside its planned place.
        """
        turn = step.end.heading - step.start.heading
        # in the middle of its time, because a foot on one side of its ball can hardly balance
        wanted = max(abs(turn) / _CALM, _LEAST_TURNING)
        most = max(abs(turn) / _SWIFT, _MOST_TURNING * (step.settled - step.lift), _QUICKEST)
        middle, half = 0.5 * (step.lift + step.settled), 0.5 * min(wanted, most)
        start, stop = max(middle - half, step.lift), min(middle + half, step.settled)
        return cls(step, start, stop, before, foot.pivoted(before, before.heading + turn, step.foot))

    @property
    def speed(self) -> float:
        """Mean speed, rad/s."""
        return abs(self.after.heading - self.before.heading) / (self.stop - self.start)

    @property
    def hurried(self) -> bool:
        """Whether the pivot has less time than a dancer needs."""
        return self.speed > _HURRIED * _SWIFT

    def course(self, heading: float) -> Quintic:
        """Return the foot's heading over time, from its true heading to the planned one."""
        ends = (np.array([[angle], [0.0], [0.0]]) for angle in (heading, self.after.heading))
        return Quintic.between(self.start, self.stop, *ends)


@dataclass(frozen=True)
class Stand:
    """One foot between two flights: its first footprint, and how it rolls and pivots there."""

    side: str
    foot: Foot
    place: Footprint
    rolls: tuple[Roll, ...]
    pivots: tuple[Pivot, ...]

    @property
    def last(self) -> Footprint:
        """The footprint at the end."""
        return self.pivots[-1].after if self.pivots else self.place

    def reached(self, time: float) -> Footprint:
        """Return the footprint after all pivots that have begun by a time."""
        return next((pivot.after for pivot in reversed(self.pivots) if pivot.step.lift <= time), self.place)

    def pitch(self, time: float) -> Array:
        """Return the pitch of the foot, rad, with its first two derivatives, (3,)."""
        now = self.rolls[0].first if self.rolls else 0.0
        for roll in self.rolls:
            if time < roll.start:
                break
            if time <= roll.stop:
                return roll.at(time)
            now = roll.last
        return np.array([now, 0.0, 0.0])

    def pivot(self, time: float) -> Pivot | None:
        """Return the pivot that is under way, if any."""
        return next((pivot for pivot in self.pivots if pivot.start <= time < pivot.stop), None)

    def rises(self, since: float, until: float) -> list[float]:
        """Return the times, s, between two times at which a flat foot begins to rise onto its ball."""
        return [roll.start for roll in self.rolls if roll.first == 0.0 < roll.last and since < roll.start < until]

    def footprint(self, time: float) -> Footprint:
        """Return the footprint of the foot, or of the foot if it came down flat."""
        place = self.place
        for pivot in self.pivots:
            if time < pivot.start:
                break
            heading = float(pivot.course(pivot.before.heading).at(time)[0, 0])
            place = self.foot.pivoted(pivot.before, heading, self.side)
        return place

    def bearing(self, time: float) -> tuple[float, float]:
        """Return continuous shares, 0 (lifted) to 1, of the load that the heel, and ball and toes, may bear."""
        shares = {True: 1.0, False: 1.0}
        for start, stop, heel_up in self._lifted:
            outside = max(start - time, time - stop) / _LOADING
            share = min(max(outside, _LEAST_SHARE), 1.0) if outside > 0.0 else 0.0
            shares[heel_up] = min(shares[heel_up], share)
        return shares[True], shares[False]

    def round_axis(self, time: float) -> float:
        """Return the share, 0 to 1, of the load that all points but a pivot's axis may bear; small while they slide."""
        away = min((max(pivot.start - time, time - pivot.stop, 0.0) for pivot in self.pivots), default=_LOADING)
        return _SLIDING_SHARE + (1.0 - _SLIDING_SHARE) * min(away / _LOADING, 1.0)

    @cached_property
    def _lifted(self) -> tuple[tuple[float, float, bool], ...]:
        """Intervals (start, stop, heel) in s in which a part of the foot is lifted; heel: whether it is the heel."""
        spans, since = [], -np.inf
        for roll in self.rolls:
            if roll.first == 0.0:
                since = roll.start
            if roll.last == 0.0:
                spans.append((since, roll.stop, roll.first > 0.0))
        if self.rolls and self.rolls[-1].last != 0.0:
            spans.append((since, np.inf, self.rolls[-1].last > 0.0))
        return tuple(spans)

    def axis(self, time: float) -> Array:
        """Return the floor point (x, z) that the foot presses on in a pivot."""
        return self.foot.ball(self.footprint(time), self.side, _ASIDE_AXIS)

    def pressed(self, time: float, ahead: float, inward: float) -> Array:
        """Return the point (x, z) of the floor that the foot presses on when it is to press ahead of its ankle, m.

        inward: m to the side of the other foot. If only a part of the sole bears weight, the point lies under that
        part.
        """
        if self.bearing(time)[0] == 0.0:
            ahead = min(max(ahead, self.foot.toe + _BEHIND_BALL), self.foot.toe + _AHEAD_BALL)
        return self.foot.on_floor(self.footprint(time), ahead, -inward if self.side == "left" else inward)


def rolls_through(pitch: float, targets: Sequence[Target]) -> tuple[Roll, ...]:
    """Return the rolls of a foot from a pitch through targets in order of time.

    A target is left out if the next one leaves too little time for it. Between heel and ball the foot is flat for an
    instant, because it changes the axis about which it rolls.
    """
    rolls: list[Roll] = []
    for k, target in enumerate(targets):
        start = max(target.start, rolls[-1].stop) if rolls else target.start
        until = targets[k + 1].start if k + 1 < len(targets) else target.stop
        stop = min(max(target.stop, start + _LEAST_ROLL), until)
        if target.pitch == pitch or stop <= start or (until < target.stop and until - start < _LEAST_ROLL):
            continue
        if target.pitch * pitch < 0.0:
            flat = start + (stop - start) * abs(pitch) / (abs(pitch) + abs(target.pitch))
            rolls += [Roll(start, flat, pitch, 0.0), Roll(flat, stop, 0.0, target.pitch)]
        else:
            rolls.append(Roll(start, stop, pitch, target.pitch))
        pitch = target.pitch
    return tuple(rolls)
