"""Courses of a couple: swinging feet go round the partner's legs, and arms take and keep the hold."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter1d

from segue.body.figure import Poses
from segue.curves import quaternion
from segue.curves.interpolate import least_jerk
from segue.curves.sampled import smooth_ceiling
from segue.dance.body.shapes import BodyCapsules, gaps_between
from segue.dance.course.course import EARTH, TICK, Course
from segue.dance.course.feasibility import warn_of_legs, warn_of_pivots, warn_of_ranges
from segue.dance.course.feet import foot_courses
from segue.dance.course.hold import Holding, Partner, take_hold
from segue.dance.course.leg_clearance import route_around_leg
from segue.dance.course.limbs import ARM_BALLS, ARM_HINGES
from segue.dance.course.rehearsal import EVERY
from segue.dance.notation.model import Part
from segue.dance.planning.model import Plan
from segue.motion.motion import Motion
from segue.typing import Array

RATE = 1.0 / (TICK * EVERY)
"""Poses of a rehearsal per second."""

_ROUNDS = 4  # of alternation between hold and balance: raised arms move the trunk back
_YIELDS = 4  # rounds in which the partners make room for each other
_LEGS_APART, _TRUNKS_APART = 0.005, 0.03  # m
_YIELDING = 0.5  # s to either side over which making room is smoothed
_MOST_YIELD = 0.04  # m, of each: the pressure has to stay under the feet
_EVENED = 0.12  # s over which the limited shift is smoothed
_SIDE_BY_SIDE = 0.87  # cosine of the angle to facing each other
_BEGINNING = 1.0  # s in which making room begins
_REACHING_ROUND = np.radians(20.0)  # rad that the leader's right shoulder comes forward to reach the follower's back
_SPARE = 0.05  # m of spare reach of that arm: a straight arm cannot yield


@dataclass(frozen=True, eq=False)
class CoupleCourse:
    """The courses of both partners in hold; led, followed: rehearsed poses (T), `1 / RATE` s apart, without delay."""

    leader: Course
    follower: Course
    led: Poses
    followed: Poses

    @classmethod
    def of(
        cls, leader: Plan, follower: Plan, holding: Holding, gravity: float = EARTH, delay: float = 0.0
    ) -> CoupleCourse:
        """Return the courses of two plans in a hold.

        gravity: m/s^2. delay: s by which the follower's plan is late. Arm poses are found without the delay, and the
        follower's are delayed afterwards. Warn of legs that overlap, and of joints that go beyond their range.
        """
        courses = [Course.routed(plan, gravity) for plan in (leader, follower)]
        early = round(delay * RATE)
        shifts = [np.zeros((len(course.times), 2)) for course in courses]
        for _ in range(_YIELDS):
            for own, late in ((1, -early), (0, early)):
                courses[own] = _clear_of_partner(courses[own], courses[1 - own], late, shifts[own])
            led, followed = _aligned_poses(courses[0].rehearsal.poses, courses[1].rehearsal.poses, early)
            apart = _moved_apart(Partner(leader.figure, led), Partner(follower.figure, followed))
            if not apart.any():
                break
            for own, (sign, lag) in enumerate(((-1.0, 0.0), (1.0, delay))):
                shifts[own] = _limited(
                    shifts[own] + sign * _at_ticks(apart, courses[own].times - lag), courses[own].times
                )
        for _ in range(_ROUNDS):
            led, followed = _aligned_poses(courses[0].rehearsal.poses, courses[1].rehearsal.poses, early)
            if holding is Holding.CLOSED:
                led.hinge("right_clavicle_protraction")[:] = _REACHING_ROUND
            take_hold(Partner(leader.figure, led), Partner(follower.figure, followed), holding, 1.0 / RATE, _SPARE)
            for course, poses, late in ((courses[0], led, 0), (courses[1], followed, early)):
                _put_arms(poses, course.rehearsal.poses, late)
                course.rehearsal.solve(course.mass_centre)
        warn_of_legs(
            leader, BodyCapsules.of(leader.figure, led), BodyCapsules.of(follower.figure, followed), 1.0 / RATE
        )
        for part, course in zip(Part, courses, strict=True):
            warn_of_ranges(course.plan, course.rehearsal, part)
            warn_of_pivots(course.plan, course.feet, part)
        return cls(_with_arms(courses[0], led, 0.0), _with_arms(courses[1], followed, delay), led, followed)


def _clear_of_partner(own: Course, partner: Course, early: int, shift: Array) -> Course:
    """Return a course whose swings go round the legs of a partner, whose poses are taken `early` frames earlier.

    shift: (N, 2) m, of the centre of mass.
    """
    frames = np.arange(len(own.rehearsal.poses)) + early
    poses = _frames(partner.rehearsal.poses, np.clip(frames, 0, len(partner.rehearsal.poses) - 1))
    capsules = BodyCapsules.of(partner.plan.figure, poses)
    feet = route_around_leg(foot_courses(own.plan), own.rehearsal, capsules)
    return Course.with_feet(own.plan, feet, own.rehearsal.gravity, shift)


def _moved_apart(leader: Partner, follower: Partner) -> Array:
    """Return how far (T, 2) the follower's centre of mass is to move from the leader's, and the leader's from hers."""
    partners = ((1.0, leader), (-1.0, follower))
    bodies = [BodyCapsules.of(partner.figure, partner.poses) for _, partner in partners]
    legs, trunks = (
        gaps_between(bodies[0], parts, bodies[1], parts) for parts in (("left_leg", "right_leg"), ("trunk",))
    )
    missing = np.maximum(np.maximum(_LEGS_APART - legs, _TRUNKS_APART - trunks), 0.0)
    across = (follower.poses.root - leader.poses.root)[:, [0, 2]]
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    # partners that turn side by side would lean over the edge of a foot, and fall
    looking = np.minimum(*(sign * (body.front[:, [0, 2]] * across).sum(axis=1) for sign, body in partners))
    if looking.min() < _SIDE_BY_SIDE:
        return np.zeros_like(across)
    apart: Array = 0.5 * smooth_ceiling(missing, _YIELDING, 1.0 / RATE)[:, None] * across
    return apart


