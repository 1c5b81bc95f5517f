"""The course of a plan for one dancer at every tick: feet, pressure, centre of mass, trunk and limbs.

A preview shows the course as poses. A simulation follows the same course by joint torques.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.ndimage import gaussian_filter1d

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.body.legs import ball_limit
from segue.dance.course.centre_of_mass import (
    CentreOfMassCourse,
    CentreOfMassGoal,
    Legs,
    centre_of_mass_course,
    pressure_course,
)
from segue.dance.course.feasibility import warn_of_pivots, warn_of_ranges
from segue.dance.course.feet import FootCourse, foot_courses, foot_paths
from segue.dance.course.leg_clearance import pelvis_turns, route_around_leg
from segue.dance.course.limbs import LimbCourse, initial_joints, limb_course
from segue.dance.course.quintic import rates_of, through
from segue.dance.course.rehearsal import EVERY, Rehearsal
from segue.dance.course.standing import check_footsteps, standing
from segue.dance.planning.model import Footstep, Plan
from segue.dynamics import GRAVITY
from segue.typing import Array

_SPINE = ball_limit("torso")
# s over which the headings of hips and torso are smoothed: one sole's friction turns a body by some 30 N m only
_EASED, _WIND_UP = 0.06, 0.15
_TRUNK = ("pelvis", "torso", "head")


@dataclass(frozen=True, eq=False)
class TrunkCourse:
    """Pelvis, torso and head at N ticks: rotations (N, 3, 4) in the world, angular velocities (N, 3, 3) and their
    rates.
    """

    turns: Array
    spin: Array
    spin_rate: Array


def body_course(plan: Plan, times: Array) -> Array:
    """Return heading, rise and sway (N, 3) of the body."""
    goals = sorted(plan.body, key=lambda goal: goal.time)
    moments = [0.0] if not goals or goals[0].time > 0.0 else []
    rows = [(plan.begins.heading, 0.0, 0.0)] * len(moments)
    passing = [False] * len(moments)
    for goal in goals:
        if moments and goal.time <= moments[-1]:
            moments[-1], rows[-1], passing[-1] = moments[-1], (goal.heading, goal.rise, goal.sway), goal.passing
            continue
        moments.append(goal.time)
        rows.append((goal.heading, goal.rise, goal.sway))
        passing.append(goal.passing)
    return through(np.array(moments), np.array(rows, dtype=float), np.array(passing), times)


def trunk_course(
    heading: Array, twist: Array, sway: Array, limbs: LimbCourse, step: float
) -> tuple[TrunkCourse, LimbCourse]:
    """Return the rotations of the trunk, and the course of the joints with a spine that follows them.

    twist: (N,) rad that only the pelvis turns further. sway leans the pelvis to the left. step: s between times.
    """
    none = np.zeros_like(heading)
    leaning = quaternion.exp(np.stack([none, none, -sway], axis=1))
    # smoothed in both directions of time: the torso winds up before the pelvis turns, and follows it afterwards
    eased = gaussian_filter1d(heading, _WIND_UP / step, mode="nearest")
    facing, turned = (quaternion.exp(np.stack([none, angle, none], axis=1)) for angle in (eased, heading + twist))
    back, neck = (limbs.balls[:, HUMAN.ball_names.index(joint)] for joint in ("lower_back", "neck"))
    turns = np.empty((len(heading), len(_TRUNK), 4))
    turns[:, 0] = quaternion.multiply(turned, leaning)
    wanted = quaternion.multiply(quaternion.multiply(facing, leaning), back)
    bent = _SPINE.clamp(quaternion.multiply(quaternion.conjugate(turns[:, 0]), wanted))
    balls = limbs.balls.copy()
    balls[:, HUMAN.ball_names.index("lower_back")] = bent
    turns[:, 1] = quaternion.multiply(turns[:, 0], bent)
    turns[:, 2] = quaternion.multiply(turns[:, 1], neck)
    spin = np.zeros((len(heading), len(_TRUNK), 3))
    spin[:, 0, 1] = rates_of(heading + twist, step)
    spin[:, 1:, 1] = rates_of(eased, step)[:, None]
    return TrunkCourse(turns, spin, rates_of(spin, step)), LimbCourse.of(balls, limbs.hinges, step)


TICK = 0.002
"""Seconds between two decisions of the body controller."""

EARTH = -float(GRAVITY[1])
"""Standard gravity, m/s^2."""

_REHEARSALS = 3
_BENT = 0.01  # m that the centre of mass is lower than in the standing pose, so that legs can still extend


@dataclass(frozen=True, eq=False)
class Course:
    """The plan at every tick; times: (N,) s.

    footsteps: the plan's, unless revised. rehearsal: poses that follow the course. legs: hips and ankles of
    the course; hips as if the body did not yield.
    """

    plan: Plan
    footsteps: tuple[Footstep, ...]
    times: Array
    feet: Mapping[str, FootCourse]
    mass_centre: CentreOfMassCourse
    trunk: TrunkCourse
    limbs: LimbCourse
    rehearsal: Rehearsal
    legs: Legs

    @classmethod
    def of(cls, plan: Plan, gravity: float = EARTH) -> Course:
        """Return the course of a plan; gravity: m/s^2, downwards.

        Warn of joints that go beyond their range, and of pivots without enough time.
        """
        course = cls.routed(plan, gravity)
        warn_of_ranges(plan, course.rehearsal)
        warn_of_pivots(plan, course.feet)
        return course

    @classmethod
    def routed(cls, plan: Plan, gravity: float) -> Course:
        """Return the course of a plan whose feet go round each other, without warnings."""
        check_footsteps(plan)
        feet = foot_courses(plan)
        course = cls.with_feet(plan, feet, gravity)
        clear = route_around_leg(feet, course.rehearsal)
        if all(clear[side].swings == feet[side].swings for side in feet):
            return course
        return cls.with_feet(plan, clear, gravity)

    @classmethod
    def with_feet(
        cls, plan: Plan, feet: Mapping[str, FootCourse], gravity: float, shift: Array | None = None
    ) -> Course:
        """Return the course for given courses of the feet; shift: (N, 2) m, added to the path of the pressure."""
        figure, build = plan.figure, plan.figure.build
        times: Array = TICK * np.arange(round(plan.stop / TICK) + 1, dtype=np.float64)
        pose = standing(figure, plan.begins, initial_joints(plan))
        planned, rise, sway = body_course(plan, times).T
        # smoothed in both directions of time: the hips begin to turn before a pivot, while both feet bear
        heading = gaussian_filter1d(planned, _EASED / TICK, mode="nearest")
        ways = foot_paths(feet, times)
        twist = pelvis_turns(heading, ways, TICK)
        trunk, limbs = trunk_course(heading, twist, sway, limb_course(plan, pose, times), TICK)
        centre = figure.centre_of_mass(pose)[0]
        places, _ = figure.forward(pose)
        offsets = {side: places[0, HUMAN.segments.index(f"{side}_thigh")] - centre for side in feet}
        hips = {
            side: quaternion.rotate(trunk.turns[:, 0], np.tile(each, (len(times), 1))) for side, each in offsets.items()
        }
        legs = Legs(hips, {side: way.ankle for side, way in ways.items()}, build.thigh + build.shank)
        often = slice(None, None, EVERY)
        poses = Poses(np.tile(pose.root, (len(times[often]), 1)), limbs.balls[often].copy(), limbs.hinges[often].copy())
        # raised arms raise the centre of mass without any change of the knees
        heights = figure.centre_of_mass(poses)[:, 1]
        raised = np.interp(times, times[often], heights - heights[0])
        pressure = pressure_course(feet, times)
        if shift is not None:
            pressure = pressure + shift
        asked = CentreOfMassGoal(pressure, centre, centre[1] - _BENT + rise + raised, gravity, TICK)
        poses.ball("root")[:] = trunk.turns[often, 0]
        rehearsal = Rehearsal(figure, poses, {side: way.at(often) for side, way in ways.items()}, EVERY * TICK, gravity)
        return cls(plan, plan.footsteps, times, feet, _rehearsed(asked, legs, rehearsal), trunk, limbs, rehearsal, legs)

    def poses(self, times: Array) -> Poses:
        """Return poses (T) that follow the course at two or more times (T,), equally spaced.

        Before and after the course the body is at rest.
        """
        ticks = np.clip(times / TICK, 0.0, len(self.times) - 1.0)
        before = ticks.astype(np.int64)
        after, share = np.minimum(before + 1, len(self.times) - 1), ticks - before

        def between(values: Array) -> Array:
            first, last = values[before], values[after]
            found: Array = first + share.reshape(-1, *[1] * (values.ndim - 1)) * (last - first)
            return found

        balls = self.limbs.balls.copy()
        balls[:, 0] = self.trunk.turns[:, 0]
        balls = quaternion.normalise(between(quaternion.make_continuous(balls)))
        rehearsed = self.rehearsal.poses.root.T
        root = np.stack([np.interp(ticks, EVERY * np.arange(rehearsed.shape[1]), axis) for axis in rehearsed], axis=1)
        poses = Poses(root, balls, between(self.limbs.hinges))
        feet = foot_paths(self.feet, np.clip(times, 0.0, self.times[-1]))
        step = float(times[1] - times[0])
        rehearsal = Rehearsal(self.plan.figure, poses, feet, step, self.rehearsal.gravity)
        rehearsal.follow(between(self.mass_centre.position))
        rehearsal.ease_ankles()
        return poses

    @cached_property
    def capture(self) -> Array:
        """The capture point of the course, (N, 2)."""
        return self.mass_centre.capture

    def tick(self, time: float) -> int:
        """Return the number of the tick at a time."""
        return min(max(round(time / TICK), 0), len(self.times) - 1)


def _rehearsed(asked: CentreOfMassGoal, legs: Legs, rehearsal: Rehearsal) -> CentreOfMassCourse:
    """Return the course of the centre of mass that is consistent with its own rehearsal."""
    found = centre_of_mass_course(asked, legs)
    for _ in range(_REHEARSALS):
        seen = rehearsal.solve(found)
        found = centre_of_mass_course(
            asked._replace(pressure=asked.pressure + seen.shift), legs._replace(hips=seen.hips)
        )
    return found
