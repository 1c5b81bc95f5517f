"""Courses of joints that no footstep decides: great-circle arcs from goal to goal, timed by the normal curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.dance.course.quintic import rates_of, through
from segue.dance.planning.model import JointGoal, Plan
from segue.errors import ArgumentError
from segue.typing import Array

_SPREAD = 3.5  # standard deviations at either end of a movement: speed there is below a hundredth of the peak
_LEGS = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("hip", "knee", "ankle", "toe"))
_ARMS = tuple(
    f"{side}_{part}" for side in ("left", "right") for part in ("clavicle", "shoulder", "elbow", "forearm", "wrist")
)
ARM_BALLS = [b for b, name in enumerate(HUMAN.ball_names) if name.startswith(_ARMS)]
"""Numbers of the ball joints of both arms."""
ARM_HINGES = [h for h, name in enumerate(HUMAN.hinge_names) if name.startswith(_ARMS)]
"""Numbers of the hinges of both arms."""
_HANGING = {"shoulder": (0.0, 0.0, -1.35), "elbow_flexion": 0.25}


class LimbCourse(NamedTuple):
    """Joints at N times.

    balls: (N, 7, 4) and hinges: (N, 20) wanted values. velocity, acceleration: (N, 44) of each degree of freedom, of a
    ball joint along the axes of its own segment.
    """

    balls: Array
    hinges: Array
    velocity: Array
    acceleration: Array

    @classmethod
    def of(cls, balls: Array, hinges: Array, step: float) -> LimbCourse:
        """Return the course of joint values at times `step` s apart, with their rates by central differences."""
        velocity = np.zeros((len(balls), HUMAN.dof_count))
        between = quaternion.log(quaternion.multiply(quaternion.conjugate(balls[:-1]), balls[1:])) / step
        padded = np.concatenate([between[:1], between, between[-1:]])
        velocity[:, HUMAN.ball_dofs] = 0.5 * (padded[1:] + padded[:-1])
        velocity[:, HUMAN.hinge_dofs] = rates_of(hinges, step)
        return cls(balls, hinges, velocity, rates_of(velocity, step))

    def first(self) -> dict[str, Array]:
        """Return the first values of all joints but the root, by name: quaternions (4,) or angles (1,)."""
        balls = {name: self.balls[0, b] for b, name in enumerate(HUMAN.ball_names) if name != "root"}
        return balls | {name: self.hinges[0, [h]] for h, name in enumerate(HUMAN.hinge_names)}

    def with_arms(self, poses: Poses, step: float) -> LimbCourse:
        """Return a course with the arms of poses (N), `step` s apart."""
        balls, hinges = self.balls.copy(), self.hinges.copy()
        balls[:, ARM_BALLS], hinges[:, ARM_HINGES] = poses.balls[:, ARM_BALLS], poses.hinges[:, ARM_HINGES]
        return LimbCourse.of(balls, hinges, step)


def normal_curve(fraction: Array) -> Array:
    """Return the share of a movement that is done at fractions of its time: a normal distribution [Lake1990, 6.4].

    The curve is cut at 3.5 standard deviations and scaled to go from 0 to 1 exactly.
    """
    least = scipy.special.ndtr(-_SPREAD)
    done: Array = (scipy.special.ndtr(_SPREAD * (2.0 * np.clip(fraction, 0.0, 1.0) - 1.0)) - least) / (
        1.0 - 2.0 * least
    )
    return done


def initial_joints(plan: Plan) -> dict[str, Array]:
    """Return the initial values of head, trunk and arms: their goals at time 0, or hanging arms.

    Raise ArgumentError for a goal of a joint that there is not, or that footsteps decide.
    """
    for name in plan.of_joint():
        _check_joint(name)
    values: dict[str, Array] = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        values[f"{side}_shoulder"] = quaternion.exp(np.array(_HANGING["shoulder"]) * sign)
        values[f"{side}_elbow_flexion"] = np.array([_HANGING["elbow_flexion"]])
    values |= {name: goals[0].value for name, goals in plan.of_joint().items() if goals[0].time <= 0.0}
    return values


def _check_joint(joint: str) -> None:
    if joint not in (*HUMAN.ball_names, *HUMAN.hinge_names):
        raise ArgumentError(f"a goal is for '{joint}': there is no such joint, see segue.body.human for all names")
    if joint == "root" or joint.startswith(_LEGS):
        raise ArgumentError(f"a goal is for '{joint}': footsteps and the body's goals decide where legs and root are")


def limb_course(plan: Plan, pose: Poses, times: Array) -> LimbCourse:
    """Return the course of every joint at equally spaced times; joints without goals stay as in a pose."""
    balls, hinges = np.repeat(pose.balls, len(times), axis=0), np.repeat(pose.hinges, len(times), axis=0)
    for name, goals in plan.of_joint().items():
        if name in HUMAN.ball_names:
            b = HUMAN.ball_names.index(name)
            balls[:, b] = _rotations(pose.balls[0, b], goals, times)
        else:
            h = HUMAN.hinge_names.index(name)
            hinges[:, h] = _values(pose.hinges[:, h], goals, times)[:, 0]
    return LimbCourse.of(balls, hinges, float(times[1] - times[0]))


def _rotations(start: Array, goals: Sequence[JointGoal], times: Array) -> Array:
    """Return a ball joint's rotations (N, 4), each movement an arc in the chart about its first rotation."""
    turns = np.array([start, *(goal.value for goal in goals)])
    found = np.repeat(turns[:1], len(times), axis=0)
    for run, inside in _runs(goals, times):
        base = turns[run.start]
        inverse = np.repeat(quaternion.conjugate(base)[None], run.stop - run.start, axis=0)
        vectors = quaternion.log(quaternion.multiply(inverse, turns[run]))
        moved = quaternion.exp(_movement(goals, run, vectors, times[inside]))
        found[inside] = quaternion.multiply(np.repeat(base[None], len(moved), axis=0), moved)
    return found


