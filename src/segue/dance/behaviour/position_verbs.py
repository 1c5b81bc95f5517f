"""The position-verb level: bodies and feet of a couple over time, seen from above.

The planner turns a pattern into steps between positions [Lake1990, section 4.3]. This module samples a couple's plans
at any times, so that the levels above know the floor that a step covers while it is under way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from segue.body.figure import Figure
from segue.dance.notation.follower import partner_of
from segue.dance.notation.model import Foot, Pattern, Step
from segue.dance.planning import Couple, Footstep, Hold, Plan, Stance, Style, Tempo, plan_couple
from segue.dance.planning.feet import FootShape
from segue.dance.planning.planner import course_of
from segue.typing import Array

# from the middle of the body, as shares of stature
_BACK = 0.085  # to the back
_ELBOW = 0.29  # to an elbow in hold, to the side
_HANDS = 0.36  # to the hands that are held out, at the leader's left

_CORNERS = ((-1, 1), (-1, -1), (1, -1), (1, 1))


@dataclass(frozen=True)
class CoupleShape:
    """Extent of a couple on the floor: statures in m, both soles, and the hold."""

    statures: tuple[float, float]
    soles: tuple[FootShape, FootShape]
    hold: Hold

    @property
    def middle(self) -> float:
        """Distance from the leader's feet to the couple's middle, in m."""
        return 0.5 * self.hold.apart

    @property
    def core(self) -> float:
        """Radius in m that the couple fills in every direction."""
        return 0.9 * (self.middle + _BACK * min(self.statures))

    @property
    def radius(self) -> float:
        """Radius in m that contains the standing couple."""
        tallest = max(self.statures)
        return math.hypot(self.middle + _BACK * tallest, 0.5 * (_ELBOW + _HANDS) * tallest + self.hold.aside)


@dataclass(frozen=True)
class CouplePlanner:
    """Plans the steps of one couple to one music.

    style: of both partners. lead_in: s before the first beat.
    """

    leader: Figure
    follower: Figure
    hold: Hold
    style: Style
    tempo: Tempo
    lead_in: float

    @cached_property
    def shape(self) -> CoupleShape:
        """Extent of the couple on the floor."""
        return CoupleShape(
            (self.leader.stature, self.follower.stature),
            (FootShape.of(self.leader), FootShape.of(self.follower)),
            self.hold,
        )

    def plan(self, leads: Sequence[Pattern], follows: Sequence[Pattern], begins: Stance) -> Couple:
        """Plan both parts of consecutive patterns from a stance of the leader."""
        return plan_couple(
            leads,
            follows,
            self.leader,
            self.follower,
            tempo=self.tempo,
            styles=(self.style, self.style),
            begins=begins,
            lead_in=self.lead_in,
            hold=self.hold,
        )

    def standing(self, stance: Stance) -> Couple:
        """Plan partners who only stand, the leader in a stance."""
        pattern = Pattern("", "standing", (Step(Foot.HOLD, None, 1),), beats_per_bar=self.tempo.beats_per_bar)
        return self.plan([pattern], [partner_of(pattern)], stance)

    def ends(self, lead: Pattern, begins: Stance) -> Stance:
        """Return the leader's stance at the end of a pattern, without planning footsteps and goals."""
        course = course_of(
            [lead],
            self.leader,
            tempo=self.tempo,
            style=self.style,
            begins=begins,
            lead_in=self.lead_in,
            leg=min(self.leader.leg_length, self.follower.leg_length),
        )
        return course.moves[-1].stance


@dataclass(frozen=True, eq=False)
class CouplePositions:
    """Positions of a couple at T times: x, z in m and heading in rad.

    bodies: (T, 2, 3) of leader and follower. feet: (T, 4, 3) of the leader's left and right foot, then the follower's:
    the point under the ankle, and the heading of the toes.
    """

    bodies: Array
    feet: Array


def couple_positions(couple: Couple, times: Array) -> CouplePositions:
    """Return the positions of a couple at times of its plans."""
    bodies, feet = [], []
    for plan in (couple.leader, couple.follower):
        goals = np.array([goal.time for goal in plan.body])
        heading = np.interp(times, goals, [goal.heading for goal in plan.body])
        weight = np.interp(times, goals, [goal.weight for goal in plan.body])[:, None]
        left, right = (_foot_course(plan, side, times) for side in ("left", "right"))
        bodies.append(np.column_stack([(1.0 - weight) * left[:, :2] + weight * right[:, :2], heading]))
        feet += [left, right]
    return CouplePositions(np.stack(bodies, axis=1), np.stack(feet, axis=1))


