"""Courses of both feet: when and along which path they swing, how they roll and pivot, and where they are at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from segue.curves import quaternion
from segue.dance.course.quintic import Quintic, QuinticPath
from segue.dance.course.stands import Foot, Pivot, Roll, Stand, Target, rolls_through
from segue.dance.planning.model import Bearing, Footprint, Footstep, Plan
from segue.typing import Array, Flags

_LAND_SPEED = 0.12  # m/s downwards: with a slower landing, its time would depend on millimetres
_ARRIVED = 0.95  # of the swing's duration, when the foot is above its footprint
_LEVELLED = 0.9  # of the swing's duration, when the foot has its landing pitch
_TOP = 0.45  # of the swing's duration, when the foot is highest
_CLEARANCE = 0.03  # m, height of the middle of the sole
_STRIDE = 0.5  # m, length of a full stride; shorter steps roll less
_HEEL_LEAD, _TOE_LEAD, _HEEL_OFF, _TOE_OFF = -0.20, 0.20, 0.45, -0.10  # rad, pitches in a full stride
_CLOSING_OFF, _FIRST_OFF = 0.15, 0.05  # rad, pitch at lift when closing and in a first step
_LONGEST_ROLL, _LONGEST_LEAVING = 0.12, 0.35  # s: in a slower roll the body would stand on an edge of the foot
_TAKING, _GIVING = 0.08, 0.06  # s in which a foot takes the weight after landing, and gives it up before the lift
_SHIFTING = 0.7  # of the double support, if that is shorter
_ROLL_RATE = 1.7  # rad/s on average: a faster foot slams down
_SETTLING = 0.5  # of the double support, after which the landed foot bears fully
_LEAVING = 0.9  # of the double support, in which the leaving foot may roll
_PLAIN = 0.2  # of a full stride: a shorter step forward or back counts as a side step or a close
_ON_BALL = 0.27  # rad, pitch of a foot on its ball: lifts the heel by 48 mm
_ONTO_BALL, _RISING = 0.1, 0.2  # s in which the pressure moves under the ball, and in which the heel then rises
_LEAST_PIVOT = 0.1  # rad: smaller turns are left to the hips
_MOST_TURN = 4.0  # rad that a foot turns in the air: a larger turn is taken the other way
_FULL_SWING = 1.0  # s between two landings, enough for a full roll


@dataclass(frozen=True)
class Swing:
    """One flight of a foot.

    start: footprint before it. leaving, landing: pitch, rad, at lift and at landing. leaves: s when the foot begins to
    roll off the floor, once the other foot can bear the weight. settles: s when the foot has rolled to its bearing
    pitch. gives, takes: s in which it gives up the weight before the lift, and takes it on after the landing.
    next_lift: s of the next lift of either foot, inf if there is none. via: floor points (x, z) that it passes. raised:
    m of extra height.
    """

    step: Footstep
    start: Footprint
    leaving: float
    landing: float
    leaves: float
    settles: float
    gives: float
    takes: float
    next_lift: float
    via: tuple[tuple[float, float], ...]
    raised: float = 0.0

    def heading_from(self, heading: float) -> float:
        """Return the heading at landing of a foot with a heading at lift: turned as planned, half a turn too."""
        turn = self.step.end.heading - self.start.heading
        if abs(turn) > _MOST_TURN:
            turn = nearest_turn(turn, 0.0)
        return nearest_turn(self.start.heading, heading) + turn

    def path(self, foot: Foot, sole: Array | None = None, turn: Array | None = None) -> Flight:
        """Return the flight from a state of the foot: sole (2, 3) position and velocity, turn (2, 2).

        turn: heading and pitch, and their rates. States that are not given are as planned.
        """
        if sole is None or turn is None:
            sole = np.stack([_sole_point(foot, self.start, self.leaving), np.zeros(3)])
            turn = np.array([[self.start.heading, self.leaving], [0.0, 0.0]])
        return Flight.between(self, foot, sole, turn)


@dataclass(frozen=True, eq=False)
class Flight:
    """A flight as functions of time: horizontal path, height in two pieces, heading and pitch."""

    swing: Swing
    level: QuinticPath
    rising: Quintic
    sinking: Quintic
    turning: Quintic

    @classmethod
    def between(cls, swing: Swing, foot: Foot, sole: Array, turn: Array) -> Flight:
        """Return the flight from a state of the foot to its footprint."""
        step = swing.step
        start, lasting = step.lift, step.land - step.lift
        target = _sole_point(foot, step.end, swing.landing)
        still = np.zeros((1, 2))
        first = np.concatenate([sole[:, ::2], still])
        level = QuinticPath.past(start, start + _ARRIVED * lasting, first, _passed(swing, foot), target[::2])
        top, rise_time = start + _TOP * lasting, _TOP * lasting
        height = 0.6 * max(sole[0, 1], target[1], 0.0) + _CLEARANCE + swing.raised
        summit = np.array([[height], [0.0], [-height / rise_time**2]])
        rising = Quintic.between(start, top, np.array([[sole[0, 1]], [sole[1, 1]], [0.0]]), summit)
        sinking = Quintic.between(top, step.land, summit, np.array([[target[1]], [-_LAND_SPEED], [0.0]]))
        goal = np.array([swing.heading_from(turn[0, 0]), swing.landing])
        turning = Quintic.between(
            start, start + _LEVELLED * lasting, np.concatenate([turn, still]), np.stack([goal, *np.zeros((2, 2))])
        )
        return cls(swing, level, rising, sinking, turning)

    def redirected(self, swing: Swing, foot: Foot, time: float) -> Flight:
        """Return a flight that continues from this one at a time, to the landing of another swing."""
        step, way, turn = swing.step, self.sole(time), self.turn(time)
        lasting, target, still = step.land - time, _sole_point(foot, step.end, swing.landing), np.zeros((2, 2))
        level = QuinticPath.past(time, time + _ARRIVED * lasting, way[:, ::2], (), target[::2])
        rising, since, high = self.rising, time, way[:, 1:2]
        if time < rising.stop:
            since = min(rising.stop, time + _TOP * lasting)
            summit = rising.at(rising.stop)
            rising, high = Quintic.between(time, since, high, summit), summit
        sinking = Quintic.between(since, step.land, high, np.array([[target[1]], [-_LAND_SPEED], [0.0]]))
        goal = np.array([nearest_turn(step.end.heading, turn[0, 0]), swing.landing])
        turning = Quintic.between(time, time + _LEVELLED * lasting, turn, np.stack([goal, *still]))
        return Flight(swing, level, rising, sinking, turning)

    def sole(self, time: float) -> Array:
        """Return position, velocity and acceleration (3, 3) of the middle of the sole."""
        land = self.swing.step.land
        found = np.empty((3, 3))
        found[:, ::2] = self.level.at(time)
        found[:, 1] = (self.rising if time < self.rising.stop else self.sinking).at(time)[:, 0]
        if time > land:  # the foot keeps descending until it touches the floor
            found[:2, 1] = self.sinking.at(land)[0, 0] - _LAND_SPEED * (time - land), -_LAND_SPEED
        return found

    def turn(self, time: float) -> Array:
        """Return heading and pitch (3, 2) with their first two derivatives."""
        return self.turning.at(time)


@dataclass(frozen=True, eq=False)
class FootCourse:
    """The swings of one foot in order, and its stands before, between and after them."""

    side: str
    foot: Foot
    swings: tuple[Swing, ...]
    stands: tuple[Stand, ...]

    def next_swing(self, stand: int) -> Swing | None:
        """Return the swing that ends a stand, given by its number, if any."""
        return self.swings[stand] if stand < len(self.swings) else None


def foot_courses(plan: Plan, footsteps: Sequence[Footstep] | None = None) -> dict[str, FootCourse]:
    """Return the courses of the left and the right foot; footsteps: in place of the plan's own."""
    footsteps = plan.footsteps if footsteps is None else footsteps
    foot = Foot.of(plan.figure.build)
    flights = sorted((step for step in footsteps if step.land > step.lift), key=lambda step: step.land)
    before = {id(after): first.land for first, after in pairwise(flights)}
    after = {id(first): after.lift for first, after in pairwise(flights)}
    courses = {}
    for side, place in (("left", plan.begins.left), ("right", plan.begins.right)):
        swings: list[Swing] = []
        stands: list[Stand] = []
        still: list[Footstep] = []
        for step in sorted((step for step in footsteps if step.foot == side), key=lambda step: step.lift):
            if step.land == step.lift:
                still.append(step)
                continue
            pivots = _pivots(still, foot, place)
            start = pivots[-1].after if pivots else place
            swings.append(_swing(step, start, before.get(id(step)), after.get(id(step), np.inf)))
            rolls = _rolls(swings[-2] if stands else None, still, pivots, swings[-1])
            if rolls:
                swings[-1] = replace(swings[-1], leaving=rolls[-1].last)
            stands.append(Stand(side, foot, place, rolls, pivots))
            place, still = step.end, []
        pivots = _pivots(still, foot, place)
        rolls = _rolls(swings[-1] if swings else None, still, pivots, None)
        stands.append(Stand(side, foot, place, rolls, pivots))
        courses[side] = FootCourse(side, foot, tuple(swings), tuple(stands))
    return courses


