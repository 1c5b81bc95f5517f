"""The whole course of a dance for one dancer: feet, pressure, centre of mass, trunk and limbs, at every tick."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.performance.balance import centre_of_mass
from segue.dance.planning.model import Footstep, Plan
from segue.dance.simulation.course.crossing import pelvis_turns
from segue.dance.simulation.course.feet import FootCourse, foot_courses
from segue.dance.simulation.course.foot_ways import foot_ways
from segue.dance.simulation.course.limbs import LimbCourse, limb_course
from segue.dance.simulation.course.mass_centre import Demand, Legs, MassCentreCourse, mass_centre_course
from segue.dance.simulation.course.passing import with_clear_ways
from segue.dance.simulation.course.pressure import pressure_course
from segue.dance.simulation.course.rehearsal import EVERY, Rehearsal
from segue.dance.simulation.course.timing import unhurried
from segue.dance.simulation.course.trunk import TrunkCourse, body_course, trunk_course
from segue.dance.simulation.model import BodyModel
from segue.dance.simulation.state import poses_of
from segue.typing import Array

TICK = 0.002
"""Seconds between two decisions of the body controller."""

_REHEARSALS = 3
_BENT = 0.01  # m that the centre of mass is lower than in the standing pose: room to push


@dataclass(frozen=True, eq=False)
class Course:
    """What is to be done, tick by tick; times: (N,) s.

    footsteps: the plan's, as they are danced. rehearsal: the poses that it asks for. legs: as they are to be; hips as
    if the body did not yield.
    """

    plan: Plan
    footsteps: tuple[Footstep, ...]
    times: Array
    feet: Mapping[str, FootCourse]
    mass_centre: MassCentreCourse
    trunk: TrunkCourse
    limbs: LimbCourse
    rehearsal: Rehearsal
    legs: Legs

    @classmethod
    def of(cls, plan: Plan, model: BodyModel, data: Any) -> Course:
        """Return the course of a plan for a body that stands as the engine's data say."""
        times: Array = TICK * np.arange(round(plan.stop / TICK) + 1, dtype=np.float64)
        footsteps = unhurried(plan.footsteps)
        feet = foot_courses(plan, footsteps)
        course = cls._gone_through(plan, footsteps, model, data, times, feet)
        clear = with_clear_ways(feet, course.rehearsal, EVERY * TICK)
        if all(clear[side].swings == feet[side].swings for side in feet):
            return course
        return cls._gone_through(plan, footsteps, model, data, times, clear)

    @classmethod
    def _gone_through(
        cls,
        plan: Plan,
        footsteps: tuple[Footstep, ...],
        model: BodyModel,
        data: Any,
        times: Array,
        feet: Mapping[str, FootCourse],
    ) -> Course:
        """Return the course for feet that go as told."""
        pose = poses_of(data.qpos[None])
        heading, rise, sway = body_course(plan, times).T
        ways, gravity = foot_ways(feet, times), model.environment.gravity
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
        # who raises the arms raises the centre of mass with them, and need not bend the knees for it
        raised = np.interp(times, times[often], _heights(plan.figure, poses))
        asked = Demand(pressure_course(feet, times), centre, centre[1] - _BENT + rise + raised, gravity, TICK)
        poses.ball("root")[:] = trunk.turns[often, 0]
        rehearsal = Rehearsal(plan.figure, poses, {side: way.at(often) for side, way in ways.items()}, gravity)
        return cls(plan, footsteps, times, feet, _rehearsed(asked, legs, rehearsal), trunk, limbs, rehearsal, legs)

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