def _foot_course(plan: Plan, side: str, times: Array) -> Array:
    """Return a foot over times, (T, 3)."""
    course = np.tile(np.array(getattr(plan.begins, side)), (len(times), 1))
    for step in plan.footsteps:
        if step.foot != side:
            continue
        start, stop = _window(step)
        first, last = np.searchsorted(times, (start, stop))
        share = np.clip((times[first:last] - start) / (stop - start), 0.0, 1.0)
        eased = share * share * (3.0 - 2.0 * share)
        turned = math.remainder(step.end.heading - step.start.heading, 2.0 * math.pi)
        course[first:last, :2] = _along([step.start[:2], *step.via, step.end[:2]], eased)
        course[first:last, 2] = step.start.heading + eased * turned
        course[last:] = (*step.end[:2], step.start.heading + turned)
    return course


def _window(step: Footstep) -> tuple[float, float]:
    """Return start and end of a foot's move; a pivot lasts until the foot has settled."""
    return (step.lift, step.land) if step.land > step.lift else (step.land, max(step.settled, step.land + 1e-6))


def _along(way: Sequence[tuple[float, ...]], share: Array) -> Array:
    """Return points (T, 2) of a polyline at shares of its length."""
    points = np.array(way)
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    return np.stack([np.interp(share * lengths[-1], lengths, points[:, k]) for k in range(2)], axis=1)


def soles(placing: CouplePositions, shape: CoupleShape) -> Array:
    """Return the corners of all soles, (T, 4, 4, 2): time, foot, corner, x and z."""
    leader, follower = shape.soles
    reach = np.array(
        [
            [[side * sole.half_width, sole.tip if forward > 0 else -sole.heel] for forward, side in _CORNERS]
            for sole in (leader, leader, follower, follower)
        ]
    )
    return _in_world(placing.feet, reach)


def trunks(placing: CouplePositions, shape: CoupleShape) -> Array:
    """Return the corners of both bodies with elbows, and the joined hands, (T, 2, 5, 2)."""
    reach = []
    for stature, hands in zip(shape.statures, (_HANDS, -_HANDS), strict=True):
        corners = [[side * _ELBOW * stature, forward * _BACK * stature] for forward, side in _CORNERS]
        reach.append([*corners, [hands * stature, shape.middle]])
    return _in_world(placing.bodies, np.array(reach))


def boxes_over(placing: CouplePositions, shape: CoupleShape, samples: int) -> Array:
    """Return boxes (K, 5) around bodies, arms and feet, one for each interval of a number of samples.

    A box is x and z of its centre, heading, half its depth and half its width. Its heading is the leader's.
    """
    count = (len(placing.bodies) - 1) // samples
    points = np.concatenate(
        [part.reshape(len(placing.bodies), -1, 2) for part in (trunks(placing, shape), soles(placing, shape))], axis=1
    )
    rows = samples * np.arange(count)[:, None] + np.arange(samples + 1)
    near = points[rows].reshape(count, -1, 2)
    heading = placing.bodies[samples * np.arange(count) + samples // 2, 0, 2]
    sine, cosine = np.sin(heading)[:, None], np.cos(heading)[:, None]
    deep, across = near[..., 0] * sine + near[..., 1] * cosine, near[..., 0] * cosine - near[..., 1] * sine
    middles = [0.5 * (each.min(axis=1) + each.max(axis=1)) for each in (deep, across)]
    halves = [0.5 * np.ptp(each, axis=1) for each in (deep, across)]
    centres = _in_world(np.column_stack([np.zeros((count, 2)), heading]), np.stack(middles[::-1], axis=1)[:, None])
    return np.column_stack([centres[:, 0], heading, *halves])


def _in_world(frames: Array, points: Array) -> Array:
    """Convert points (..., N, 2), left and forward in frames (..., 3), to the floor."""
    sine, cosine = np.sin(frames[..., 2])[..., None], np.cos(frames[..., 2])[..., None]
    across, deep = points[..., 0], points[..., 1]
    return frames[..., None, :2] + np.stack([across * cosine + deep * sine, deep * cosine - across * sine], axis=-1)