def _swing(step: Footstep, start: Footprint, last_landing: float | None, next_lift: float) -> Swing:
    """Return a flight whose pitches suit its length and speed, between the landing before and the lift after it.

    last_landing: None if no foot has landed before.
    """
    arriving, departing = stride_of(step, step.end), stride_of(step, step.start)
    quick = 1.0 if last_landing is None else min(1.0, (step.land - last_landing) / _FULL_SWING)
    full = max(abs(arriving), 0.5)
    landing = {Bearing.HEEL: _HEEL_LEAD * full, Bearing.TOE: _TOE_LEAD * full, Bearing.FLAT: 0.0}[step.landing]
    if last_landing is None:
        leaving = _FIRST_OFF
    elif departing > _PLAIN:
        leaving = _HEEL_OFF * departing
    elif departing < -_PLAIN:
        leaving = _TOE_OFF * -departing
    else:
        leaving = _CLOSING_OFF
    both = np.inf if last_landing is None else step.lift - last_landing
    leaves = step.lift - min(_LONGEST_LEAVING, _LEAVING * both)
    next_both = next_lift - step.land
    settles = step.land + min(_LONGEST_ROLL, _SETTLING * next_both)
    gives, takes = min(_GIVING, _SHIFTING * both), min(_TAKING, _SHIFTING * next_both)
    steepest = _ROLL_RATE * (settles - step.land)
    landing = float(np.clip(landing * quick, -steepest, steepest))
    return Swing(step, start, leaving * quick, landing, leaves, settles, gives, takes, next_lift, step.via)


