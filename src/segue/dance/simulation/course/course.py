"""The whole course of a dance for one dancer: feet, pressure, centre of mass, trunk and limbs, at every tick."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from segue.body.joints import BALL_JOINTS, SEGMENTS
from segue.curves import quaternion
from segue.curves.quaternion import Array
from segue.dance.planning.model import Plan
from segue.dance.simulation.course.feet import FootCourse, foot_courses
from segue.dance.simulation.course.limbs import LimbCourse, limb_course
from segue.dance.simulation.course.mass_centre import MassCentreCourse, ankle_ways, mass_centre_course
from segue.dance.simulation.course.momentum import momentum_shift
from segue.dance.simulation.course.polynomial import rates_of, through
from segue.dance.simulation.course.pressure import pressure_course
from segue.dance.simulation.model import BodyModel
from segue.dance.simulation.state import poses_of

__all__ = ["TICK", "Course", "TrunkCourse"]

TICK = 0.002
"""Seconds between two decisions of the body controller."""

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
    """What is to be done, tick by tick; times: (N,) s."""

    plan: Plan
    times: Array
    feet: Mapping[str, FootCourse]
    mass_centre: MassCentreCourse
    trunk: TrunkCourse
    limbs: LimbCourse

    @classmethod
    def of(cls, plan: Plan, model: BodyModel, data: Any) -> Course:
        """Return the course of a plan for a body that stands as the engine's data say."""
        times: Array = TICK * np.arange(round(plan.stop / TICK) + 1, dtype=np.float64)
        feet = foot_courses(plan)
        pose = poses_of(data.qpos[None])
        heading, rise, sway = _body(plan, times).T
        centre = np.array(data.subtree_com[1])
        hips = {side: _round(heading, data.xpos[1 + SEGMENTS.index(f"{side}_thigh")] - centre, plan) for side in feet}
        build = plan.figure.build
        mass_centre = mass_centre_course(
            pressure_course(feet, times) + momentum_shift(plan, times, model.environment.gravity),
            centre,
            centre[1] - _BENT + rise,
            hips,
            ankle_ways(feet, times),
            build.thigh + build.shank,
            model.environment.gravity,
            TICK,
        )
        limbs = limb_course(plan, pose, times)
        return cls(plan, times, feet, mass_centre, _trunk(heading, sway, limbs), limbs)

    @cached_property
    def capture(self) -> Array:
        """Where the capture point is to be, (N, 2)."""
        return self.mass_centre.capture

    def tick(self, time: float) -> int:
        """Return the number of the tick at a time."""
        return min(max(round(time / TICK), 0), len(self.times) - 1)


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


def _round(heading: Array, offset: Array, plan: Plan) -> Array:
    """Return an offset (3,) from the centre of mass as it is turned along with the body, (N, 3)."""
    turned = heading - plan.begins.heading
    x = offset[0] * np.cos(turned) + offset[2] * np.sin(turned)
    z = -offset[0] * np.sin(turned) + offset[2] * np.cos(turned)
    return np.stack([x, np.full_like(x, offset[1]), z], axis=1)


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