def _values(start: Array, goals: Sequence[JointGoal], times: Array) -> Array:
    """Return a hinge's angles (N, 1)."""
    angles = np.array([start, *(goal.value for goal in goals)])
    found = np.repeat(angles[:1], len(times), axis=0)
    for run, inside in _runs(goals, times):
        found[inside] = _movement(goals, run, angles[run], times[inside])
    return found


def _runs(goals: Sequence[JointGoal], times: Array) -> list[tuple[slice, slice]]:
    """Return movements from rest to rest: slices of the goals, counted with the start, and of the times.

    The last movement lasts to the end, where the limb is maintained.
    """
    ends = [k + 1 for k, goal in enumerate(goals) if not goal.passing or k == len(goals) - 1]
    runs, first, since = [], 0, 0
    for last in ends:
        until = len(times) if last == ends[-1] else int(np.searchsorted(times, goals[last - 1].time))
        runs.append((slice(first, last + 1), slice(since, until)))
        first, since = last, until
    return runs


def _movement(goals: Sequence[JointGoal], run: slice, values: Array, times: Array) -> Array:
    """Return values (N, K) of one movement: to its goal by the normal curve, or through the goals that it passes."""
    moments = np.array([_time(goals, k) for k in range(run.start, run.stop)])
    if moments[-1] <= moments[0]:
        return np.repeat(values[-1:], len(times), axis=0)
    if len(moments) == 2:
        done = normal_curve((times - moments[0]) / (moments[1] - moments[0]))
        moved: Array = values[0] + done[:, None] * (values[1] - values[0])
        return moved
    passing = np.ones(len(moments), bool)
    passing[[0, -1]] = False
    return through(moments, values, passing, times)


def _time(goals: Sequence[JointGoal], place: int) -> float:
    """Return the time of a place on the course of a limb; place 0 is the start."""
    return min(0.0, goals[0].time) if place == 0 else goals[place - 1].time