def stride_of(step: Footstep, facing: Footprint) -> float:
    """Return the distance that a foot travels in the direction of a footprint, in full strides, from -1 to 1."""
    ahead = (step.end.x - step.start.x) * np.sin(facing.heading) + (step.end.z - step.start.z) * np.cos(facing.heading)
    return float(np.clip(ahead / _STRIDE, -1.0, 1.0))


def _pivots(still: Sequence[Footstep], foot: Foot, place: Footprint) -> tuple[Pivot, ...]:
    """Return the pivots of a foot on a footprint, one per footstep without flight."""
    pivots: list[Pivot] = []
    for step in still:
        if abs(step.end.heading - step.start.heading) > _LEAST_PIVOT:
            pivots.append(Pivot.of(step, foot, pivots[-1].after if pivots else place))
    return tuple(pivots)


def _rolls(
    came: Swing | None, still: Sequence[Footstep], pivots: Sequence[Pivot], goes: Swing | None
) -> tuple[Roll, ...]:
    """Return the rolls of a foot between two swings: flat, up to its ball and down as planned, and off the floor.

    In a pivot the foot stays flat; only the pressure is on its ball.
    """
    rest, landing = 0.0, 0.0
    targets: list[Target] = []
    if came is not None:
        landing = came.landing
        rest = min(landing, 0.0) if came.step.bearing is Bearing.HEEL else 0.0
        targets.append(Target(came.step.land, came.settles, rest))
        rise = None if goes is None or pivots else _rise(came, still, goes)
        if rise is not None:
            rest = rise.pitch
            targets.append(rise)
    for step in still:
        after = {Bearing.FLAT: 0.0, Bearing.TOE: max(rest, 0.0), Bearing.HEEL: min(rest, 0.0)}[step.bearing]
        lasting = abs(after - rest) / _ROLL_RATE
        # a foot that leaves too soon to come down leaves from its ball
        if after != rest and (goes is None or step.land + lasting <= goes.leaves):
            rest = after
            targets.append(Target(step.land, max(step.settled, step.land + max(lasting, _LONGEST_ROLL)), rest))
    if goes is not None:
        off = max(goes.leaving, rest) if rest > 0.0 else goes.leaving
        targets.append(Target(goes.leaves, goes.step.lift, off))
    return rolls_through(landing, targets)


def _rise(came: Swing, still: Sequence[Footstep], goes: Swing) -> Target | None:
    """Return the rise of a foot onto its ball once it bears alone; None if not planned, or without enough time.

    In double support the foot needs its whole sole to take over the weight.
    """
    if came.step.bearing is not Bearing.TOE:
        return None
    until = min([goes.leaves, *(step.land for step in still if step.bearing is not Bearing.TOE)])
    start = came.next_lift + _ONTO_BALL
    return Target(start, start + _RISING, _ON_BALL) if start + _RISING <= until else None