def _at_ticks(values: Array, times: Array) -> Array:
    """Return values (T, K) of poses at times (N,)."""
    frames = np.arange(len(values)) / RATE
    return np.stack([np.interp(times, frames, column) for column in values.T], axis=1)


def _limited(shift: Array, times: Array) -> Array:
    """Return a shift (N, 2) of limited length, 0 at the beginning, and smooth: its curvature moves the pressure."""
    lengths = np.linalg.norm(shift, axis=1, keepdims=True)
    short = shift * np.minimum(1.0, _MOST_YIELD / np.maximum(lengths, 1e-9))
    smooth: Array = gaussian_filter1d(short, _EVENED / TICK, axis=0, mode="nearest")
    return smooth * least_jerk(times / _BEGINNING)[:, None]


def _aligned_poses(led: Poses, followed: Poses, early: int) -> tuple[Poses, Poses]:
    """Return copies of both partners' poses, equally many, the follower's shifted earlier by `early` frames."""
    frames = np.arange(max(len(led), len(followed)))
    return _frames(led, np.minimum(frames, len(led) - 1)), _frames(
        followed, np.minimum(frames + early, len(followed) - 1)
    )


def _frames(poses: Poses, chosen: npt.NDArray[np.int64]) -> Poses:
    return Poses(poses.root[chosen], poses.balls[chosen], poses.hinges[chosen])


def _put_arms(held: Poses, poses: Poses, late: int) -> None:
    """Copy the arms of poses in hold into other poses, in place, `late` frames later."""
    chosen = np.clip(np.arange(len(poses)) - late, 0, len(held) - 1)
    poses.balls[:, ARM_BALLS] = held.balls[chosen][:, ARM_BALLS]
    poses.hinges[:, ARM_HINGES] = held.hinges[chosen][:, ARM_HINGES]


def _with_arms(course: Course, poses: Poses, delay: float) -> Course:
    """Return a course whose arms follow poses, `1 / RATE` s apart."""
    even = Poses(poses.root, quaternion.make_continuous(poses.balls), poses.hinges)
    motion = Motion.from_poses(course.plan.figure, even, RATE)
    times: Array = np.clip(course.times - delay, motion.start, motion.stop)
    return replace(course, limbs=course.limbs.with_arms(motion.at(times), TICK))
