"""The planned course of a dance for one dancer at every tick: feet, pressure, centre of mass, trunk and limbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.planning.model import Footstep, Plan
from segue.dance.simulation.course.centre_of_mass import (
    CentreOfMassCourse,
    CentreOfMassGoal,
    Legs,
    centre_of_mass_course,
    pressure_course,
)
from segue.dance.simulation.course.feet import FootCourse, foot_courses, foot_paths
from segue.dance.simulation.course.leg_clearance import pelvis_turns, route_around_leg
from segue.dance.simulation.course.limbs import LimbCourse, limb_course, with_rotations
from segue.dance.simulation.course.quintic import rates_of, through
from segue.dance.simulation.course.rehearsal import EVERY, Rehearsal
from segue.dance.simulation.model import BodyModel
from segue.motion.engine_coordinates import poses_of
from segue.typing import Array

_SWIFT = 2.0  # m/s on average: a faster swing would twist the standing foot
_BOTH = 0.1  # s of double support at least, to shift the weight


def lift_earlier_if_fast(footsteps: Sequence[Footstep]) -> tuple[Footstep, ...]:
    """Return footsteps of which fast ones lift earlier, as soon as the other foot bears."""
    landed, found = -np.inf, []
    for step in sorted(footsteps, key=lambda step: (step.lift, step.land)):
        if step.land > step.lift:
            soonest = max(landed + _BOTH, step.land - _length(step) / _SWIFT)
            found.append(replace(step, lift=soonest) if soonest < step.lift else step)
            landed = step.land
        else:
            found.append(step)
    return tuple(found)


def _length(step: Footstep) -> float:
    """Return the length of a foot's path, m."""
    points = [step.start[:2], *step.via, step.end[:2]]
    return float(sum(np.hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)))


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
    facing, turned = (quaternion.exp(np.stack([none, angle, none], axis=1)) for angle in (heading, heading + twist))
    back, neck = (limbs.balls[:, HUMAN.ball_names.index(joint)] for joint in ("lower_back", "neck"))
    turns = np.empty((len(heading), len(_TRUNK), 4))
    turns[:, 0] = quaternion.multiply(turned, leaning)
    turns[:, 1] = quaternion.multiply(quaternion.multiply(facing, leaning), back)
    turns[:, 2] = quaternion.multiply(turns[:, 1], neck)
    if twist.any():
        bent = quaternion.multiply(quaternion.conjugate(turns[:, 0]), turns[:, 1])
        limbs = with_rotations(limbs, "lower_back", bent, step)
    spin = np.zeros((len(heading), len(_TRUNK), 3))
    spin[:, :, 1] = rates_of(heading, step)[:, None]
    spin[:, 0, 1] += rates_of(twist, step)
    return TrunkCourse(turns, spin, rates_of(spin, step)), limbs


TICK = 0.002
"""Seconds between two decisions of the body controller."""

_REHEARSALS = 3
_BENT = 0.01  # m that the centre of mass is lower than in the standing pose, so that legs can still extend


@dataclass(frozen=True, eq=False)
class Course:
    """The plan at every tick; times: (N,) s.

    footsteps: the plan's, with their revised times. rehearsal: poses that follow the course. legs: hips and ankles of
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
    def of(cls, plan: Plan, model: BodyModel, data: Any) -> Course:
        """Return the course of a plan for a body in the pose of the engine's data."""
        times: Array = TICK * np.arange(round(plan.stop / TICK) + 1, dtype=np.float64)
        footsteps = lift_earlier_if_fast(plan.footsteps)
        feet = foot_courses(plan, footsteps)
        course = cls._with_feet(plan, footsteps, model, data, times, feet)
        clear = route_around_leg(feet, course.rehearsal, EVERY * TICK)
        if all(clear[side].swings == feet[side].swings for side in feet):
            return course
        return cls._with_feet(plan, footsteps, model, data, times, clear)

    @classmethod
    def _with_feet(
        cls,
        plan: Plan,
        footsteps: tuple[Footstep, ...],
        model: BodyModel,
        data: Any,
        times: Array,
        feet: Mapping[str, FootCourse],
    ) -> Course:
        """Return the course for given courses of the feet."""
        pose = poses_of(data.qpos[None])
        heading, rise, sway = body_course(plan, times).T
        ways, gravity = foot_paths(feet, times), model.environment.gravity
        twist = pelvis_turns(heading, ways, TICK)
        trunk, limbs = trunk_course(heading, twist, sway, limb_course(plan, pose, times), TICK)
        centre = np.array(data.subtree_com[1])
        build = plan.figure.build
        offsets = {side: data.xpos[1 + HUMAN.segments.index(f"{side}_thigh")] - centre for side in feet}
        hips = {
            side: quaternion.rotate(trunk.turns[:, 0], np.tile(each, (len(times), 1))) for side, each in offsets.items()
        }
        legs = Legs(hips, {side: way.ankle for side, way in ways.items()}, build.thigh + build.shank)
        often = slice(None, None, EVERY)
        poses = Poses(np.tile(pose.root, (len(times[often]), 1)), limbs.balls[often].copy(), limbs.hinges[often].copy())
        # raised arms raise the centre of mass without any change of the knees
        raised = np.interp(times, times[often], _heights(plan.figure, poses))
        asked = CentreOfMassGoal(pressure_course(feet, times), centre, centre[1] - _BENT + rise + raised, gravity, TICK)
        poses.ball("root")[:] = trunk.turns[often, 0]
        rehearsal = Rehearsal(plan.figure, poses, {side: way.at(often) for side, way in ways.items()}, gravity)
        return cls(plan, footsteps, times, feet, _rehearsed(asked, legs, rehearsal), trunk, limbs, rehearsal, legs)

    @cached_property
    def capture(self) -> Array:
        """The capture point of the course, (N, 2)."""
        return self.mass_centre.capture

    def tick(self, time: float) -> int:
        """Return the number of the tick at a time."""
        return min(max(round(time / TICK), 0), len(self.times) - 1)


def _heights(figure: Figure, poses: Poses) -> Array:
    """Return how much higher (T,) than in the first pose the centre of mass is relative to the pelvis, m."""
    heights = figure.centre_of_mass(poses)[:, 1]
    raised: Array = heights - heights[0]
    return raised


def _rehearsed(asked: CentreOfMassGoal, legs: Legs, rehearsal: Rehearsal) -> CentreOfMassCourse:
    """Return the course of the centre of mass that is consistent with its own rehearsal."""
    found = centre_of_mass_course(asked, legs)
    for _ in range(_REHEARSALS):
        seen = rehearsal.solve(found)
        found = centre_of_mass_course(
            asked._replace(pressure=asked.pressure + seen.shift), legs._replace(hips=seen.hips)
        )
    return found