def _sole_point(foot: Foot, footprint: Footprint, pitch: float) -> Array:
    """Return the middle of the sole (3,) of a rolled foot on a footprint."""
    ahead, up = foot.sole_middle(np.asarray(pitch))
    x, z = foot.on_floor(footprint, float(ahead))
    return np.array([x, float(up), z])


def nearest_turn(angle: float, near: float) -> float:
    """Return an angle plus whole turns, within half a turn of another angle."""
    return near + (angle - near + np.pi) % (2.0 * np.pi) - np.pi


def _passed(swing: Swing, foot: Foot) -> list[Array]:
    """Return the via points (x, z) of the middle of the sole, with the heading interpolated."""
    count, begins = len(swing.via) + 1, swing.start.heading
    turn = swing.heading_from(begins) - begins
    return [
        foot.on_floor(Footprint(x, z, begins + turn * k / count), foot.middle) for k, (x, z) in enumerate(swing.via, 1)
    ]


@dataclass(frozen=True, eq=False)
class FootPath:
    """One foot at N times.

    ankle: (N, 3) m. turn: (N, 2) heading and pitch in rad; a lifted heel is positive. flying: (N,) whether it swings.
    """

    ankle: Array
    turn: Array
    flying: Flags

    @property
    def turns(self) -> Array:
        """World rotations (N, 4) of the foot's segment."""
        heading, pitch = self.turn.T
        none = np.zeros_like(heading)
        headed = quaternion.exp(np.stack([none, heading, none], axis=1))
        return quaternion.multiply(headed, quaternion.exp(np.stack([pitch, none, none], axis=1)))

    @property
    def toe_extension(self) -> Array:
        """Toe extension (N,) in rad: toes stay flat while the heel is lifted."""
        return np.maximum(self.turn[:, 1], 0.0)

    def at(self, places: slice) -> FootPath:
        """Return the path at some of its times."""
        return FootPath(self.ankle[places], self.turn[places], self.flying[places])


def foot_paths(courses: Mapping[str, FootCourse], times: Array) -> dict[str, FootPath]:
    """Return the path of each foot at some times, by side."""
    ways = {}
    for side, course in courses.items():
        ankle, turn, since = np.empty((len(times), 3)), np.empty((len(times), 2)), 0
        flying = np.zeros(len(times), bool)
        for number, stand in enumerate(course.stands):
            swing = course.next_swing(number)
            lift, land = (np.inf, np.inf) if swing is None else (swing.step.lift, swing.step.land)
            until, landed = (int(np.searchsorted(times, moment)) for moment in (lift, land))
            pitch = np.array([stand.pitch(time)[0] for time in times[since:until]])
            x, z, heading = np.array([stand.footprint(time) for time in times[since:until]]).reshape(-1, 3).T
            ahead, ankle[since:until, 1] = course.foot.ankle(pitch)
            ankle[since:until, 0] = x + ahead * np.sin(heading)
            ankle[since:until, 2] = z + ahead * np.cos(heading)
            turn[since:until, 0], turn[since:until, 1] = heading, pitch
            if swing is not None:
                way, _ = swing_path(course.foot, swing, times[until:landed])
                ankle[until:landed], turn[until:landed], flying[until:landed] = way.ankle, way.turn, True
            since = landed
        ways[side] = FootPath(ankle, turn, flying)
    return ways


def swing_path(foot: Foot, swing: Swing, times: Array) -> tuple[FootPath, float]:
    """Return the path of a foot at times (N,) of its flight, and its largest horizontal acceleration, m/s^2."""
    flight = swing.path(foot)
    soles = np.array([flight.sole(time) for time in times]).reshape(-1, 3, 3)
    turn = np.array([flight.turn(time)[0] for time in times]).reshape(-1, 2)
    heading, pitch = turn.T
    up = foot.sole * np.cos(pitch) + foot.middle * np.sin(pitch)
    ahead = foot.sole * np.sin(pitch) - foot.middle * np.cos(pitch)
    ankle = soles[:, 0] + np.stack([ahead * np.sin(heading), up, ahead * np.cos(heading)], axis=1)
    strain = float(np.linalg.norm(soles[:, 2, ::2], axis=1).max(initial=0.0))
    return FootPath(ankle, turn, np.ones(len(times), bool)), strain
