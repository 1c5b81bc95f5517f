"""The whole course of a dance for one dancer: feet, pressure, centre of mass, trunk and limbs, at every tick."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.joints import BALL_JOINTS, SEGMENTS
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.dance.performance.balance import centre_of_mass
from segue.dance.planning.model import Plan
from segue.dance.simulation.course.feet import FootCourse, foot_courses
from segue.dance.simulation.course.foot_ways import foot_ways
from segue.dance.simulation.course.limbs import LimbCourse, limb_course
from segue.dance.simulation.course.mass_centre import Demand, Legs, MassCentreCourse, mass_centre_course
from segue.dance.simulation.course.polynomial import rates_of, through
from segue.dance.simulation.course.pressure import pressure_course
from segue.dance.simulation.course.rehearsal import EVERY, Rehearsal
from segue.dance.simulation.model import BodyModel
from segue.dance.simulation.state import poses_of

__all__ = ["TICK", "Course", "TrunkCourse"]

TICK = 0.002
"""Seconds between two decisions of the body controller."""

_REHEARSALS = 3
_BENT = 0.01  # m that the centre of mass is lower than in the standing pose: room to push
_TRUNK = ("pelvis", "torso", "head")


@dataclass(frozen=True, eq=False)
class TrunkCourse:
    """Pelvis, torso and head at N ticks: turns (N, 3, 4) in the world, spin (N, 3) and its rate, common to all."""

    turns: Array
    spin: Array
    spin_rate: Array


@dataclass(frozen=True, eq=False)
class Course:
    """What is to be done, tick by tick; times: (N,) s. rehearsal: the poses that it asks for."""

    plan: Plan
    times: Array
    feet: Mapping[str, FootCourse]
    mass_centre: MassCentreCourse
    trunk: TrunkCourse
    limbs: LimbCourse
    rehearsal: Rehearsal

    @classmethod
    def of(cls, plan: Plan, model: BodyModel, data: Any) -> Course:
        """Return the course of a plan for a body that stands as the engine's data say."""
        times: Array = TICK * np.arange(round(plan.stop / TICK) + 1, dtype=np.float64)
        feet = foot_courses(plan)
        pose = poses_of(data.qpos[None])
        heading, rise, sway = _body(plan, times).T
        limbs = limb_course(plan, pose, times)
        trunk = _trunk(heading, sway, limbs)
        ways, gravity = foot_ways(feet, times), model.environment.gravity
        centre = np.array(data.subtree_com[1])
        build = plan.figure.build
        offsets = {side: data.xpos[1 + SEGMENTS.index(f"{side}_thigh")] - centre for side in feet}
        hips = {
            side: quaternion.rotate(trunk.turns[:, 0], np.tile(each, (len(times), 1))) for side, each in offsets.items()
        }
        legs = Legs(hips, {side: way.ankle for side, way in ways.items()}, build.thigh + build.shank)
        often = slice(None, None, EVERY)
        poses = Poses(np.tile(pose.root, (len(times[often]), 1)), limbs.balls[often].copy(), limbs.hinges[often].copy())
        # who raises the arms raises the centre of mass with them, and need not bend the knees for it
        raised = np.interp(times, times[often], _heights(plan.figure, poses))
        asked = Demand(pressure_course(feet, times), centre, centre[1] - _BENT + rise + raised, gravity, TICK)
        poses.ball("root")[:] = trunk.turns[often, 0]
        rehearsal = Rehearsal(plan.figure, poses, {side: way.at(often) for side, way in ways.items()}, gravity)
        return cls(plan, times, feet, _rehearsed(asked, legs, rehearsal), trunk, limbs, rehearsal)

    @cached_property
    def capture(self) -> Array:
        """Where the capture point is to be, (N, 2)."""
        return self.mass_centre.capture

    def tick(self, time: float) -> int:
        """Return the number of the tick at a time."""
        return min(max(round(time / TICK), 0), len(self.times) - 1)


def _heights(figure: Figure, poses: Poses) -> Array:
    """Return how much higher than at first (T,) the centre of mass is in poses, the pelvis at one place, in m."""
    heights = centre_of_mass(figure, poses)[:, 1]
    raised: Array = heights - heights[0]
    return raised


def _rehearsed(asked: Demand, legs: Legs, rehearsal: Rehearsal) -> MassCentreCourse:
    """Return a course of the centre of mass that takes into account what its own rehearsal tells."""
    found = mass_centre_course(asked, legs)
    for _ in range(_REHEARSALS):
        seen = rehearsal.go_through(found)
        found = mass_centre_course(asked._replace(pressure=asked.pressure + seen.shift), legs._replace(hips=seen.hips))
    return found


def _body(plan: Plan, times: Array) -> Array:
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


def _trunk(heading: Array, sway: Array, limbs: LimbCourse) -> TrunkCourse:
    """Return how pelvis, torso and head are to be turned; sway leans the pelvis to the left."""
    facing = quaternion.exp(np.stack([np.zeros_like(heading), heading, np.zeros_like(heading)], axis=1))
    leaning = quaternion.exp(np.stack([np.zeros_like(sway), np.zeros_like(sway), -sway], axis=1))
    turns = np.empty((len(heading), len(_TRUNK), 4))
    turns[:, 0] = quaternion.multiply(facing, leaning)
    for k, joint in enumerate(("lower_back", "neck"), 1):
        turns[:, k] = quaternion.multiply(turns[:, k - 1], limbs.balls[:, BALL_JOINTS.index(joint)])
    spin = np.zeros((len(heading), 3))
    spin[:, 1] = rates_of(heading, TICK)
    return TrunkCourse(turns, spin, rates_of(spin, TICK))
